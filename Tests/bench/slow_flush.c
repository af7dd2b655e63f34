/* Loaded before a program's libraries: every flush lasts FLUSH_MICROSECONDS longer, as on a slower disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_longer(void) {
    const char *text = getenv("FLUSH_MICROSECONDS");
    long microseconds = text ? atol(text) : 0;
    struct timespec span = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&span, NULL);
}

static int flush(const char *name, int file) {
    int (*plain)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int done = plain(file);
    if (done == 0) wait_longer();
    return done;
}

int fsync(int file) { return flush("fsync", file); }
int fdatasync(int file) { return flush("fdatasync", file); }
