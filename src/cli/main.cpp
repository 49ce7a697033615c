#include <cstdio>

int main()
{
    std::puts("attnscope-cli");
    return 0;
}
