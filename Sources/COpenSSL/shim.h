/* OpenSSL 3.0 as Debian ships it, and what of it hides in macros. */
#ifndef FRONTDESK_COPENSSL_H
#define FRONTDESK_COPENSSL_H
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>
#include <time.h>
#include "agreement.h"
#include "ed25519.h"

static inline long frontdesk_ctx_set_min_version(SSL_CTX *c, int v) {
    return SSL_CTX_set_min_proto_version(c, v);
}
static inline long frontdesk_ctx_set_groups(SSL_CTX *c, const char *list) {
    return SSL_CTX_set1_groups_list(c, list);
}
static inline long frontdesk_ctx_set_mode(SSL_CTX *c, long mode) {
    return SSL_CTX_set_mode(c, mode);
}
static inline void frontdesk_ctx_set_server_options(SSL_CTX *c) {
    SSL_CTX_set_options(c, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET |
                               SSL_OP_CIPHER_SERVER_PREFERENCE);
}
static inline void frontdesk_ctx_session_cache_off(SSL_CTX *c) {
    SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF);
}
static inline size_t frontdesk_bio_pending(BIO *b) { return BIO_ctrl_pending(b); }
static inline long frontdesk_ssl_set_host(SSL *s, const char *name) {
    return SSL_set_tlsext_host_name(s, (char *)name);
}

/* Called by libssl with the protocols a client offers; the answer is http/1.1 or nothing. */
static inline int frontdesk_alpn_http11(SSL *s, const unsigned char **out, unsigned char *length,
                                        const unsigned char *in, unsigned int count, void *arg) {
    static const unsigned char ours[] = "\x08http/1.1";
    unsigned char *chosen = NULL;
    (void)s;
    (void)arg;
    if (SSL_select_next_proto(&chosen, length, ours, sizeof(ours) - 1, in, count) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}
// Whether the newest error is that a private key is not that of the certificate.
static inline int frontdesk_is_key_of_another(void) {
    unsigned long code = ERR_peek_last_error();
    int reason = ERR_GET_REASON(code);
    return ERR_GET_LIB(code) == ERR_LIB_X509 &&
        (reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH);
}
/* A key with a passphrase is refused; libssl would ask for it at the terminal, and wait. */
static inline int frontdesk_no_passphrase(char *room, int size, int writes, void *arg) {
    (void)room;
    (void)size;
    (void)writes;
    (void)arg;
    return -1;
}
static inline void frontdesk_ctx_ask_nobody(SSL_CTX *c) {
    SSL_CTX_set_default_passwd_cb(c, frontdesk_no_passphrase);
}
/* When a context's certificate begins or ends to be valid, in seconds since 1970; 0 where it does not say. */
static inline int64_t frontdesk_ctx_validity(SSL_CTX *c, int end) {
    X509 *leaf = SSL_CTX_get0_certificate(c);
    struct tm when;
    if (!leaf) return 0;
    if (ASN1_TIME_to_tm(end ? X509_get0_notAfter(leaf) : X509_get0_notBefore(leaf), &when) != 1)
        return 0;
    return timegm(&when);
}
static inline void frontdesk_ctx_alpn_http11(SSL_CTX *c) {
    SSL_CTX_set_alpn_select_cb(c, frontdesk_alpn_http11, NULL);
}
#endif
