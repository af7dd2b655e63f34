#ifndef FRONTDESK_CSQLITE_H
#define FRONTDESK_CSQLITE_H
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the bytes at once. */
static inline int frontdesk_bind_text(sqlite3_stmt *s, int place, const char *text, int count) {
    return sqlite3_bind_text(s, place, text ? text : "", count, SQLITE_TRANSIENT);
}

static inline int frontdesk_bind_blob(sqlite3_stmt *s, int place, const void *bytes, int count) {
    return count ? sqlite3_bind_blob(s, place, bytes, count, SQLITE_TRANSIENT)
                 : sqlite3_bind_zeroblob(s, place, 0);
}
#endif
