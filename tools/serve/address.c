/* See address.h. */
#include "tools/serve/address.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char loopback[] = "127.0.0.1";

/* *reason becomes the errno of a socket that could not be made. */
static bool is_own(const struct addrinfo *info, int *reason) {
    const int probe = socket(info->ai_family, info->ai_socktype, info->ai_protocol);
    if (probe < 0) {
        *reason = errno;
        return false;
    }
    const bool own = bind(probe, info->ai_addr, info->ai_addrlen) == 0 || errno != EADDRNOTAVAIL;
    close(probe);
    return own;
}

bool web_address_find(const char *name, int port, WebAddress *address, Error *error) {
    char service[12];
    if (!name)
        name = loopback;
    *address = (WebAddress){.name = name};
    snprintf(service, sizeof service, "%d", port);
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    int reason = 0;
    const int status = getaddrinfo(name, service, &wanted, &address->list);
    for (const struct addrinfo *info = status ? NULL : address->list; info && !address->own; info = info->ai_next)
        if (is_own(info, &reason))
            address->own = info;
    if (address->own)
        return true;
    if (!status)
        freeaddrinfo(address->list);
    if (status == EAI_MEMORY)
        return error_set(error, "--bind: '%.100s': out of memory to look it up", name);
    if (reason && reason != EAFNOSUPPORT)
        return error_set(error, "cannot make a socket: %s", strerror(reason));
    return error_set(error, "--bind: '%.100s' is no address of this machine%s%s, expected one as 127.0.0.1 or 0.0.0.0",
                     name, status ? ": " : "", status ? gai_strerror(status) : "");
}

void web_address_free(WebAddress *address) {
    freeaddrinfo(address->list);
}

bool web_address_is_loopback(const WebAddress *address) {
    const struct sockaddr *own = address->own->ai_addr;
    if (own->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)own)->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)own)->sin6_addr);
}

void web_address_write(const WebAddress *address, int port, const char *token, char *url, size_t size) {
    char name[128] = "127.0.0.1";
    getnameinfo(address->own->ai_addr, address->own->ai_addrlen, name, sizeof name, NULL, 0, NI_NUMERICHOST);
    const bool ipv6 = address->own->ai_family == AF_INET6;
    snprintf(url, size, ipv6 ? "http://[%s]:%d/%s%s" : "http://%s:%d/%s%s", name, port, token, token[0] ? "/" : "");
}
