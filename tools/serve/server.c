/* See server.h. */
#include "tools/serve/server.h"

#include "engine/base/wall_time.h"
#include "tools/assets/asset.h"
#include "tools/serve/address.h"
#include "tools/serve/api.h"
#include "tools/serve/clients.h"
#include "tools/serve/guard.h"
#include "tools/serve/searches.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum {
    IDLE_SECONDS = 60,   /* after which a silent connection is closed */
    UNREAD_SECONDS = 10, /* the same for a stream of which nothing is taken */
    SEND_BUFFER = 16384, /* bytes that the system keeps for a reader: little, so that a stream that is not read shows */
    STREAM_BLOCK = 16384,
    CONNECTION_MEMORY = 32768,
    OPEN_CONNECTIONS = 4 * CONNECTIONS_MAX, /* with those that are being shut down, slowly if the machine is busy */
    OTHER_FILES = 32                        /* that the program may have open besides connections */
};

struct WebServer {
    Analysis *analysis;
    const QueryDefaults *defaults;
    struct MHD_Daemon *daemon;
    Clients *clients;
    Searches *searches;
    const WebBook *book;
    int unread;                                                 /* seconds */
    bool open;                                                  /* listens on more than loopback */
    char bound[256], address[320], token[WEB_TOKEN_LENGTH + 1]; /* the token is "" if it is not needed */
};

/* A request, as it comes in, and its answer. */
typedef struct Exchange {
    char *bytes; /* of the body */
    size_t length, most;
    bool too_large, no_memory; /* so not all of it is here */
    bool streams;              /* the answer is a stream */
} Exchange;

/* ---- Responses ---- */

static enum MHD_Result send_response(struct MHD_Connection *connection, int status, struct MHD_Response *response,
                                     const char *type) {
    static const char *const headers[][2] = {
        {"Cache-Control", "no-cache"},
        {"Content-Security-Policy",
         "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
    };
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    const enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return result;
}

static ssize_t read_stream(void *user, uint64_t position, char *out, size_t size) {
    (void)position;
    const ssize_t length = web_stream_read(user, out, size);
    return length > 0 ? length : MHD_CONTENT_READER_END_OF_STREAM;
}

static void close_stream(void *user) {
    web_stream_close(user);
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, const WebAnswer *answer) {
    if (answer->stream) {
        struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream,
                                                                          answer->stream, close_stream);
        if (!response)
            web_stream_close(answer->stream);
        return send_response(connection, answer->status, response, "text/event-stream");
    }
    if (!answer->text)
        return MHD_NO;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer->length, answer->text, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(answer->text);
    else if (answer->allow[0])
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, answer->allow);
    return send_response(connection, answer->status, response,
                         answer->is_events ? "text/event-stream" : "application/json");
}

/* Browsers take files packed. */
static enum MHD_Result send_asset(struct MHD_Connection *connection, const Asset *asset) {
    const char *accepted = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    const bool packed = accepted && strstr(accepted, "gzip");
    const unsigned char *bytes = packed ? asset->packed : asset->bytes;
    /* The library never writes into a persistent buffer. */
    struct MHD_Response *response = MHD_create_response_from_buffer(packed ? asset->packed_length : asset->length,
                                                                    (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT);
    if (response)
        MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    if (response && packed)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    return send_response(connection, 200, response, asset->type);
}

/* To the page, from its address without the slash at the end. */
static enum MHD_Result send_to_page(struct MHD_Connection *connection, const char *token) {
    char location[WEB_TOKEN_LENGTH + 3];
    snprintf(location, sizeof location, "/%s/", token);
    struct MHD_Response *response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (response)
        MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, location);
    return send_response(connection, 301, response, "text/plain");
}

/* ---- Requests ---- */

static const Asset *find_asset(const char *path) {
    for (const Asset *asset = web_assets; asset->path; asset++)
        if (!strcmp(path, asset->path))
            return asset;
    return NULL;
}

