/* P-256, P-384 and the X9.63 KDF: OpenSSL's ways to them go through parameter lists of raw pointers, which
   are built and freed here. Every function answers 1, or 0 with the error queue filled. A curve is named by
   the bytes of its scalars: 32 or 48; a point of it has twice as many and one. */
#ifndef FRONTDESK_COPENSSL_AGREEMENT_H
#define FRONTDESK_COPENSSL_AGREEMENT_H
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/pem.h>

static inline int frontdesk_ec_id(int curve) { return curve == 32 ? NID_X9_62_prime256v1 : NID_secp384r1; }
static inline const char *frontdesk_ec_name(int curve) { return curve == 32 ? "P-256" : "P-384"; }
static inline int frontdesk_ec_point(int curve) { return 2 * curve + 1; }

/* The uncompressed public point of a scalar from 1 to the order less 1. */
static inline int frontdesk_ec_point_of(int curve, const unsigned char *scalar, unsigned char *point) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(frontdesk_ec_id(curve));
    EC_POINT *place = group ? EC_POINT_new(group) : NULL;
    BIGNUM *number = BN_secure_new();
    int done = 0;
    if (place && number && BN_bin2bn(scalar, curve, number) &&
        !BN_is_zero(number) && BN_cmp(number, EC_GROUP_get0_order(group)) < 0) {
        BN_set_flags(number, BN_FLG_CONSTTIME);
        done = EC_POINT_mul(group, place, number, NULL, NULL, NULL) &&
               EC_POINT_point2oct(group, place, POINT_CONVERSION_UNCOMPRESSED, point,
                                  frontdesk_ec_point(curve), NULL) ==
                   (size_t)frontdesk_ec_point(curve);
    }
    BN_clear_free(number);
    EC_POINT_free(place);
    EC_GROUP_free(group);
    return done;
}

/* A key of a point and, when given, its scalar; NULL when the point is not on the curve. */
static inline EVP_PKEY *frontdesk_ec_key(int curve, const unsigned char *scalar,
                                         const unsigned char *point) {
    EVP_PKEY *key = NULL;
    BIGNUM *number = NULL;
    OSSL_PARAM *params = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    int ready = build && context &&
                OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME,
                                                frontdesk_ec_name(curve), 0) &&
                OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point,
                                                 frontdesk_ec_point(curve));
    if (ready && scalar) {
        number = BN_secure_new();
        ready = number && BN_bin2bn(scalar, curve, number) &&
                OSSL_PARAM_BLD_push_BN_pad(build, OSSL_PKEY_PARAM_PRIV_KEY, number, curve);
    }
    if (ready) params = OSSL_PARAM_BLD_to_param(build);
    if (params && EVP_PKEY_fromdata_init(context) == 1 &&
        EVP_PKEY_fromdata(context, &key, scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                          params) != 1)
        key = NULL;
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    BN_clear_free(number);
    return key;
}

/* Whether the bytes are a point of the curve, other than infinity. */
static inline int frontdesk_ec_is_point(int curve, const unsigned char *point) {
    EVP_PKEY *key = frontdesk_ec_key(curve, NULL, point);
    EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new(key, NULL) : NULL;
    int good = context && EVP_PKEY_public_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    return good;
}

/* The secret that both ends can compute, as long as a scalar. */
static inline int frontdesk_ec_agree(int curve, const unsigned char *scalar,
                                     const unsigned char *own, const unsigned char *other,
                                     unsigned char *secret) {
    EVP_PKEY *mine = frontdesk_ec_key(curve, scalar, own);
    EVP_PKEY *theirs = frontdesk_ec_key(curve, NULL, other);
    EVP_PKEY_CTX *context = mine && theirs ? EVP_PKEY_CTX_new(mine, NULL) : NULL;
    size_t count = curve;
    int done = context && EVP_PKEY_derive_init(context) == 1 &&
               EVP_PKEY_derive_set_peer_ex(context, theirs, 1) == 1 &&
               EVP_PKEY_derive(context, secret, &count) == 1 && count == (size_t)curve;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(mine);
    EVP_PKEY_free(theirs);
    return done;
}

