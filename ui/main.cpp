#include "Application.h"

int main(int argc, char **argv)
{
    return attn::runApplication(argc, argv);
}
