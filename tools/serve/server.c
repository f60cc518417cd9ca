/* See server.h. */
#include "tools/serve/server.h"

#include "engine/base/wall_time.h"
#include "tools/assets/asset.h"
#include "tools/serve/api.h"
#include "tools/serve/guard.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    BODY_LIMIT = 1 << 19,
    CONNECTIONS_MAX = 64,
    IDLE_SECONDS = 60, /* after which a silent connection is closed */
    STREAM_BLOCK = 16384,
    CONNECTION_MEMORY = 32768
};
/* Requests per second, and at once: far more than a page needs. Only a client that runs wild meets these limits. */
static const double requests_rate = 2000, requests_burst = 10000, searches_rate = 20, searches_burst = 200;

static const char loopback[] = "127.0.0.1";

struct WebServer {
    Analysis *analysis;
    const QueryDefaults *defaults;
    struct MHD_Daemon *daemon;
    RateLimit requests, searches;
    bool open; /* listens on more than loopback */
    char bound[256], address[320];
};

/* The body of a request, as it comes in. */
typedef struct Body {
    char *bytes;
    size_t length;
    bool too_large;
} Body;

/* ---- Responses ---- */

static enum MHD_Result send_response(struct MHD_Connection *connection, int status, struct MHD_Response *response,
                                     const char *type) {
    static const char *const headers[][2] = {
        {"Cache-Control", "no-cache"},
        {"Content-Security-Policy",
         "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'"},
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
    return send_response(connection, answer->status, response, "application/json");
}

static enum MHD_Result send_asset(struct MHD_Connection *connection, const Asset *asset) {
    /* The library never writes into a persistent buffer. */
    struct MHD_Response *response =
        MHD_create_response_from_buffer(asset->length, (void *)(uintptr_t)asset->bytes, MHD_RESPMEM_PERSISTENT);
    return send_response(connection, 200, response, asset->type);
}

/* ---- Requests ---- */

static const Asset *find_asset(const char *path) {
    for (const Asset *asset = web_assets; asset->path; asset++)
        if (!strcmp(path, asset->path))
            return asset;
    return NULL;
}

static WebAnswer answer_request(WebServer *server, struct MHD_Connection *connection, const char *path,
                                const char *method, const Body *body) {
    const char *type = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_TYPE);
    if (body->too_large)
        return web_error(413, NULL, "the body is larger than 512 KiB");
    if (!rate_limit_take(&server->requests, wall_seconds()) ||
        (web_api_is_costly(path) && !rate_limit_take(&server->searches, wall_seconds())))
        return web_error(429, NULL, "too many requests, try again in a second");
    if (!web_api_has(path) && strcmp(method, "GET") && find_asset(path))
        return web_error(405, NULL, "expected GET");
    if (!strcmp(method, "POST") && web_api_has(path) && (!type || strncmp(type, "application/json", 16)))
        return web_error(415, NULL, "expected Content-Type: application/json");
    return web_api(server->analysis, server->defaults, method, path, body->bytes ? body->bytes : "", body->length);
}

static void take_bytes(Body *body, const char *bytes, size_t length) {
    char *larger = body->length + length > BODY_LIMIT ? NULL : realloc(body->bytes, body->length + length + 1);
    if (!larger) {
        body->too_large = true;
        return;
    }
    body->bytes = larger;
    memcpy(larger + body->length, bytes, length);
    body->length += length;
}

/* Called by the library after the headers, for every part of the body, and at its end. */
static enum MHD_Result take_request(void *user, struct MHD_Connection *connection, const char *path, const char *method,
                                    const char *version, const char *bytes, size_t *length, void **state) {
    (void)version;
    WebServer *server = user;
    Body *body = *state;
    if (!body)
        return (*state = calloc(1, sizeof *body)) ? MHD_YES : MHD_NO;
    if (*length > 0) {
        take_bytes(body, bytes, *length);
        *length = 0;
        return MHD_YES;
    }
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    WebAnswer answer;
    if (!web_guard_allows(host, origin, server->bound, server->open)) {
        answer = web_error(403, NULL, "this server answers only its own page");
    } else {
        const Asset *asset = find_asset(path);
        const bool reads = !strcmp(method, "GET") || !strcmp(method, "HEAD");
        if (asset && reads && rate_limit_take(&server->requests, wall_seconds()))
            return send_asset(connection, asset);
        answer = answer_request(server, connection, path, method, body);
    }
    return send_answer(connection, &answer);
}

