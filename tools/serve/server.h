/* The board server: HTTP (libmicrohttpd) around api.h and the files of the page, which are part of the binary.
 *
 * Each connection has a thread, and the number of connections is limited. The server opens no file. It refuses requests
 * with a foreign Host or Origin (guard.h), large bodies, and clients that ask too often (clients.h). If other machines
 * can reach it, everything is behind a token: http://192.168.1.5:8642/TOKEN/. */
#ifndef STIGMERGY_TOOLS_SERVE_SERVER_H
#define STIGMERGY_TOOLS_SERVE_SERVER_H

#include "selfplay/analysis/query.h"
#include "tools/serve/book.h"

typedef struct WebServerOptions {
    const char *bind;    /* an address or a name; NULL: loopback */
    int port;            /* 0: any free port */
    const char *token;   /* of the address; NULL: a new one where other machines can reach the server, else none */
    int unread;          /* seconds after which a stream ends of which nothing is taken; 0: 10 */
    const WebBook *book; /* outlives the server; NULL: none */
} WebServerOptions;

typedef struct WebServer WebServer;

/* Whether `bind` (NULL: loopback) is an address of this machine, or the name of one. False with an error that names
 * --bind. */
bool web_server_can_bind(const char *bind, Error *error);

/* Starts to serve. `analysis` and `defaults` must outlive the server. NULL with an error if it cannot listen there. */
WebServer *web_server_new(const WebServerOptions *options, Analysis *analysis, const QueryDefaults *defaults,
                          Error *error);

/* Stops all searches, then the server. */
void web_server_free(WebServer *server);

/* The address for a browser: "http://127.0.0.1:8642/". Other machines' address has the token in it. */
const char *web_server_address(const WebServer *server);

#endif