static const char *header_of(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static ClientConnection *place_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static WebAnswer answer_api(const WebServer *server, struct MHD_Connection *connection, Client *client,
                            const char *path, const char *method, const Exchange *exchange) {
    if (exchange->too_large) {
        Error error;
        error_set(&error, "the body is larger than %zu KiB", exchange->most >> 10);
        return web_error(413, NULL, error.text);
    }
    if (exchange->no_memory)
        return web_error(503, NULL, "out of memory for the body");
    if (!web_api_has(path) && find_asset(path))
        return web_wrong_method("GET, HEAD");
    if (!strcmp(method, "POST") && web_api_takes(path, method) &&
        !web_guard_is_json(header_of(connection, MHD_HTTP_HEADER_CONTENT_TYPE)))
        return web_error(415, NULL, "expected Content-Type: application/json");
    const WebCaller caller = {.client = client,
                              .searches = server->searches,
                              .book = server->book,
                              .after = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "after")};
    return web_api(server->analysis, server->defaults, caller, method, path, exchange->bytes ? exchange->bytes : "",
                   exchange->length);
}

/* Answers a whole request. */
static enum MHD_Result answer_request(const WebServer *server, struct MHD_Connection *connection, Client *client,
                                      const char *url, const char *method, Exchange *exchange) {
    const char *path = web_guard_path(url, server->token);
    const bool reads = !strcmp(method, "GET") || !strcmp(method, "HEAD");
    const Asset *asset = path && reads ? find_asset(path) : NULL;
    WebAnswer answer;
    Error error;
    if (!web_guard_allows(header_of(connection, MHD_HTTP_HEADER_HOST), header_of(connection, "Origin"), server->bound,
                          server->open) ||
        web_guard_is_foreign(header_of(connection, "Sec-Fetch-Site"), header_of(connection, "Sec-Fetch-Mode")))
        answer = web_error(403, NULL, "this server answers only its own page");
    else if (reads && web_guard_lacks_slash(url, server->token))
        return send_to_page(connection, server->token);
    else if (!path)
        answer =
            web_error(403, NULL, "the address lacks the token, expected the whole address that the server printed");
    else if (!client_may_ask(client, web_api_is_costly(path), wall_seconds(), &error))
        answer = web_error(429, NULL, error.text);
    else if (asset)
        return send_asset(connection, asset);
    else
        answer = answer_api(server, connection, client, path, method, exchange);
    exchange->streams = answer.stream != NULL;
    return send_answer(connection, &answer);
}

static void take_bytes(Exchange *exchange, const char *bytes, size_t length) {
    if (exchange->length + length > exchange->most) {
        exchange->too_large = true;
        return;
    }
    char *larger = realloc(exchange->bytes, exchange->length + length + 1);
    if (!larger) {
        exchange->no_memory = true;
        return;
    }
    exchange->bytes = larger;
    memcpy(larger + exchange->length, bytes, length);
    exchange->length += length;
}

/* Called by the library after the headers, for every part of the body, and at its end. */
static enum MHD_Result take_request(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                                    const char *version, const char *bytes, size_t *length, void **state) {
    (void)version;
    WebServer *server = user;
    Exchange *exchange = *state;
    if (!exchange) {
        if (!(exchange = *state = calloc(1, sizeof *exchange)))
            return MHD_NO;
        const char *path = web_guard_path(url, server->token);
        exchange->most = path ? web_api_body_max(path) : WEB_BODY_MAX;
        return MHD_YES;
    }
    if (*length > 0) {
        take_bytes(exchange, bytes, *length);
        *length = 0;
        return MHD_YES;
    }
    ClientConnection *place = place_of(connection);
    if (!place)
        return MHD_NO;
    /* Without a timeout while the answer is made; setting one afterwards starts it anew. */
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
    clients_set_answering(server->clients, place, true);
    const enum MHD_Result result = answer_request(server, connection, clients_owner(place), url, method, exchange);
    clients_set_answering(server->clients, place, exchange->streams);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
                              (unsigned)(exchange->streams ? server->unread : IDLE_SECONDS));
    return result;
}

static void end_request(void *user, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code) {
    (void)code;
    const WebServer *server = user;
    Exchange *exchange = *state;
    ClientConnection *place = place_of(connection);
    if (place)
        clients_set_answering(server->clients, place, false);
    if (exchange)
        free(exchange->bytes);
    free(exchange);
    *state = NULL;
}

/* Called by the library when a connection is opened, and when it has ended. A reader who is gone, or reads nothing, is
 * noticed soon: the system keeps little for him, and gives up on what he does not take. */
