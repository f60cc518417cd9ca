/* The board in tests: an engine, and a page that asks it. Anything that goes wrong fails the test. */
#ifndef STIGMERGY_TESTS_SUPPORT_WEB_TALK_H
#define STIGMERGY_TESTS_SUPPORT_WEB_TALK_H

#include "tools/serve/api.h"
#include "tools/serve/clients.h"

/* Seconds in which a thing must happen. It takes less than 3, while searches end by themselves after 1000, and silent
 * connections after 60. */
enum { PATIENCE = 40 };

/* The engine, which plays playouts on hexhex-3 where a query says nothing else. Valid after open_engine. */
extern Analysis *analysis;
extern QueryDefaults defaults;

/* The set-up and tear-down of a group. */
int open_engine(void **state);
int close_engine(void **state);

/* Asks as nobody. The caller frees the text of the answer. */
WebAnswer ask(const char *method, const char *path, const char *body);

/* The JSON of an answer with this status, to a caller and to nobody. The caller of the function deletes it. */
cJSON *told_as(WebCaller caller, int status, const char *method, const char *path, const char *body);
cJSON *told(int status, const char *method, const char *path, const char *body);

/* An item that must be there, and its text, "" where it is none. */
const cJSON *item(const cJSON *json, const char *key);
const char *text_of(const cJSON *json, const char *key);

/* Waits until at least, or at most, this number of positions are searched or wait for it. */
void see_pending(int least, int most);

/* A connection from this address of IPv4, for clients_disconnect. */
ClientConnection *connect_from(Clients *clients, uint32_t host, int socket);

/* Opens as many analyses as a client may have, and returns how many; the error is that of the next one. */
int open_all(Client *client, Error *error);

#endif
