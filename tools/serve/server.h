/* The board server: HTTP (libmicrohttpd) around api.h and the page's files, which are part of the binary.
 *
 * A thread a connection, of which there is a bounded number. No path of the disk is ever opened. Requests of a foreign
 * Host or Origin are refused (guard.h), as are bodies that are too large and clients that ask too often. */
#ifndef STIGMERGY_TOOLS_SERVE_SERVER_H
#define STIGMERGY_TOOLS_SERVE_SERVER_H

#include "selfplay/analysis/query.h"

typedef struct WebServerOptions {
    const char *bind; /* an address or a name; NULL: loopback */
    int port;         /* 0: any that is free */
} WebServerOptions;

typedef struct WebServer WebServer;

/* Whether `bind` (NULL: loopback) is an address of this machine, or a name of one; an error that names --bind else. */
bool web_server_can_bind(const char *bind, Error *error);

/* Starts to serve; `analysis` and `defaults` must outlive the server. NULL with an error where the address cannot be
 * had. */
WebServer *web_server_new(const WebServerOptions *options, Analysis *analysis, const QueryDefaults *defaults,
                          Error *error);

/* Stops all searches and the server. */
void web_server_free(WebServer *server);

/* Where it can be reached, as "http://127.0.0.1:8642/". */
const char *web_server_address(const WebServer *server);

#endif