static void note_connection(void *user, struct MHD_Connection *connection, void **place,
                            enum MHD_ConnectionNotificationCode code) {
    const WebServer *server = user;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*place)
            clients_disconnect(server->clients, *place);
        *place = NULL;
        return;
    }
    const union MHD_ConnectionInfo *address = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const int client = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    const int buffer = SEND_BUFFER, unread = 1000 * server->unread;
    setsockopt(client, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    setsockopt(client, IPPROTO_TCP, TCP_USER_TIMEOUT, &unread, sizeof unread);
    *place = clients_connect(server->clients, address->client_addr, client);
}

/* ---- Starting and stopping ---- */

/* Called by the library for the path and each part of the query. An encoded NUL byte would end the text, and a path the
 * server has would be what is left: with one in it, all stays encoded, which is the name of nothing. */
static size_t unescape(void *user, struct MHD_Connection *connection, char *text) {
    (void)user, (void)connection;
    return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

/* How many connections may be open: where the library cannot accept one for want of files, it tries for ever. */
static bool count_connections(unsigned *connections, Error *error) {
    const rlim_t wanted = OPEN_CONNECTIONS + OTHER_FILES, least = CONNECTIONS_MAX / 2 + OTHER_FILES;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return error_set(error, "cannot find out how many files may be open: %s", strerror(errno));
    if (limit.rlim_cur < wanted && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &limit); /* if not, there are fewer connections */
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < least)
        return error_set(error, "only %lld files may be open, expected at least %lld (ulimit -n)",
                         (long long)limit.rlim_cur, (long long)least);
    *connections = (unsigned)((limit.rlim_cur < wanted ? limit.rlim_cur : wanted) - OTHER_FILES);
    return true;
}

static bool start(WebServer *server, const WebAddress *address, Error *error) {
    unsigned connections = 0;
    const unsigned ipv6 = address->own->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0;
    if (!count_connections(&connections, error))
        return false;
    const unsigned places = connections / 2; /* the others are being shut down */
    server->clients = clients_new(places < CONNECTIONS_MAX ? (int)places : CONNECTIONS_MAX);
    if (!server->clients)
        return error_set(error, "out of memory");
    server->open = !web_address_is_loopback(address);
    if (server->open && !server->token[0] && !web_guard_new_token(server->token, error))
        return false;
    errno = 0;
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | ipv6, 0, NULL, NULL,
        take_request, server, MHD_OPTION_SOCK_ADDR, address->own->ai_addr, MHD_OPTION_NOTIFY_COMPLETED, end_request,
        server, MHD_OPTION_NOTIFY_CONNECTION, note_connection, server, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_END);
    if (!server->daemon)
        return error_set(error, "cannot listen there: %s%s", errno ? strerror(errno) : "the server library refused",
                         errno == EADDRINUSE ? "; choose another --port (0: any that is free)" : "");
    const union MHD_DaemonInfo *daemon = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    web_address_write(address, daemon ? (int)daemon->port : 0, server->token, server->address, sizeof server->address);
    return true;
}

bool web_server_can_bind(const char *bind_name, Error *error) {
    WebAddress address;
    if (!web_address_find(bind_name, 0, &address, error))
        return false;
    web_address_free(&address);
    return true;
}

WebServer *web_server_new(const WebServerOptions *options, Analysis *analysis, const QueryDefaults *defaults,
                          Error *error) {
    WebAddress address;
    if (!web_address_find(options->bind, options->port, &address, error))
        return NULL;
    WebServer *server = calloc(1, sizeof *server);
    error_set(error, "out of memory");
    if (server) {
        server->analysis = analysis;
        server->defaults = defaults;
        server->book = options->book;
        server->unread = options->unread ? options->unread : UNREAD_SECONDS;
        server->searches = searches_new(server->unread);
        snprintf(server->bound, sizeof server->bound, "%s", address.name);
        snprintf(server->token, sizeof server->token, "%s", options->token ? options->token : "");
    }
    if (!server || !server->searches || !start(server, &address, error)) {
        error_prefix(error, "%.100s, port %d: ", address.name, options->port);
        web_server_free(server);
        server = NULL;
    }
    web_address_free(&address);
    return server;
}

void web_server_free(WebServer *server) {
    if (!server)
        return;
    if (server->daemon) {
        analysis_stop(server->analysis, NULL, NULL); /* so that the streams end */
        MHD_stop_daemon(server->daemon);
    }
    searches_free(server->searches);
    clients_free(server->clients);
    free(server);
}

const char *web_server_address(const WebServer *server) {
    return server->address;
}