static void end_request(void *user, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code) {
    (void)user;
    (void)connection;
    (void)code;
    Body *body = *state;
    if (body)
        free(body->bytes);
    free(body);
    *state = NULL;
}

/* ---- Starting and stopping ---- */

static bool is_loopback(const struct sockaddr *address) {
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

static bool start(WebServer *server, const struct addrinfo *info, Error *error) {
    const unsigned ipv6 = info->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0;
    server->open = !is_loopback(info->ai_addr);
    errno = 0;
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | ipv6, 0, NULL, NULL,
        take_request, server, MHD_OPTION_SOCK_ADDR, info->ai_addr, MHD_OPTION_NOTIFY_COMPLETED, end_request, NULL,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
    return server->daemon ||
           error_set(error, "cannot listen there: %s", errno ? strerror(errno) : "the server library refused");
}

static void write_address(WebServer *server, const struct addrinfo *info) {
    const union MHD_DaemonInfo *daemon = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    char name[128] = "127.0.0.1";
    getnameinfo(info->ai_addr, info->ai_addrlen, name, sizeof name, NULL, 0, NI_NUMERICHOST);
    const bool ipv6 = info->ai_family == AF_INET6;
    snprintf(server->address, sizeof server->address, ipv6 ? "http://[%s]:%d/" : "http://%s:%d/", name,
             daemon ? (int)daemon->port : 0);
}

/* The addresses of a name, and the first of them that is one of this machine. */
typedef struct Address {
    struct addrinfo *list; /* to be freed by freeaddrinfo */
    const struct addrinfo *own;
} Address;

static bool is_own(const struct addrinfo *info) {
    const int probe = socket(info->ai_family, info->ai_socktype, info->ai_protocol);
    if (probe < 0)
        return false;
    const bool own = bind(probe, info->ai_addr, info->ai_addrlen) == 0 || errno != EADDRNOTAVAIL;
    close(probe);
    return own;
}

static bool find_address(const char *name, int port_number, Address *address, Error *error) {
    char port[12];
    *address = (Address){.list = NULL};
    snprintf(port, sizeof port, "%d", port_number);
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    const int status = getaddrinfo(name, port, &wanted, &address->list);
    for (const struct addrinfo *info = status ? NULL : address->list; info && !address->own; info = info->ai_next)
        if (is_own(info))
            address->own = info;
    if (address->own)
        return true;
    if (!status)
        freeaddrinfo(address->list);
    return error_set(error, "--bind: '%.100s' is no address of this machine%s%s, expected one as 127.0.0.1 or 0.0.0.0",
                     name, status ? ": " : "", status ? gai_strerror(status) : "");
}

bool web_server_can_bind(const char *bind_name, Error *error) {
    Address address;
    if (!find_address(bind_name ? bind_name : loopback, 0, &address, error))
        return false;
    freeaddrinfo(address.list);
    return true;
}

WebServer *web_server_new(const WebServerOptions *options, Analysis *analysis, const QueryDefaults *defaults,
                          Error *error) {
    const char *name = options->bind ? options->bind : loopback;
    Address address;
    if (!find_address(name, options->port, &address, error))
        return NULL;
    WebServer *server = calloc(1, sizeof *server);
    Error reason = {"out of memory"};
    if (server) {
        server->analysis = analysis;
        server->defaults = defaults;
        rate_limit_init(&server->requests, requests_rate, requests_burst);
        rate_limit_init(&server->searches, searches_rate, searches_burst);
        snprintf(server->bound, sizeof server->bound, "%s", name);
    }
    if (!server || !start(server, address.own, &reason)) {
        error_set(error, "%.100s, port %d: %s", name, options->port, reason.text);
        web_server_free(server);
        server = NULL;
    } else {
        write_address(server, address.own);
    }
    freeaddrinfo(address.list);
    return server;
}

void web_server_free(WebServer *server) {
    if (!server)
        return;
    if (server->daemon) {
        analysis_stop(server->analysis, NULL, NULL); /* so that the streams end */
        MHD_stop_daemon(server->daemon);
    }
    rate_limit_destroy(&server->requests);
    rate_limit_destroy(&server->searches);
    free(server);
}

const char *web_server_address(const WebServer *server) {
    return server->address;
}
