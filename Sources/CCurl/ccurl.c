#include "ccurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

/* What is used of libcurl. */
#define FUNCTIONS(X)                                                                               \
    X(global_init) X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_pause) X(easy_strerror)      \
    X(slist_append) X(slist_free_all) X(multi_init) X(multi_cleanup) X(multi_setopt)               \
    X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_poll) X(multi_wakeup)      \
    X(multi_info_read)

struct functions {
#define POINTER(name) __typeof__(curl_##name) *name;
    FUNCTIONS(POINTER)
};

/* Written once, under the lock, before anybody who could use it has its 0. */
static struct functions curl;
static int is_loaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Finds every function; NULL, or the name of the first that is missing. */
static const char *find(void *library, struct functions *found) {
#define FIND(name)                                                                                 \
    if (!(found->name = (__typeof__(curl_##name) *)dlsym(library, "curl_" #name)))                 \
        return "curl_" #name;
    FUNCTIONS(FIND)
    return NULL;
}

/* One try, under the lock: curl_global_init is safe beside other threads in new versions only. */
static int load(const char *library, char *fault, size_t room) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *said = dlerror();
        snprintf(fault, room, "%s cannot be loaded (%s)", library, said ? said : "no reason given");
        return -1;
    }
    struct functions found;
    const char *missing = find(handle, &found);
    CURLcode code = CURLE_OK;
    if (missing) {
        snprintf(fault, room, "%s has no %s", library, missing);
    } else if (!is_loaded && (code = found.global_init(CURL_GLOBAL_DEFAULT)) != CURLE_OK) {
        snprintf(fault, room, "%s cannot be started (%s)", library, found.easy_strerror(code));
    } else if (!is_loaded) {
        curl = found;
        is_loaded = 1;
        return 0;
    }
    dlclose(handle);
    return missing || code != CURLE_OK ? -1 : 0;
}

int frontdesk_curl_load(const char *library, char *fault, size_t room) {
    pthread_mutex_lock(&lock);
    int result = load(library, fault, room);
    pthread_mutex_unlock(&lock);
    return result;
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

CURLM *frontdesk_multi_make(void) { return curl.multi_init(); }
CURLMcode frontdesk_multi_free(CURLM *m) { return curl.multi_cleanup(m); }
CURLMcode frontdesk_multi_set_long(CURLM *m, CURLMoption option, long value) {
    return curl.multi_setopt(m, option, value);
}
CURLMcode frontdesk_multi_add(CURLM *m, CURL *c) { return curl.multi_add_handle(m, c); }
CURLMcode frontdesk_multi_remove(CURLM *m, CURL *c) { return curl.multi_remove_handle(m, c); }
CURLMcode frontdesk_multi_perform(CURLM *m, int *running) {
    return curl.multi_perform(m, running);
}
CURLMcode frontdesk_multi_sleep(CURLM *m, int milliseconds) {
    return curl.multi_poll(m, NULL, 0, milliseconds, NULL);
}
CURLMcode frontdesk_multi_wake(CURLM *m) { return curl.multi_wakeup(m); }

CURL *frontdesk_multi_next_done(CURLM *m, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(m, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
