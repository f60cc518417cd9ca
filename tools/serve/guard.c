/* See guard.h. */
#include "tools/serve/guard.h"

#include "selfplay/io/text.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

enum { HOST_MAX = 256 };

/* The name in a Host header, without port and brackets; false if the header is malformed. */
static bool host_name(const char *host, char name[HOST_MAX]) {
    const bool bracket = *host == '[';
    const char *end = bracket ? strchr(host, ']') : host + strcspn(host, ":");
    if (!end)
        return false;
    const char *begin = host + bracket, *port = end + bracket;
    const size_t length = (size_t)(end - begin);
    if (length == 0 || length >= HOST_MAX || (*port && (*port != ':' || port[1 + strspn(port + 1, "0123456789")])))
        return false;
    memcpy(name, begin, length);
    name[length] = '\0';
    return true;
}

static bool is_address(const char *name) {
    struct in6_addr address;
    return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1;
}

static bool is_loopback(const char *name) {
    struct in_addr address;
    return !strcasecmp(name, "localhost") || !strcmp(name, "::1") ||
           (inet_pton(AF_INET, name, &address) == 1 && ntohl(address.s_addr) >> 24 == 127);
}

bool web_guard_allows(const char *host, const char *origin, const char *bound, bool open) {
    char name[HOST_MAX], own[HOST_MAX + 16];
    if (!host || !host_name(host, name))
        return false;
    if (!is_loopback(name) && !(open && (is_address(name) || (bound && !strcasecmp(name, bound)))))
        return false;
    snprintf(own, sizeof own, "http://%s", host);
    return !origin || !strcasecmp(origin, own);
}

bool web_guard_is_foreign(const char *site, const char *mode) {
    const bool own = !site || !strcmp(site, "same-origin") || !strcmp(site, "none");
    return !own && (!mode || strcmp(mode, "navigate") != 0);
}

bool web_guard_is_json(const char *type) {
    static const char json[] = "application/json";
    if (!type || strncasecmp(type, json, sizeof json - 1))
        return false;
    const char *rest = type + sizeof json - 1;
    rest += strspn(rest, " \t");
    return *rest == '\0' || *rest == ';';
}

bool web_guard_new_token(char token[WEB_TOKEN_LENGTH + 1], Error *error) {
    unsigned char bytes[WEB_TOKEN_LENGTH / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return error_set(error, "the system gives no random bytes for a token");
    text_hex(bytes, sizeof bytes, token);
    return true;
}

bool web_guard_is_token(const char *text) {
    return strlen(text) == WEB_TOKEN_LENGTH && strspn(text, "0123456789abcdef") == WEB_TOKEN_LENGTH;
}

/* What follows "/TOKEN", or NULL. Takes the same time wherever the two differ, so that it tells nothing about the
 * token. */
static const char *behind_token(const char *path, const char *token) {
    const size_t length = strlen(token);
    if (strlen(path) < length + 1 || path[0] != '/')
        return NULL;
    int difference = 0;
    for (size_t i = 0; i < length; i++)
        difference |= path[i + 1] ^ token[i];
    return difference ? NULL : path + length + 1;
}

const char *web_guard_path(const char *path, const char *token) {
    if (!*token)
        return path;
    const char *rest = behind_token(path, token);
    return rest && *rest == '/' ? rest : NULL;
}

bool web_guard_lacks_slash(const char *path, const char *token) {
    const char *rest = *token ? behind_token(path, token) : NULL;
    return rest && !*rest;
}
