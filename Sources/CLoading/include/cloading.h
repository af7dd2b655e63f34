/* Libraries that are loaded when they are first needed, by the targets that compile against their headers
   and link nothing of them. */
#ifndef FRONTDESK_CLOADING_H
#define FRONTDESK_CLOADING_H
#include <pthread.h>
#include <stddef.h>

/* One library, and what is used of it. */
struct frontdesk_library {
    /* The functions' names, and where their addresses are kept in this order, as in an array. */
    const char *const *names;
    size_t count;
    void *functions;
    /* Begins the library with the functions found, before threads share them; 0 when that is done, else
       the reason is written to `fault`. NULL where there is nothing to do. */
    int (*begin)(const void *found, const char *library, char *fault, size_t room);
    pthread_mutex_t lock;
    int is_loaded;
};

/* Most functions of a library that are used. */
#define FRONTDESK_LIBRARY_FUNCTIONS 64

/* Loads a library by its file's name or path; 0 when that is done, or was done before. Otherwise what is
   missing is written to `fault`, of `room` bytes, and nothing is kept: the next call tries again. The first
   one that is loaded stays. Safe to call from several threads; the functions are written once, before
   anybody who could use them has a 0. */
int frontdesk_load(struct frontdesk_library *kept, const char *library, char *fault, size_t room);

#endif
