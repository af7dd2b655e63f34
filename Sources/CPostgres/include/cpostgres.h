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

/* Connects and waits until that is done or has failed; NULL without memory. */
PGconn *frontdesk_pq_connect(const char *address);
void frontdesk_pq_finish(PGconn *connection);
int frontdesk_pq_is_connected(const PGconn *connection);
/* What the last failure was, for the log of a connection that could not be made. */
const char *frontdesk_pq_fault(const PGconn *connection);

/* Runs statements without parameters; several may follow each other. */
PGresult *frontdesk_pq_execute(PGconn *connection, const char *sql);
PGresult *frontdesk_pq_prepare(PGconn *connection, const char *name, const char *sql);
/* Runs a prepared statement; a format of 1 is binary, of 0 text, and results are binary. */
PGresult *frontdesk_pq_run(PGconn *connection, const char *name, int count,
                           const char *const *values, const int *lengths, const int *formats);

/* Whether a result is of a command or of rows, and no failure. */
int frontdesk_pq_is_good(const PGresult *result);
/* The failure's code of five letters; NULL when the server gave none. */
const char *frontdesk_pq_state(const PGresult *result);
int frontdesk_pq_rows(const PGresult *result);
/* How many rows a command changed, as text; empty when it is none that changes rows. */
const char *frontdesk_pq_changed(PGresult *result);
int frontdesk_pq_is_null(const PGresult *result, int row, int column);
int frontdesk_pq_length(const PGresult *result, int row, int column);
const char *frontdesk_pq_value(const PGresult *result, int row, int column);
unsigned frontdesk_pq_type(const PGresult *result, int column);
void frontdesk_pq_clear(PGresult *result);
#endif
