/* See clients.h. One lock guards everything; there are few clients, so lists do. */
#include "tools/serve/clients.h"

#include "engine/base/wall_time.h"
#include "tools/serve/rate_limit.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* With so many clients, one that has nothing open is forgotten for each that comes; before, its rates count on. */
enum { FORGET_FROM = 256 };

struct Client {
    Client *next;
    Clients *clients;
    uint8_t key[17];                     /* kind of address, and its bytes */
    int connections, searches, analyses; /* of the searches, those that are no moves */
    double seen;                         /* when it came or left last */
    RateLimit request_rate, search_rate;
};

struct ClientConnection {
    ClientConnection *next;
    Client *owner;
    int socket;
    bool answering, shut;
    double silent_since;
};

struct Clients {
    pthread_mutex_t lock;
    Client *list;
    ClientConnection *connections;
    int places, client_count, connection_count, analyses;
};

/* ---- Clients ---- */

static void make_key(const struct sockaddr *address, uint8_t key[17]) {
    memset(key, 0, 17);
    key[0] = (uint8_t)address->sa_family;
    if (address->sa_family == AF_INET)
        memcpy(key + 1, &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    else if (address->sa_family == AF_INET6)
        memcpy(key + 1, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, 8);
}

static bool is_idle(const Client *client) {
    return client->connections == 0 && client->searches == 0;
}

/* Forgets the client that has been away for the longest time, if there are too many. */
static void forget_one(Clients *clients) {
    Client **oldest = NULL;
    for (Client **link = &clients->list; *link; link = &(*link)->next)
        if (is_idle(*link) && (!oldest || (*link)->seen < (*oldest)->seen))
            oldest = link;
    if (clients->client_count < FORGET_FROM || !oldest)
        return;
    Client *client = *oldest;
    *oldest = client->next;
    clients->client_count--;
    free(client);
}

static Client *find_client(Clients *clients, const struct sockaddr *address) {
    uint8_t key[17];
    make_key(address, key);
    for (Client *client = clients->list; client; client = client->next)
        if (!memcmp(client->key, key, sizeof key))
            return client;
    forget_one(clients);
    Client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    memcpy(client->key, key, sizeof key);
    rate_limit_init(&client->request_rate, CLIENT_REQUESTS_RATE, CLIENT_REQUESTS_BURST);
    rate_limit_init(&client->search_rate, CLIENT_SEARCHES_RATE, CLIENT_SEARCHES_BURST);
    client->clients = clients;
    client->next = clients->list;
    clients->list = client;
    clients->client_count++;
    return client;
}

Clients *clients_new(int places) {
    Clients *clients = calloc(1, sizeof *clients);
    if (!clients)
        return NULL;
    clients->places = places;
    pthread_mutex_init(&clients->lock, NULL);
    return clients;
}

void clients_free(Clients *clients) {
    if (!clients)
        return;
    for (Client *client = clients->list, *next; client; client = next) {
        next = client->next;
        free(client);
    }
    pthread_mutex_destroy(&clients->lock);
    free(clients);
}

/* ---- Connections ---- */

/* Whether `a` is to give its place up rather than `b`. */
static bool leaves_before(const ClientConnection *a, const ClientConnection *b) {
    if (a->owner->connections != b->owner->connections)
        return a->owner->connections > b->owner->connections;
    return a->silent_since < b->silent_since;
}

/* Shuts a connection down. Its thread notices, and disconnects it. */
static void make_place(Clients *clients) {
    ClientConnection *leaving = NULL;
    for (ClientConnection *each = clients->connections; each; each = each->next)
        if (!each->answering && !each->shut && (!leaving || leaves_before(each, leaving)))
            leaving = each;
    if (!leaving)
        return;
    leaving->shut = true;
    clients->connection_count--;
    shutdown(leaving->socket, SHUT_RDWR);
}

ClientConnection *clients_connect(Clients *clients, const struct sockaddr *address, int socket) {
    ClientConnection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    pthread_mutex_lock(&clients->lock);
    Client *owner = find_client(clients, address);
    if (owner) {
        if (clients->connection_count >= clients->places)
            make_place(clients);
        *connection = (ClientConnection){
            .next = clients->connections, .owner = owner, .socket = socket, .silent_since = wall_seconds()};
        clients->connections = connection;
        clients->connection_count++;
        owner->connections++;
        owner->seen = connection->silent_since;
    }
    pthread_mutex_unlock(&clients->lock);
    if (!owner)
        free(connection);
    return owner ? connection : NULL;
}

void clients_disconnect(Clients *clients, ClientConnection *connection) {
    pthread_mutex_lock(&clients->lock);
    ClientConnection **link = &clients->connections;
    while (*link != connection)
        link = &(*link)->next;
    *link = connection->next;
    clients->connection_count -= !connection->shut;
    connection->owner->connections--;
    connection->owner->seen = wall_seconds();
    pthread_mutex_unlock(&clients->lock);
    free(connection);
}

void clients_set_answering(Clients *clients, ClientConnection *connection, bool answering) {
    pthread_mutex_lock(&clients->lock);
    connection->answering = answering;
    connection->silent_since = wall_seconds();
    pthread_mutex_unlock(&clients->lock);
}

Client *clients_owner(const ClientConnection *connection) {
    return connection->owner;
}

/* ---- What a client may do ---- */

bool client_may_ask(Client *client, bool search, double now, Error *error) {
    pthread_mutex_lock(&client->clients->lock);
    const bool may_request = rate_limit_take(&client->request_rate, now);
    const bool may_search = !may_request || !search || rate_limit_take(&client->search_rate, now);
    pthread_mutex_unlock(&client->clients->lock);
    if (!may_request)
        return error_set(error, "too many requests, expected at most %d a second; try again in a second",
                         CLIENT_REQUESTS_RATE);
    return may_search || error_set(error, "too many searches, expected at most %d a second; try again in a second",
                                   CLIENT_SEARCHES_RATE);
}

/* Whether a client may open another search. */
static bool has_place(const Client *client, bool move, Error *error) {
    const int left = ANALYSES_MAX - client->clients->analyses;
    if (client->searches >= CLIENT_SEARCHES_MAX)
        return error_set(error, "%d searches of yours are open, which is the limit; end one of them first",
                         CLIENT_SEARCHES_MAX);
    if (!move && client->analyses >= CLIENT_ANALYSES_MAX)
        return error_set(error, "%d analyses of yours are open, which is the limit; end one of them first",
                         CLIENT_ANALYSES_MAX);
    if (move || client->analyses < left)
        return true;
    if (left == 0)
        return error_set(error, "%d analyses are open on this server, which is the limit; try again later",
                         ANALYSES_MAX);
    return error_set(error, "%d analyses of yours are open, and the places that are left are for others; end one first",
                     client->analyses);
}

bool client_open_search(Client *client, bool move, Error *error) {
    Clients *clients = client->clients;
    pthread_mutex_lock(&clients->lock);
    const bool good = has_place(client, move, error);
    client->searches += good;
    client->analyses += good && !move;
    clients->analyses += good && !move;
    pthread_mutex_unlock(&clients->lock);
    return good;
}

void client_close_search(Client *client, bool move) {
    Clients *clients = client->clients;
    pthread_mutex_lock(&clients->lock);
    client->searches--;
    client->analyses -= !move;
    clients->analyses -= !move;
    client->seen = wall_seconds();
    pthread_mutex_unlock(&clients->lock);
}
