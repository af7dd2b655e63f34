/* RE2 behind a few C lines: linear-time matching of patterns that came from a schema. */
#ifndef FRONTDESK_CRE2_H
#define FRONTDESK_CRE2_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct cre2_pattern cre2_pattern;

/* Compiles a pattern. Never null; ask cre2_error. max_memory bounds the program in bytes. */
cre2_pattern *_Nonnull cre2_compile(const char *_Nullable text, size_t length, long max_memory);
/* What is wrong with the pattern, or null when it compiled. Lives as long as the pattern. */
const char *_Nullable cre2_error(const cre2_pattern *_Nonnull pattern);
/* 1 when the pattern occurs anywhere in the text, else 0. Safe to call from several threads. */
int cre2_search(const cre2_pattern *_Nonnull pattern, const char *_Nullable text, size_t length);
void cre2_free(cre2_pattern *_Nonnull pattern);
#ifdef __cplusplus
}
#endif
#endif
