#include "cre2.h"

#include <re2/re2.h>

struct cre2_pattern {
    re2::RE2 compiled;
    std::string error;
    cre2_pattern(re2::StringPiece text, const re2::RE2::Options &options) : compiled(text, options) {
        if (!compiled.ok()) error = compiled.error();
    }
};

cre2_pattern *cre2_compile(const char *text, size_t length, long max_memory) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(max_memory);
    return new cre2_pattern(re2::StringPiece(text, length), options);
}

const char *cre2_error(const cre2_pattern *pattern) {
    return pattern->compiled.ok() ? nullptr : pattern->error.c_str();
}

int cre2_search(const cre2_pattern *pattern, const char *text, size_t length) {
    return re2::RE2::PartialMatch(re2::StringPiece(text, length), pattern->compiled) ? 1 : 0;
}

void cre2_free(cre2_pattern *pattern) { delete pattern; }
