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

/* SQLITE_STATIC: the bytes stay where they are until the statement is reset. */
static inline int frontdesk_lend_text(sqlite3_stmt *s, int place, const char *text, int count) {
    return sqlite3_bind_text(s, place, text, count, SQLITE_STATIC);
}

static inline int frontdesk_lend_blob(sqlite3_stmt *s, int place, const void *bytes, int count) {
    return sqlite3_bind_blob(s, place, bytes, count, SQLITE_STATIC);
}

/* Variadic in C. Without memory accounting SQLite needs no lock for each allocation. Pages are
   allocated as they are read: else each of a dozen connections, and each table made for one query, would
   begin with 20 of them, 87 KB, of which an idle one needs three. Pages that a statement or a savepoint
   can undo go to a file from 31 of 4 KiB on. What was kept until then is written at once, and SQLite 3.40
   fails to write 128 KiB or more at a time: it calls the disk full then. */
static inline int frontdesk_configure_memory(void) {
    int code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
    return code != SQLITE_OK ? code : sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, 31 * 4096);
}

/* Writes the number of pages in the write-ahead log to `pages` after each commit. */
static inline int frontdesk_note_pages(void *pages, sqlite3 *db, const char *name, int count) {
    (void)db;
    (void)name;
    *(int *)pages = count;
    return SQLITE_OK;
}

static inline void frontdesk_follow_log(sqlite3 *db, int *pages) {
    sqlite3_wal_hook(db, frontdesk_note_pages, pages);
}

/* Variadic in C. Triggers run no more on this connection; the database keeps them. */
static inline int frontdesk_disable_triggers(sqlite3 *db) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}
#endif
