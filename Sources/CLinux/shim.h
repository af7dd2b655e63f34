/* What Linux has and Swift's Glibc module does not show. */
#ifndef FRONTDESK_CLINUX_H
#define FRONTDESK_CLINUX_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

/* accept4 is hidden without _GNU_SOURCE, which Swift's own import of sys/socket.h does not set. */
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
#endif
