/* The address at which the board server listens: one of this machine's. */
#ifndef STIGMERGY_TOOLS_SERVE_ADDRESS_H
#define STIGMERGY_TOOLS_SERVE_ADDRESS_H

#include "engine/base/error.h"

#include <netdb.h>
#include <stdbool.h>

/* The addresses of a name, and the first of them that is one of this machine. */
typedef struct WebAddress {
    const char *name;           /* as it was asked for */
    struct addrinfo *list;      /* owned */
    const struct addrinfo *own; /* in the list */
} WebAddress;

/* Looks up a name or a numeric address, which must outlive the result (NULL: loopback). Free it with web_address_free.
 * False with an error that names --bind if it is none of this machine; then there is nothing to free. */
bool web_address_find(const char *name, int port, WebAddress *address, Error *error);
void web_address_free(WebAddress *address);

/* Whether no other machine can reach it. */
bool web_address_is_loopback(const WebAddress *address);

/* Writes "http://127.0.0.1:8642/", or with a token that is not empty "http://192.168.1.5:8642/TOKEN/". */
void web_address_write(const WebAddress *address, int port, const char *token, char *url, size_t size);

#endif
