/* The clients of the board server: which connections are open, and what each client may do.
 *
 * A client is an address (of IPv6 the first half, which is one household's). Each has limits of its own, so that nobody
 * uses up what others need: requests and searches in a second, and searches that are open at the same time. All
 * together have a limit for the positions that they look at; moves do not count there, because they end soon. Of these
 * places a client gets another one only while more are free than it has: alone it could have half of them, and what it
 * leaves is shared in the same way. (CLIENT_ANALYSES_MAX is below that.) So four clients together do not lock out a
 * fifth.
 *
 * The number of connections is limited too. When all places are taken, a new connection gets the place of one that
 * waits for nothing: of those of the client with the most connections, the one that has been silent for the longest
 * time. So connections that are silent, or slow to say what they want, lock nobody out. */
#ifndef STIGMERGY_TOOLS_SERVE_CLIENTS_H
#define STIGMERGY_TOOLS_SERVE_CLIENTS_H

#include "engine/base/error.h"

#include <stdbool.h>
#include <sys/socket.h>

enum {
    CONNECTIONS_MAX = 64,     /* places for connections, where enough files may be open */
    CLIENT_SEARCHES_MAX = 10, /* open at once, with moves */
    CLIENT_ANALYSES_MAX = 8,  /* those that are no moves, so that two are left for moves: seven tabs that analyse have
                                 eight, one of them in the background */
    ANALYSES_MAX = 24,        /* searches other than moves, of all clients */

    /* A second, and at once: far more than a page needs. Only a client that runs wild meets these limits. */
    CLIENT_REQUESTS_RATE = 2000,
    CLIENT_REQUESTS_BURST = 10000,
    CLIENT_SEARCHES_RATE = 20,
    CLIENT_SEARCHES_BURST = 200
};

typedef struct Clients Clients;
typedef struct Client Client;
typedef struct ClientConnection ClientConnection;

/* Clients with this many places for connections. NULL without memory. */
Clients *clients_new(int places);

/* Frees everything. There must be no connection and no open search. */
void clients_free(Clients *clients);

/* A new connection from this address. It shuts another one down if all places are taken. NULL without memory. */
ClientConnection *clients_connect(Clients *clients, const struct sockaddr *address, int socket);
void clients_disconnect(Clients *clients, ClientConnection *connection);

/* Says whether an answer to its request is in the making, or is a stream. It keeps its place then. */
void clients_set_answering(Clients *clients, ClientConnection *connection, bool answering);

/* Whose connection it is. It lives as long as the connection, and as long as it has open searches. */
Client *clients_owner(const ClientConnection *connection);

/* Counts a request at the time `now` (in seconds, from a clock that never goes back), which needs a search or not.
 * False with an error if the client asks too often. */
bool client_may_ask(Client *client, bool search, double now, Error *error);

/* Opens a search, to be closed by client_close_search. False with an error if too many are open. */
bool client_open_search(Client *client, bool move, Error *error);
void client_close_search(Client *client, bool move);

#endif
