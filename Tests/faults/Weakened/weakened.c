/* Removes one protection from beneath the store, so that a control can show what it protects from.
 *
 * Linked into frontdesk-weakened, a test executable of the release binary's objects and this one, which
 * stands between them and SQLite or the system. The release binary has no switch that does any of this.
 * FRONTDESK_REMOVE names the protection:
 *
 *   commit-first  after the first few, COMMIT is answered at once and put off: acknowledged before it
 *   full-sync     synchronous = FULL becomes synchronous = NORMAL: no flush with a commit
 *   flush-errors  fsync and fdatasync say that all is well when it is not
 *   full-errors   a write that the disk has no room for says that it was written
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Weakened.h"

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
extern int sqlite3_get_autocommit(sqlite3 *);
extern sqlite3 *sqlite3_db_handle(sqlite3_stmt *);
extern const char *sqlite3_sql(sqlite3_stmt *);

enum { DONE = 101, COMMITS_IN_TIME = 12 };

static int removes(const char *protection) {
    static const char *named;
    if (!named) {
        named = getenv("FRONTDESK_REMOVE");
        if (!named) named = "";
    }
    return strcmp(named, protection) == 0;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

int sqlite3_step(sqlite3_stmt *statement) {
    static int (*real)(sqlite3_stmt *);
    static int commits;
    if (!real) real = next("sqlite3_step");
    if (!removes("commit-first")) return real(statement);
    const char *sql = sqlite3_sql(statement);
    int is_open = !sqlite3_get_autocommit(sqlite3_db_handle(statement));
    if (sql && is_open && strcmp(sql, "BEGIN IMMEDIATE") == 0) return DONE;
    if (sql && strcmp(sql, "COMMIT") == 0 && ++commits > COMMITS_IN_TIME) return DONE;
    return real(statement);
}

int sqlite3_exec(sqlite3 *db, const char *sql, void *row, void *context, char **error) {
    static int (*real)(sqlite3 *, const char *, void *, void *, char **);
    if (!real) real = next("sqlite3_exec");
    const char *full = sql ? strstr(sql, "synchronous = FULL") : NULL;
    if (!full || !removes("full-sync")) return real(db, sql, row, context, error);
    char *weaker = malloc(strlen(sql) + 16);
    if (!weaker) return 7;
    size_t before = (size_t)(full - sql);
    memcpy(weaker, sql, before);
    strcpy(weaker + before, "synchronous = NORMAL");
    strcat(weaker, full + strlen("synchronous = FULL"));
    int code = real(db, weaker, row, context, error);
    free(weaker);
    return code;
}

int fsync(int descriptor) {
    static int (*real)(int);
    if (!real) real = next("fsync");
    int code = real(descriptor);
    return removes("flush-errors") ? 0 : code;
}

int fdatasync(int descriptor) {
    static int (*real)(int);
    if (!real) real = next("fdatasync");
    int code = real(descriptor);
    return removes("flush-errors") ? 0 : code;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = next("pwrite64");
    ssize_t written = real(descriptor, bytes, count, offset);
    if (removes("full-errors") && (written >= 0 ? (size_t)written < count : errno == ENOSPC))
        return (ssize_t)count;
    return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}
