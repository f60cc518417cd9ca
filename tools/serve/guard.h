/* Who may use the board server.
 *
 * A page of another site in the same browser can reach a server on loopback. But it cannot change the Host header that
 * the browser sends, which shows a foreign name that was made to point here (DNS rebinding), and it cannot hide its own
 * Origin. A server that other machines reach has a secret in its address, too. */
#ifndef STIGMERGY_TOOLS_SERVE_GUARD_H
#define STIGMERGY_TOOLS_SERVE_GUARD_H

#include "engine/base/error.h"

#include <stdbool.h>

/* Whether to answer a request with these headers; NULL for a header that it does not have. Host must be a loopback name
 * of this machine. If the server listens on another address (`open`), Host may also be a numeric address, or the name
 * `bound` that the user gave. Origin, if there is one, must be the page that the server itself sent to this Host. */
bool web_guard_allows(const char *host, const char *origin, const char *bound, bool open);

/* Whether a browser says that a page of another site asks, by its headers Sec-Fetch-Site and Sec-Fetch-Mode (NULL:
 * missing). A link that a person follows is allowed. */
bool web_guard_is_foreign(const char *site, const char *mode);

/* Whether a Content-Type (NULL: none) is application/json. Letter case and parameters do not matter. */
bool web_guard_is_json(const char *type);

enum { WEB_TOKEN_LENGTH = 32 };

/* Makes a token that nobody can guess, to be a part of the server's address. False with an error if the system gives no
 * random bytes. */
bool web_guard_new_token(char token[WEB_TOKEN_LENGTH + 1], Error *error);

/* Whether a text is such a token. */
bool web_guard_is_token(const char *text);

/* The path behind "/TOKEN", with its slash, or NULL if the path does not begin with "/TOKEN/". The whole path if
 * `token` is empty. */
const char *web_guard_path(const char *path, const char *token);

/* Whether the path is "/TOKEN", without the slash at its end. False if `token` is empty. */
bool web_guard_lacks_slash(const char *path, const char *token);

#endif
