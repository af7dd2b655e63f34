#ifndef FRONTDESK_COPENSSL_H
#define FRONTDESK_COPENSSL_H
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#endif
