#ifndef FRONTDESK_CPROCESSOR_H
#define FRONTDESK_CPROCESSOR_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The processor's own CRC-32C, where it has one; who calls it has asked first. */
#if defined(__x86_64__)
static inline int frontdesk_has_crc32c(void) { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2")))
static inline uint32_t frontdesk_crc32c(uint32_t crc, const void *bytes, size_t count) {
    const unsigned char *place = (const unsigned char *)bytes;
    uint64_t sum = crc;
    for (; count >= 8; count -= 8, place += 8) {
        uint64_t word;
        memcpy(&word, place, 8);
        sum = __builtin_ia32_crc32di(sum, word);
    }
    for (; count > 0; count--, place++) sum = __builtin_ia32_crc32qi((uint32_t)sum, *place);
    return (uint32_t)sum;
}

/* The same of eight bytes as they lie in memory. */
__attribute__((target("sse4.2")))
static inline uint32_t frontdesk_crc32c_word(uint32_t crc, uint64_t word) {
    return (uint32_t)__builtin_ia32_crc32di(crc, word);
}
#else
static inline int frontdesk_has_crc32c(void) { return 0; }

static inline uint32_t frontdesk_crc32c(uint32_t crc, const void *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return crc;
}

static inline uint32_t frontdesk_crc32c_word(uint32_t crc, uint64_t word) {
    (void)word;
    return crc;
}
#endif
#endif
