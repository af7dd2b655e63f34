#include "start.h"
#include <openssl/crypto.h>
#include <stddef.h>

/* Before anything else of the process uses OpenSSL, since its first call decides. */
__attribute__((constructor)) void frontdesk_openssl_start(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
