/* For curl_multi_socket_all, which is still right where all transfers have to be looked at. */
#define CURL_DISABLE_DEPRECATION
#include "ccurl.h"

#include <cloading.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* What is used of libcurl. */
#define FUNCTIONS(X)                                                                               \
    X(global_init) X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_pause) X(easy_strerror)      \
    X(easy_perform) X(easy_getinfo)                                                                \
    X(slist_append) X(slist_free_all) X(multi_init) X(multi_cleanup) X(multi_setopt)               \
    X(multi_add_handle) X(multi_remove_handle) X(multi_socket_action) X(multi_socket_all)          \
    X(multi_info_read)

struct functions {
#define POINTER(name) __typeof__(curl_##name) *name;
    FUNCTIONS(POINTER)
};

static struct functions curl;
#define NAME_OF(name) "curl_" #name,
static const char *const names[] = {FUNCTIONS(NAME_OF)};
_Static_assert(sizeof names == sizeof curl, "a name is missing, or a function");

/* Under the lock: it is safe beside other threads in new versions only. */
static int begin(const void *found, const char *library, char *fault, size_t room) {
    struct functions with;
    memcpy(&with, found, sizeof with);
    CURLcode code = with.global_init(CURL_GLOBAL_DEFAULT);
    if (code == CURLE_OK) return 0;
    snprintf(fault, room, "%s cannot be started (%s)", library, with.easy_strerror(code));
    return -1;
}

static struct frontdesk_library libcurl = {
    .names = names,
    .count = sizeof names / sizeof *names,
    .functions = &curl,
    .begin = begin,
    .lock = PTHREAD_MUTEX_INITIALIZER};

int frontdesk_curl_load(const char *library, char *fault, size_t room) {
    return frontdesk_load(&libcurl, library, fault, room);
}

CURL *frontdesk_curl_make(void) { return curl.easy_init(); }
void frontdesk_curl_free(CURL *c) { curl.easy_cleanup(c); }
CURLcode frontdesk_curl_pause(CURL *c, int mask) { return curl.easy_pause(c, mask); }
const char *frontdesk_curl_words(CURLcode code) { return curl.easy_strerror(code); }

CURLcode frontdesk_curl_set_long(CURL *c, CURLoption option, long value) {
    return curl.easy_setopt(c, option, value);
}
CURLcode frontdesk_curl_set_text(CURL *c, CURLoption option, const char *value) {
    return curl.easy_setopt(c, option, value);
}
CURLcode frontdesk_curl_set_size(CURL *c, CURLoption option, int64_t value) {
    return curl.easy_setopt(c, option, (curl_off_t)value);
}
CURLcode frontdesk_curl_set_list(CURL *c, CURLoption option, struct curl_slist *value) {
    return curl.easy_setopt(c, option, value);
}
CURLcode frontdesk_curl_set_body(CURL *c, const void *bytes, int64_t count) {
    /* The size before the bytes, which are then copied. */
    curl.easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return curl.easy_setopt(c, CURLOPT_COPYPOSTFIELDS, bytes);
}
CURLcode frontdesk_curl_set_faults(CURL *c, char *room) {
    return curl.easy_setopt(c, CURLOPT_ERRORBUFFER, room);
}

CURLcode frontdesk_curl_set_calls(CURL *c, void *context, curl_write_callback head,
                                  curl_write_callback body, curl_read_callback read,
                                  curl_seek_callback seek, curl_opensocket_callback open) {
    curl.easy_setopt(c, CURLOPT_HEADERDATA, context);
    curl.easy_setopt(c, CURLOPT_WRITEDATA, context);
    curl.easy_setopt(c, CURLOPT_READDATA, context);
    curl.easy_setopt(c, CURLOPT_SEEKDATA, context);
    curl.easy_setopt(c, CURLOPT_OPENSOCKETDATA, context);
    curl.easy_setopt(c, CURLOPT_HEADERFUNCTION, head);
    curl.easy_setopt(c, CURLOPT_WRITEFUNCTION, body);
    curl.easy_setopt(c, CURLOPT_READFUNCTION, read);
    curl.easy_setopt(c, CURLOPT_SEEKFUNCTION, seek);
    return curl.easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open);
}

