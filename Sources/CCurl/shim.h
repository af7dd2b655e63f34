/* libcurl as Debian ships it, and what of it hides in macros, variadics and socket addresses. */
#ifndef FRONTDESK_CCURL_H
#define FRONTDESK_CCURL_H
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode frontdesk_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode frontdesk_curl_set_long(CURL *c, CURLoption option, long value) {
    return curl_easy_setopt(c, option, value);
}
static inline CURLcode frontdesk_curl_set_text(CURL *c, CURLoption option, const char *value) {
    return curl_easy_setopt(c, option, value);
}
static inline CURLcode frontdesk_curl_set_size(CURL *c, CURLoption option, int64_t value) {
    return curl_easy_setopt(c, option, (curl_off_t)value);
}
static inline CURLcode frontdesk_curl_set_list(CURL *c, CURLoption option,
                                               struct curl_slist *value) {
    return curl_easy_setopt(c, option, value);
}
static inline CURLcode frontdesk_curl_set_faults(CURL *c, char *room) {
    return curl_easy_setopt(c, CURLOPT_ERRORBUFFER, room);
}

/* What libcurl calls while it performs; each is given `context`. */
static inline CURLcode frontdesk_curl_set_calls(CURL *c, void *context, curl_write_callback head,
                                                curl_write_callback body, curl_read_callback read,
                                                curl_seek_callback seek,
                                                curl_opensocket_callback open) {
    curl_easy_setopt(c, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(c, CURLOPT_READDATA, context);
    curl_easy_setopt(c, CURLOPT_SEEKDATA, context);
    curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, context);
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, head);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(c, CURLOPT_READFUNCTION, read);
    curl_easy_setopt(c, CURLOPT_SEEKFUNCTION, seek);
    return curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open);
}

static inline CURLMcode frontdesk_multi_set_long(CURLM *m, CURLMoption option, long value) {
    return curl_multi_setopt(m, option, value);
}

/* The next transfer that is over, with its code; NULL when there is none. */
static inline CURL *frontdesk_multi_next_done(CURLM *m, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(m, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

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
