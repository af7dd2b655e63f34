#include "cpostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

/* What is used of libpq. */
#define FUNCTIONS(X)                                                                               \
    X(connectdb) X(finish) X(status) X(errorMessage) X(exec) X(prepare) X(execPrepared)            \
    X(resultStatus) X(resultErrorField) X(ntuples) X(cmdTuples) X(getisnull) X(getlength)          \
    X(getvalue) X(ftype) X(clear)

struct functions {
#define POINTER(name) __typeof__(PQ##name) *name;
    FUNCTIONS(POINTER)
};

/* Written once, under the lock, before anybody who could use it has its 0. */
static struct functions pq;
static int is_loaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Finds every function; NULL, or the name of the first that is missing. */
static const char *find(void *library, struct functions *found) {
#define FIND(name)                                                                                 \
    if (!(found->name = (__typeof__(PQ##name) *)dlsym(library, "PQ" #name))) return "PQ" #name;
    FUNCTIONS(FIND)
    return NULL;
}

/* One try, under the lock. */
static int load(const char *library, char *fault, size_t room) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *said = dlerror();
        snprintf(fault, room, "%s cannot be loaded (%s); Debian's package is libpq5", library,
                 said ? said : "no reason given");
        return -1;
    }
    struct functions found;
    const char *missing = find(handle, &found);
    if (missing) {
        snprintf(fault, room, "%s has no %s", library, missing);
    } else if (!is_loaded) {
        pq = found;
        is_loaded = 1;
        return 0;
    }
    dlclose(handle);
    return missing ? -1 : 0;
}

int frontdesk_pq_load(const char *library, char *fault, size_t room) {
    pthread_mutex_lock(&lock);
    int result = load(library, fault, room);
    pthread_mutex_unlock(&lock);
    return result;
}

PGconn *frontdesk_pq_connect(const char *address) { return pq.connectdb(address); }
void frontdesk_pq_finish(PGconn *connection) { pq.finish(connection); }
int frontdesk_pq_is_connected(const PGconn *connection) {
    return connection && pq.status(connection) == CONNECTION_OK;
}
const char *frontdesk_pq_fault(const PGconn *connection) { return pq.errorMessage(connection); }

PGresult *frontdesk_pq_execute(PGconn *connection, const char *sql) {
    return pq.exec(connection, sql);
}
PGresult *frontdesk_pq_prepare(PGconn *connection, const char *name, const char *sql) {
    return pq.prepare(connection, name, sql, 0, NULL);
}
PGresult *frontdesk_pq_run(PGconn *connection, const char *name, int count,
                           const char *const *values, const int *lengths, const int *formats) {
    return pq.execPrepared(connection, name, count, values, lengths, formats, 1);
}

int frontdesk_pq_is_good(const PGresult *result) {
    ExecStatusType status = result ? pq.resultStatus(result) : PGRES_FATAL_ERROR;
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}
const char *frontdesk_pq_state(const PGresult *result) {
    return result ? pq.resultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
}
int frontdesk_pq_rows(const PGresult *result) { return pq.ntuples(result); }
const char *frontdesk_pq_changed(PGresult *result) { return pq.cmdTuples(result); }
int frontdesk_pq_is_null(const PGresult *result, int row, int column) {
    return pq.getisnull(result, row, column);
}
int frontdesk_pq_length(const PGresult *result, int row, int column) {
    return pq.getlength(result, row, column);
}
const char *frontdesk_pq_value(const PGresult *result, int row, int column) {
    return pq.getvalue(result, row, column);
}
unsigned frontdesk_pq_type(const PGresult *result, int column) {
    return pq.ftype(result, column);
}
void frontdesk_pq_clear(PGresult *result) { pq.clear(result); }
