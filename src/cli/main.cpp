#include "cli/RunCommandLine.h"

int main(int argc, char *argv[])
{
    return attn::runCommandLine(argc, argv);
}
