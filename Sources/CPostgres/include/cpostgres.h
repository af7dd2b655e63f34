/* libpq as Debian ships it, loaded when it is first needed. The types are those of its header, which
   the functions here are checked against; none of its own functions is linked. */
#ifndef FRONTDESK_CPOSTGRES_H
#define FRONTDESK_CPOSTGRES_H
#include <postgresql/libpq-fe.h>
#include <stddef.h>

/* Where the library is found by the system's own rules. */
#define FRONTDESK_PQ_LIBRARY "libpq.so.5"

/* Loads a library of libpq's functions; 0 when that is done, or was done before. Otherwise what is
   missing is written to `fault`, of `room` bytes, and nothing is kept: the next call tries again. The
   first one that is loaded stays. Safe to call from several threads; every other function here needs
   a 0 from it first. */
int frontdesk_pq_load(const char *library, char *fault, size_t room);

/* Whether libpq reads an address as it was meant. Where it does not, what libpq says of it may hold
   parts of a password. */
int frontdesk_pq_can_read(const char *address);
/* Connects and waits until that is done or has failed; NULL without memory. Where the address says
   nothing else, it waits 5 s, and notices within some 3 s that the server is gone. */
PGconn *frontdesk_pq_connect(const char *address);
void frontdesk_pq_finish(PGconn *connection);
int frontdesk_pq_is_connected(const PGconn *connection);
/* What the last failure was, for the log of a connection that could not be made. */
const char *frontdesk_pq_fault(const PGconn *connection);
/* The server's version, such as 150003 for 15.3; 0 without a connection. */
int frontdesk_pq_version(const PGconn *connection);
/* From now on adds 1 to `count` with each warning (class 01) that the server sends, within the calls
   that read from it; `count` outlives the connection. Without this call libpq prints them. */
void frontdesk_pq_count_warnings(PGconn *connection, long *count);

/* Runs statements without parameters; several may follow each other. */
PGresult *frontdesk_pq_execute(PGconn *connection, const char *sql);
/* Sends such statements, whose results come later. */
int frontdesk_pq_send_statements(PGconn *connection, const char *sql);
PGresult *frontdesk_pq_prepare(PGconn *connection, const char *name, const char *sql);
/* Runs a prepared statement; a format of 1 is binary, of 0 text, and results are binary. */
PGresult *frontdesk_pq_run(PGconn *connection, const char *name, int count,
                           const char *const *values, const int *lengths, const int *formats);

/* Whether a result is of a command or of rows, and no failure. */
int frontdesk_pq_is_good(const PGresult *result);
/* The failure's code of five letters; NULL when the server gave none. */
const char *frontdesk_pq_state(const PGresult *result);
int frontdesk_pq_rows(const PGresult *result);
int frontdesk_pq_columns(const PGresult *result);
/* How many rows a command changed, as text; empty when it is none that changes rows. */
const char *frontdesk_pq_changed(PGresult *result);
int frontdesk_pq_is_null(const PGresult *result, int row, int column);
int frontdesk_pq_length(const PGresult *result, int row, int column);
const char *frontdesk_pq_value(const PGresult *result, int row, int column);
unsigned frontdesk_pq_type(const PGresult *result, int column);
void frontdesk_pq_clear(PGresult *result);

/* Has sending never wait; 1 when that is so. */
int frontdesk_pq_set_nonblocking(PGconn *connection, int is_on);
/* Sends what is queued: 0 when all went, 1 when some is left, -1 on failure. */
int frontdesk_pq_flush(PGconn *connection);
/* The connection's descriptor, for poll(); -1 without one. */
int frontdesk_pq_socket(const PGconn *connection);
/* Reads what has come, without waiting; 0 on failure. */
int frontdesk_pq_consume(PGconn *connection);
/* Whether `frontdesk_pq_next` would wait. */
int frontdesk_pq_is_busy(PGconn *connection);

/* Statements that are sent without waiting for the ones before (libpq's pipeline mode); 1 when done. */
int frontdesk_pq_enter_pipeline(PGconn *connection);
/* Only when every result has been read. */
int frontdesk_pq_exit_pipeline(PGconn *connection);
/* Ends a pipeline: a failure skips all up to here, and everything queued is sent. */
int frontdesk_pq_sync(PGconn *connection);
/* Asks the server to send the results until here, without ending the pipeline. */
int frontdesk_pq_request_flush(PGconn *connection);
int frontdesk_pq_send_prepare(PGconn *connection, const char *name, const char *sql);
/* Queues a prepared statement, as `frontdesk_pq_run` would run it. */
int frontdesk_pq_send(PGconn *connection, const char *name, int count, const char *const *values,
                      const int *lengths, const int *formats);
/* The next result, waiting for it; NULL after the last one of a statement, and none of a sync. */
PGresult *frontdesk_pq_next(PGconn *connection);
/* Whether a result is the end of a pipeline. */
int frontdesk_pq_is_sync(const PGresult *result);
/* Whether a statement was skipped because one before it in the pipeline failed. */
int frontdesk_pq_is_skipped(const PGresult *result);

/* The next notice that was read with other input (`consume`); NULL when there is none. */
PGnotify *frontdesk_pq_notice(PGconn *connection);
void frontdesk_pq_free_notice(PGnotify *notice);
const char *frontdesk_pq_channel(const PGnotify *notice);
const char *frontdesk_pq_payload(const PGnotify *notice);

/* Sends a statement whose parameters and results are text; NULL is a parameter's NULL. */
int frontdesk_pq_send_text(PGconn *connection, const char *sql, int count,
                           const char *const *values);

/* A descriptor by which one thread ends another one's `frontdesk_pq_wait`; -1 on failure. */
int frontdesk_pq_make_wake(void);
void frontdesk_pq_wake(int wake);
void frontdesk_pq_close_wake(int wake);
/* Waits for input, a wake or the time, and uses the wake up; a negative descriptor is left out. 0 on
   failure. */
int frontdesk_pq_wait(int socket, int wake, int milliseconds);
#endif