struct curl_slist *frontdesk_list_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}
void frontdesk_list_free(struct curl_slist *list) { curl.slist_free_all(list); }

/* What is left of an e-mail. */
struct unsent {
    const char *bytes;
    size_t count;
};

static size_t give(char *room, size_t size, size_t count, void *context) {
    struct unsent *rest = context;
    size_t given = size * count < rest->count ? size * count : rest->count;
    memcpy(room, rest->bytes, given);
    rest->bytes += given;
    rest->count -= given;
    return given;
}

CURLcode frontdesk_mail_send(const char *url, const char *user, const char *password,
                             const char *authorities, int needs_tls, const char *sender,
                             const char *recipient, const void *bytes, size_t count, long seconds,
                             char *fault, long *answer) {
    struct unsent rest = {bytes, count};
    CURL *c = curl.easy_init();
    struct curl_slist *to = curl.slist_append(NULL, recipient);
    CURLcode code = CURLE_OUT_OF_MEMORY;
    if (c && to) {
        curl.easy_setopt(c, CURLOPT_ERRORBUFFER, fault);
        curl.easy_setopt(c, CURLOPT_URL, url);
        curl.easy_setopt(c, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
        curl.easy_setopt(c, CURLOPT_PROXY, "");
        curl.easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
        curl.easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
        curl.easy_setopt(c, CURLOPT_TIMEOUT, seconds);
        curl.easy_setopt(c, CURLOPT_USE_SSL, (long)(needs_tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
        curl.easy_setopt(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
        if (authorities) curl.easy_setopt(c, CURLOPT_CAINFO, authorities);
        if (user) curl.easy_setopt(c, CURLOPT_USERNAME, user);
        if (password) curl.easy_setopt(c, CURLOPT_PASSWORD, password);
        curl.easy_setopt(c, CURLOPT_MAIL_FROM, sender);
        curl.easy_setopt(c, CURLOPT_MAIL_RCPT, to);
        curl.easy_setopt(c, CURLOPT_UPLOAD, 1L);
        curl.easy_setopt(c, CURLOPT_READFUNCTION, give);
        curl.easy_setopt(c, CURLOPT_READDATA, &rest);
        curl.easy_setopt(c, CURLOPT_INFILESIZE_LARGE, (curl_off_t)count);
        code = curl.easy_perform(c);
        curl.easy_getinfo(c, CURLINFO_RESPONSE_CODE, answer);
        /* At the end libcurl says QUIT and would wait 120 s for an answer to it, which says nothing. */
        curl_socket_t socket = CURL_SOCKET_BAD;
        if (curl.easy_getinfo(c, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK &&
            socket != CURL_SOCKET_BAD)
            shutdown(socket, SHUT_RD);
    }
    curl.slist_free_all(to);
    if (c) curl.easy_cleanup(c);
    return code;
}

/* Events that are read from the kernel at once. */
#define MOST_EVENTS 64
/* How often, in milliseconds, all transfers are looked at while some run. libcurl before 8.4 opens the
   socket for a name's next address, when one has failed, only at the next look at its transfer, and asks
   for none (curl/curl issue 11920). */
#define LOOK_AT_ALL 250

/* libcurl's handle, and what it waits for: sockets that epoll watches, and a time. */
struct multi {
    CURLM *curl;
    int epoll, wake;
    /* When libcurl wants to be called, in milliseconds of the monotonic clock; -1 when it does not. */
    int64_t due;
    /* Transfers that run, and when all of them are looked at next. */
    int running;
    int64_t all;
};

static int64_t milliseconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* libcurl says what it waits for at a socket. Where that cannot be watched, its transfer times out. */
static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *each) {
    (void)easy;
    (void)each;
    struct multi *m = context;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(m->epoll, EPOLL_CTL_DEL, socket, NULL);
        return 0;
    }
    struct epoll_event event = {.data.fd = socket};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (epoll_ctl(m->epoll, EPOLL_CTL_ADD, socket, &event) != 0 && errno == EEXIST)
        epoll_ctl(m->epoll, EPOLL_CTL_MOD, socket, &event);
    return 0;
}

/* libcurl says when it wants to be called. It must not be called from here. */
static int note_time(CURLM *curl, long milliseconds, void *context) {
    (void)curl;
    ((struct multi *)context)->due = milliseconds < 0 ? -1 : milliseconds_now() + milliseconds;
    return 0;
}

static int begin_watching(struct multi *m) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = m->wake};
    if (m->epoll < 0 || m->wake < 0) return -1;
    if (epoll_ctl(m->epoll, EPOLL_CTL_ADD, m->wake, &event) != 0) return -1;
    if (!(m->curl = curl.multi_init())) return -1;
    curl.multi_setopt(m->curl, CURLMOPT_SOCKETFUNCTION, watch);
    curl.multi_setopt(m->curl, CURLMOPT_SOCKETDATA, m);
    curl.multi_setopt(m->curl, CURLMOPT_TIMERFUNCTION, note_time);
    curl.multi_setopt(m->curl, CURLMOPT_TIMERDATA, m);
    return 0;
}

void *frontdesk_multi_make(void) {
    struct multi *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->epoll = epoll_create1(EPOLL_CLOEXEC);
    m->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    m->due = -1;
    if (begin_watching(m) == 0) return m;
    frontdesk_multi_free(m);
    return NULL;
}
void frontdesk_multi_free(void *multi) {
    struct multi *m = multi;
    /* It closes connections, and says so to the functions above. */
    if (m->curl) curl.multi_cleanup(m->curl);
    if (m->epoll >= 0) close(m->epoll);
    if (m->wake >= 0) close(m->wake);
    free(m);
}
CURLMcode frontdesk_multi_set_long(void *multi, CURLMoption option, long value) {
    return curl.multi_setopt(((struct multi *)multi)->curl, option, value);
}
CURLMcode frontdesk_multi_add(void *multi, CURL *c) {
    return curl.multi_add_handle(((struct multi *)multi)->curl, c);
}
CURLMcode frontdesk_multi_remove(void *multi, CURL *c) {
    return curl.multi_remove_handle(((struct multi *)multi)->curl, c);
}
void frontdesk_multi_wake(void *multi) {
    uint64_t one = 1;
    /* It fails only where the thread is woken already. */
    ssize_t ignored = write(((struct multi *)multi)->wake, &one, sizeof one);
    (void)ignored;
}

/* Has libcurl look at a socket. What an error is, reading and writing say. */
static void act(struct multi *m, const struct epoll_event *event) {
    int what = 0;
    if (event->events & (EPOLLIN | EPOLLERR | EPOLLHUP)) what |= CURL_CSELECT_IN;
    if (event->events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) what |= CURL_CSELECT_OUT;
    curl.multi_socket_action(m->curl, event->data.fd, what, &m->running);
}

void frontdesk_multi_run(void *multi, int milliseconds) {
    struct multi *m = multi;
    struct epoll_event events[MOST_EVENTS];
    int64_t wait = milliseconds;
    if (m->due >= 0) {
        int64_t left = m->due - milliseconds_now();
        if (left < wait) wait = left > 0 ? left : 0;
    }
    if (m->running > 0) {
        int64_t left = m->all - milliseconds_now();
        if (left < wait) wait = left > 0 ? left : 0;
    }
    int count = epoll_wait(m->epoll, events, MOST_EVENTS, (int)wait);
    for (int each = 0; each < count; each++) {
        if (events[each].data.fd == m->wake) {
            uint64_t wakes;
            ssize_t ignored = read(m->wake, &wakes, sizeof wakes);
            (void)ignored;
        } else {
            act(m, &events[each]);
        }
    }
    if (m->due >= 0 && m->due <= milliseconds_now()) {
        m->due = -1;
        curl.multi_socket_action(m->curl, CURL_SOCKET_TIMEOUT, 0, &m->running);
    }
    if (m->running > 0 && m->all <= milliseconds_now()) {
        curl.multi_socket_all(m->curl, &m->running);
        m->all = milliseconds_now() + LOOK_AT_ALL;
    }
}

CURL *frontdesk_multi_next_done(void *multi, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(((struct multi *)multi)->curl, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
