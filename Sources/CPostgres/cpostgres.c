#include "cpostgres.h"

#include <cloading.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* What is used of libpq. */
#define FUNCTIONS(X)                                                                               \
    X(connectdbParams) X(conninfoParse) X(conninfoFree) X(finish) X(status) X(errorMessage)        \
    X(serverVersion) X(setNoticeReceiver) X(exec) X(prepare) X(execPrepared) X(resultStatus)       \
    X(resultErrorField) X(ntuples) X(nfields) X(cmdTuples) X(getisnull) X(getlength) X(getvalue)   \
    X(ftype) X(clear) X(setnonblocking) X(flush) X(socket) X(consumeInput) X(isBusy) X(notifies)   \
    X(freemem) X(enterPipelineMode) X(exitPipelineMode) X(pipelineSync) X(sendFlushRequest)        \
    X(sendPrepare) X(sendQueryPrepared) X(sendQueryParams) X(sendQuery) X(getResult)

struct functions {
#define POINTER(name) __typeof__(PQ##name) *name;
    FUNCTIONS(POINTER)
};

static struct functions pq;
#define NAME_OF(name) "PQ" #name,
static const char *const names[] = {FUNCTIONS(NAME_OF)};
_Static_assert(sizeof names == sizeof pq, "a name is missing, or a function");

static struct frontdesk_library libpq = {
    .names = names,
    .count = sizeof names / sizeof *names,
    .functions = &pq,
    .lock = PTHREAD_MUTEX_INITIALIZER};

int frontdesk_pq_load(const char *library, char *fault, size_t room) {
    return frontdesk_load(&libpq, library, fault, room);
}

/* What holds where an address gives no value of its own: a server that is gone without a word is
   noticed within some 3 s, and no attempt waits for ever. */
#define DEFAULTS(X)                                                                                \
    X("application_name", "frontdesk") X("connect_timeout", "5") X("tcp_user_timeout", "3000")     \
    X("keepalives_idle", "1") X("keepalives_interval", "1") X("keepalives_count", "3")

PGconn *frontdesk_pq_connect(const char *address) {
    /* The last one counts, so what the address says goes before what came earlier. */
#define NAME(name, value) name,
#define VALUE(name, value) value,
    const char *const names[] = {DEFAULTS(NAME) "dbname", NULL};
    const char *const values[] = {DEFAULTS(VALUE) address, NULL};
    return pq.connectdbParams(names, values, 1);
}

/* Whether a value that was read from an address has nothing in it that a misread password leaves. */
static int is_plain(const PQconninfoOption *option) {
    if (!option->val) return 1;
    if (!strcmp(option->keyword, "host"))
        return option->val[0] == '/' || !strpbrk(option->val, "@?#");
    if (!strcmp(option->keyword, "port"))
        return strspn(option->val, "0123456789,") == strlen(option->val);
    return 1;
}

int frontdesk_pq_can_read(const char *address) {
    char *fault = NULL;
    PQconninfoOption *options = pq.conninfoParse(address, &fault);
    if (fault) pq.freemem(fault);
    if (!options) return 0;
    int result = 1;
    for (const PQconninfoOption *option = options; option->keyword; option++)
        if (!is_plain(option)) result = 0;
    pq.conninfoFree(options);
    return result;
}
void frontdesk_pq_finish(PGconn *connection) { pq.finish(connection); }
int frontdesk_pq_is_connected(const PGconn *connection) {
    return connection && pq.status(connection) == CONNECTION_OK;
}
const char *frontdesk_pq_fault(const PGconn *connection) { return pq.errorMessage(connection); }
int frontdesk_pq_version(const PGconn *connection) { return pq.serverVersion(connection); }

/* Counts a warning; everything else the server says beside results is dropped. */
static void count_warning(void *count, const PGresult *notice) {
    const char *state = pq.resultErrorField(notice, PG_DIAG_SQLSTATE);
    if (state && state[0] == '0' && state[1] == '1') *(long *)count += 1;
}
void frontdesk_pq_count_warnings(PGconn *connection, long *count) {
    pq.setNoticeReceiver(connection, count_warning, count);
}

PGresult *frontdesk_pq_execute(PGconn *connection, const char *sql) {
    return pq.exec(connection, sql);
}
int frontdesk_pq_send_statements(PGconn *connection, const char *sql) {
    return pq.sendQuery(connection, sql);
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
int frontdesk_pq_columns(const PGresult *result) { return pq.nfields(result); }
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

int frontdesk_pq_set_nonblocking(PGconn *connection, int is_on) {
    return pq.setnonblocking(connection, is_on) == 0;
}
int frontdesk_pq_flush(PGconn *connection) { return pq.flush(connection); }
int frontdesk_pq_socket(const PGconn *connection) { return pq.socket(connection); }
int frontdesk_pq_consume(PGconn *connection) { return pq.consumeInput(connection); }
int frontdesk_pq_is_busy(PGconn *connection) { return pq.isBusy(connection); }

int frontdesk_pq_enter_pipeline(PGconn *connection) { return pq.enterPipelineMode(connection); }
int frontdesk_pq_exit_pipeline(PGconn *connection) { return pq.exitPipelineMode(connection); }
int frontdesk_pq_sync(PGconn *connection) { return pq.pipelineSync(connection); }
int frontdesk_pq_request_flush(PGconn *connection) { return pq.sendFlushRequest(connection); }
int frontdesk_pq_send_prepare(PGconn *connection, const char *name, const char *sql) {
    return pq.sendPrepare(connection, name, sql, 0, NULL);
}
int frontdesk_pq_send(PGconn *connection, const char *name, int count, const char *const *values,
                      const int *lengths, const int *formats) {
    return pq.sendQueryPrepared(connection, name, count, values, lengths, formats, 1);
}
PGresult *frontdesk_pq_next(PGconn *connection) { return pq.getResult(connection); }
int frontdesk_pq_is_sync(const PGresult *result) {
    return result && pq.resultStatus(result) == PGRES_PIPELINE_SYNC;
}
int frontdesk_pq_is_skipped(const PGresult *result) {
    return result && pq.resultStatus(result) == PGRES_PIPELINE_ABORTED;
}

PGnotify *frontdesk_pq_notice(PGconn *connection) { return pq.notifies(connection); }
void frontdesk_pq_free_notice(PGnotify *notice) { pq.freemem(notice); }
const char *frontdesk_pq_channel(const PGnotify *notice) { return notice->relname; }
const char *frontdesk_pq_payload(const PGnotify *notice) { return notice->extra; }

int frontdesk_pq_send_text(PGconn *connection, const char *sql, int count,
                           const char *const *values) {
    return pq.sendQueryParams(connection, sql, count, NULL, values, NULL, NULL, 0);
}

int frontdesk_pq_make_wake(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
void frontdesk_pq_wake(int wake) {
    uint64_t one = 1;
    /* It fails only when the count is full, and then the reader is woken anyway. */
    ssize_t sent = write(wake, &one, sizeof one);
    (void)sent;
}
void frontdesk_pq_close_wake(int wake) { close(wake); }

int frontdesk_pq_wait(int socket, int wake, int milliseconds) {
    struct pollfd both[] = {{.fd = socket, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
    if (poll(both, 2, milliseconds) < 0) return errno == EINTR;
    if (both[1].revents) {
        uint64_t count;
        ssize_t got = read(wake, &count, sizeof count);
        (void)got;
    }
    return 1;
}
