/* libcurl as Debian ships it, loaded when it is first needed. The types are those of its header, which
   the functions here are checked against; none of its own functions is linked. */
#ifndef FRONTDESK_CCURL_H
#define FRONTDESK_CCURL_H
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Where the library is found by the system's own rules. */
#define FRONTDESK_CURL_LIBRARY "libcurl.so.4"

/* Loads a library of libcurl's functions and starts it; 0 when that is done, or was done before.
   Otherwise what is missing stands in `fault`, of `room` bytes, and nothing is kept: the next call tries
   again, so that whoever installs the library or frees descriptors need not start the server again. The
   first one that is loaded stays. Safe to call from several threads; every other function here needs a
   0 from it first. */
int frontdesk_curl_load(const char *library, char *fault, size_t room);

CURL *frontdesk_curl_make(void);
void frontdesk_curl_free(CURL *c);
CURLcode frontdesk_curl_pause(CURL *c, int mask);
const char *frontdesk_curl_words(CURLcode code);

CURLcode frontdesk_curl_set_long(CURL *c, CURLoption option, long value);
CURLcode frontdesk_curl_set_text(CURL *c, CURLoption option, const char *value);
CURLcode frontdesk_curl_set_size(CURL *c, CURLoption option, int64_t value);
CURLcode frontdesk_curl_set_list(CURL *c, CURLoption option, struct curl_slist *value);
/* Copies a body, which is sent in the same packet as the head. */
CURLcode frontdesk_curl_set_body(CURL *c, const void *bytes, int64_t count);
CURLcode frontdesk_curl_set_faults(CURL *c, char *room);

/* What libcurl calls while it performs; each is given `context`. */
CURLcode frontdesk_curl_set_calls(CURL *c, void *context, curl_write_callback head,
                                  curl_write_callback body, curl_read_callback read,
                                  curl_seek_callback seek, curl_opensocket_callback open);

struct curl_slist *frontdesk_list_append(struct curl_slist *list, const char *text);
void frontdesk_list_free(struct curl_slist *list);

/* A handle for many transfers, whose sockets it watches by epoll: a transfer that waits costs nothing
   while others go on. NULL without memory or descriptors. */
void *frontdesk_multi_make(void);
void frontdesk_multi_free(void *multi);
CURLMcode frontdesk_multi_set_long(void *multi, CURLMoption option, long value);
CURLMcode frontdesk_multi_add(void *multi, CURL *c);
CURLMcode frontdesk_multi_remove(void *multi, CURL *c);
/* Waits for sockets, for libcurl's time or a wake, no longer than said, and has libcurl go on where
   something came. */
void frontdesk_multi_run(void *multi, int milliseconds);
/* Ends the wait, now or the next one; the only function that may be called from another thread. */
void frontdesk_multi_wake(void *multi);

/* The next transfer that has ended, with its code; NULL when there is none. */
CURL *frontdesk_multi_next_done(void *multi, CURLcode *code);

/* Hands an e-mail over and waits until the server has accepted it. `url` is smtp:// or smtps://, with the
   name by which the server is greeted as the path; `user`, `password` and `authorities`, a file of those
   that are trusted instead of the system's, may be NULL. libcurl adds the dots that the protocol wants.
   `fault` has room for CURL_ERROR_SIZE bytes; `answer` becomes the server's last reply code, 0 before any. */
CURLcode frontdesk_mail_send(const char *url, const char *user, const char *password,
                             const char *authorities, int needs_tls, const char *sender,
                             const char *recipient, const void *bytes, size_t count, long seconds,
                             char *fault, long *answer);

/* Writes the bytes of an address, 4 or 16 of them, and answers how many; 0 for another family. */
static inline int frontdesk_peer_address(const struct curl_sockaddr *peer, unsigned char *room) {
    const void *address = &peer->addr;
    if (peer->family == AF_INET) {
        memcpy(room, &((const struct sockaddr_in *)address)->sin_addr, 4);
        return 4;
    }
    if (peer->family == AF_INET6) {
        memcpy(room, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

static inline curl_socket_t frontdesk_peer_socket(const struct curl_sockaddr *peer) {
    return socket(peer->family, peer->socktype | SOCK_CLOEXEC, peer->protocol);
}
#endif
