#include "benchmarks/BenchOptions.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace attn::bench {

namespace {

constexpr const char *usageText =
    "attnscope-bench [--json] [--limits] [--only TEXT] [--n 512,2048,4096] [--heads 12] [--d 64] [--threads "
    "1]\n"
    "                [--dtype f32|f64] [--budget SECONDS] [--no-large] [--cpu]\n"
    "  Measures the program and checks every result. Exit code 1 when one is wrong.\n"
    "  --limits    what the machine itself can do: multiply-adds, Eigen's products in the cache, copying\n"
    "  --only      only measurements whose name contains TEXT\n"
    "  --no-large  nothing at 131072 tokens\n"
    "  --cpu       times are those in which the process computed, on all its threads: fair on a busy "
    "machine\n"
    "  ATTNSCOPE_ISA chooses the instruction set.\n";

[[noreturn]] void refuse(const std::string &why)
{
    std::fprintf(stderr, "attnscope-bench: %s\n%s", why.c_str(), usageText);
    std::exit(2);
}

template<typename Number>
Number numberOf(std::string_view text)
{
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size() || !(number > Number(0)))
        refuse("expected a number above 0, found \"" + std::string(text) + "\"");
    return number;
}

std::vector<long> numbersOf(std::string_view text)
{
    std::vector<long> numbers;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        numbers.push_back(numberOf<long>(text.substr(0, comma)));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return numbers;
}

bool takeFlag(BenchOptions &options, std::string_view name)
{
    if (name == "--json")
        options.asJson = true;
    else if (name == "--limits")
        options.limits = true;
    else if (name == "--no-large")
        options.withLarge = false;
    else if (name == "--cpu")
        options.processorTime = true;
    else
        return false;
    return true;
}

void takeValue(BenchOptions &options, std::string_view name, const std::string &value)
{
    if (name == "--only")
        options.only = value;
    else if (name == "--n")
        options.sizes = numbersOf(value);
    else if (name == "--heads")
        options.heads = numberOf<long>(value);
    else if (name == "--d")
        options.dHead = numberOf<long>(value);
    else if (name == "--threads")
        options.threads = numberOf<int>(value);
    else if (name == "--budget")
        options.budgetMs = 1000.0 * numberOf<double>(value);
    else if (name == "--child")
        options.child = value;
    else if (name == "--file")
        options.file = value;
    else if (name == "--dtype" && (value == "f32" || value == "f64"))
        options.isDouble = value == "f64";
    else
        refuse("unknown option " + std::string(name) + " " + value);
}

} // namespace

BenchOptions parseOptions(int argc, char **argv)
{
    BenchOptions options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--help" || name == "-h") {
            std::fputs(usageText, stdout);
            std::exit(0);
        }
        if (takeFlag(options, name))
            continue;
        if (i + 1 == argc)
            refuse("expected a value after " + std::string(name));
        takeValue(options, name, argv[++i]);
    }
    return options;
}

} // namespace attn::bench
