/* Ed25519 (RFC 8032) over keys of raw bytes. Every function answers 1, or 0 with the error queue filled. */
#ifndef FRONTDESK_COPENSSL_ED25519_H
#define FRONTDESK_COPENSSL_ED25519_H
#include <openssl/evp.h>

enum { frontdesk_ed25519_key = 32, frontdesk_ed25519_signature = 64 };

/* The public key of a seed. */
static inline int frontdesk_ed25519_public_of(const unsigned char *seed, unsigned char *point) {
    EVP_PKEY *key =
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, frontdesk_ed25519_key);
    size_t count = frontdesk_ed25519_key;
    int done = key && EVP_PKEY_get_raw_public_key(key, point, &count) == 1 &&
               count == frontdesk_ed25519_key;
    EVP_PKEY_free(key);
    return done;
}

/* The signature of the bytes by a seed. */
static inline int frontdesk_ed25519_sign(const unsigned char *seed, const unsigned char *bytes,
                                         size_t count, unsigned char *signature) {
    EVP_PKEY *key =
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, frontdesk_ed25519_key);
    EVP_MD_CTX *context = key ? EVP_MD_CTX_new() : NULL;
    size_t made = frontdesk_ed25519_signature;
    int done = context && EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1 &&
               EVP_DigestSign(context, signature, &made, bytes, count) == 1 &&
               made == frontdesk_ed25519_signature;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return done;
}

/* Whether the signature is the bytes' by the key that belongs to the public key. */
static inline int frontdesk_ed25519_verify(const unsigned char *point, const unsigned char *bytes,
                                           size_t count, const unsigned char *signature) {
    EVP_PKEY *key =
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, point, frontdesk_ed25519_key);
    EVP_MD_CTX *context = key ? EVP_MD_CTX_new() : NULL;
    int good = context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
               EVP_DigestVerify(context, signature, frontdesk_ed25519_signature, bytes, count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return good;
}
#endif
