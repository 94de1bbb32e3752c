#pragma once
#include <expat.h>

// The line that the parser has reached. Expat 2.9 deprecates the function for one with 64 bits, which older ones lack.
static inline unsigned long long pip_expat_line(XML_Parser parser) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    return XML_GetCurrentLineNumber(parser);
#pragma clang diagnostic pop
}
