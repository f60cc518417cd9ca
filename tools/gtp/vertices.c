/* How vertices are spelled: as in the rules (c3, c3x, take-button), or as clients made for Go spell them, which have
 * letters without I, no flips and no button. See session_internal.h.
 *
 * Such a client sends the vertex that was clicked, and that is enough: a turn on an enemy stone flips it, and the
 * button lies on the table only while nobody may pass, so PASS takes it. */
#include "tools/gtp/session_internal.h"

#include <ctype.h>
#include <strings.h>

bool gtp_check_vertices(GtpVertices vertices, const char *game, Error *error) {
    return vertices == GTP_VERTICES_RULES || !strcmp(game, "stigmergy") ||
           error_set(error, "a turn of %s is no single vertex, so it needs --vertices rules", game);
}

void gtp_spell(const Gtp *gtp, char *text) {
    if (gtp->options.vertices == GTP_VERTICES_RULES)
        return;
    if (!strcmp(text, "take-button"))
        strcpy(text, "pass");
    if (!isdigit((unsigned char)text[1]))
        return;
    *text = (char)toupper((unsigned char)(*text >= 'i' ? *text + 1 : *text));
    text[1 + strspn(text + 1, "0123456789")] = '\0';
}

int gtp_square_cell(const Game *game, int row, int column) {
    char name[16];
    const char *end;
    snprintf(name, sizeof name, "%c%d", 'a' + row, column);
    return hexhex_parse(&game->board, name, &end);
}

bool gtp_unspell(const Gtp *gtp, const char *vertex, char out[GAME_TEXT_MAX], Error *error) {
    Action turn[GAME_TURN_MAX];
    const int row = tolower((unsigned char)*vertex);
    snprintf(out, GAME_TEXT_MAX, "%s", vertex);
    for (char *c = out; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    if (gtp->options.vertices == GTP_VERTICES_RULES)
        return true;
    if (!strcmp(out, "pass") && gtp->game->rules->parse(gtp->game, gtp_state(gtp), "take-button", turn, NULL) > 0)
        strcpy(out, "take-button");
    if (!isdigit((unsigned char)out[1]))
        return true;
    if (row == 'i')
        return error_set(error, "illegal move: '%.40s': the letters leave out I", vertex);
    *out = (char)(row > 'i' ? row - 1 : row);
    return true;
}
