/* What Linux has and Swift's Glibc module does not show, or shows only through unions and casts. */
#ifndef FRONTDESK_CLINUX_H
#define FRONTDESK_CLINUX_H
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

/* Hidden without _GNU_SOURCE, which would give types another shape than other C modules see. */
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

/* Adds a descriptor, edge-triggered, for reading, writing and hang-up; 0 or an errno. */
static inline int frontdesk_epoll_add(int epoll, int fd, uint64_t tag) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.u64 = tag;
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

/* A listening socket on a numeric address, or minus an errno; with a backlog of 0 it is bound and does not listen. */
static inline int frontdesk_listen(const char *host, uint16_t port, int backlog) {
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    memset(&v4, 0, sizeof v4);
    memset(&v6, 0, sizeof v6);
    int is_v6 = 0, on = 1, off = 0;
    if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(port);
    } else if (inet_pton(AF_INET6, host, &v6.sin6_addr) == 1) {
        is_v6 = 1;
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(port);
    } else {
        return -EINVAL;
    }
    int fd = socket(is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (is_v6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    int bound = is_v6 ? bind(fd, (struct sockaddr *)&v6, sizeof v6)
                      : bind(fd, (struct sockaddr *)&v4, sizeof v4);
    if (bound != 0 || (backlog > 0 && listen(fd, backlog) != 0)) {
        int reason = errno;
        close(fd);
        return -reason;
    }
    return fd;
}

/* The port a socket is bound to; 0 when it is none. */
static inline uint16_t frontdesk_bound_port(int fd) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return 0;
    if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

/* Accepts one connection, non-blocking, and writes its peer's address as text (at least 46 bytes).
   The descriptor, or minus an errno; loopback is set to 0 or 1. */
static inline int frontdesk_accept(int listener, char *text, size_t room, int *loopback) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    int on = 1;
    int fd = accept4(listener, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return -errno;
    text[0] = 0;
    *loopback = 0;
    if (address.ss_family == AF_INET) {
        const unsigned char *b =
            (const unsigned char *)&((struct sockaddr_in *)&address)->sin_addr;
        inet_ntop(AF_INET, b, text, (socklen_t)room);
        *loopback = b[0] == 127;
    } else if (address.ss_family == AF_INET6) {
        const struct in6_addr *a = &((struct sockaddr_in6 *)&address)->sin6_addr;
        if (IN6_IS_ADDR_V4MAPPED(a)) {
            inet_ntop(AF_INET, a->s6_addr + 12, text, (socklen_t)room);
            *loopback = a->s6_addr[12] == 127;
        } else {
            inet_ntop(AF_INET6, a, text, (socklen_t)room);
            *loopback = IN6_IS_ADDR_LOOPBACK(a);
        }
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}
#endif