/* The signature of the bytes with ECDSA over SHA-256: both numbers, each as long as a scalar. */
static inline int frontdesk_ec_sign(int curve, const unsigned char *scalar,
                                    const unsigned char *point, const unsigned char *bytes,
                                    size_t count, unsigned char *signature) {
    EVP_PKEY *key = frontdesk_ec_key(curve, scalar, point);
    EVP_MD_CTX *context = key ? EVP_MD_CTX_new() : NULL;
    unsigned char der[256];
    const unsigned char *start = der;
    size_t made = sizeof der;
    ECDSA_SIG *pair = NULL;
    int done = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
               EVP_DigestSign(context, der, &made, bytes, count) == 1 &&
               (pair = d2i_ECDSA_SIG(NULL, &start, (long)made)) != NULL &&
               BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, curve) == curve &&
               BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + curve, curve) == curve;
    ECDSA_SIG_free(pair);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return done;
}

/* The PKCS #8 PEM text of a P-384 key pair, at most `room` bytes; the answer is its length or 0. */
static inline int frontdesk_p384_write_pem(const unsigned char *scalar, const unsigned char *point,
                                           char *text, int room) {
    EVP_PKEY *key = frontdesk_ec_key(48, scalar, point);
    BIO *out = BIO_new(BIO_s_secmem());
    int count = 0;
    if (key && out && PEM_write_bio_PKCS8PrivateKey(out, key, NULL, NULL, 0, NULL, NULL) == 1)
        count = BIO_read(out, text, room);
    BIO_free(out);
    EVP_PKEY_free(key);
    return count > 0 ? count : 0;
}

/* No pass phrase is ever asked for at a terminal. */
static inline int frontdesk_no_phrase(char *text, int room, int writes, void *context) {
    (void)text;
    (void)room;
    (void)writes;
    (void)context;
    return -1;
}

/* The scalar of a private key of P-384 in PEM, PKCS #8 or SEC 1. */
static inline int frontdesk_p384_read_pem(const char *text, int count, unsigned char *scalar) {
    BIO *in = BIO_new_mem_buf(text, count);
    EVP_PKEY *key = in ? PEM_read_bio_PrivateKey(in, NULL, frontdesk_no_phrase, NULL) : NULL;
    char group[32] = "";
    BIGNUM *number = NULL;
    int done = key && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1 &&
               OBJ_sn2nid(group) == NID_secp384r1 &&
               EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
               BN_bn2binpad(number, scalar, 48) == 48;
    BN_clear_free(number);
    EVP_PKEY_free(key);
    BIO_free(in);
    return done;
}

/* ANSI X9.63 KDF with SHA-256. */
static inline int frontdesk_x963_sha256(const unsigned char *secret, size_t secret_count,
                                        const unsigned char *info, size_t info_count,
                                        unsigned char *out, size_t count) {
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "X963KDF", NULL);
    EVP_KDF_CTX *context = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
    OSSL_PARAM params[4];
    int done = 0;
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0);
    params[1] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, (void *)secret,
                                                  secret_count);
    params[2] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count);
    params[3] = OSSL_PARAM_construct_end();
    if (context) done = EVP_KDF_derive(context, out, count, params) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
    return done;
}

static inline int frontdesk_gcm_set_nonce_length(EVP_CIPHER_CTX *c, int count) {
    return EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, count, NULL);
}
static inline int frontdesk_gcm_get_tag(EVP_CIPHER_CTX *c, unsigned char *tag, int count) {
    return EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, count, tag);
}
static inline int frontdesk_gcm_set_tag(EVP_CIPHER_CTX *c, const unsigned char *tag, int count) {
    return EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, count, (void *)tag);
}
#endif
