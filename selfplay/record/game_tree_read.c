/* Reading game trees; see game_tree.h. */
#include "selfplay/io/json.h"
#include "selfplay/record/game_tree.h"
#include "selfplay/record/record.h"
#include "selfplay/record/sgf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { GAME_NAME_MAX = 32, WORD_MAX = GAME_TEXT_MAX };

/* A whole number at the start of `text`, nothing but blanks and a fraction of zeros (5.0) behind it. */
static bool read_whole(const char *text, int *out) {
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || errno || value < -100000 || value > 100000)
        return false;
    if (*end == '.')
        end += 1 + strspn(end + 1, "0");
    end += strspn(end, " ");
    *out = (int)value;
    return *end == '\0';
}

static void copy_text(char *out, size_t size, const char *text) {
    if (text)
        snprintf(out, size, "%s", text);
}

/* ---- SGF ---- */

static GameTree *start_sgf(const SgfTree *sgf, const char *source, const GameOptions *options, Error *error) {
    const char *name = sgf_get(sgf, 0, "GM"), *size_text = sgf_get(sgf, 0, "SZ"), *komi_text = sgf_get(sgf, 0, "KM");
    char game[GAME_NAME_MAX];
    int size = 0, komi = 0;
    snprintf(game, sizeof game, "%s", name ? name : options->name ? options->name : "stigmergy");
    for (char *c = game; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (!size_text || !read_whole(size_text, &size)) {
        error_set(error, "%s: SZ is '%.40s', expected the board size, a whole number", source,
                  size_text ? size_text : "missing");
        return NULL;
    }
    if (komi_text && !read_whole(komi_text, &komi)) {
        error_set(error, "%s: KM is '%.40s', expected komi, a whole number", source, komi_text);
        return NULL;
    }
    GameOptions own = *options;
    own.name = game;
    own.size = size;
    const char *variants = sgf_get(sgf, 0, "RU");
    own.capture = variants && strstr(variants, "capture=line") ? GAME_CAPTURE_LINE : GAME_CAPTURE_DEFAULT;
    own.pie = variants && strstr(variants, "pie=on")    ? GAME_PIE_ON
              : variants && strstr(variants, "pie=off") ? GAME_PIE_OFF
                                                        : GAME_PIE_DEFAULT;
    Error reason;
    GameTree *tree = game_tree_new(&own, komi, &reason);
    if (!tree) {
        error_set(error, "%s: %s", source, reason.text);
        return NULL;
    }
    copy_text(tree->players[BLACK], GAME_TREE_NAME_MAX, sgf_get(sgf, 0, "PB"));
    copy_text(tree->players[WHITE], GAME_TREE_NAME_MAX, sgf_get(sgf, 0, "PW"));
    copy_text(tree->date, GAME_TREE_NAME_MAX, sgf_get(sgf, 0, "DT"));
    copy_text(tree->result, GAME_TREE_NAME_MAX, sgf_get(sgf, 0, "RE"));
    return tree;
}

static bool read_stones(const SgfTree *sgf, const char *name, uint8_t colour, const char *source, const Hexhex *board,
                        uint8_t stones[HEXHEX_MAX_CELLS], Error *error) {
    const SgfProperty *property = sgf_property(sgf, 0, name);
    for (int i = 0; property && i < property->values; i++) {
        const char *text = sgf_value(sgf, property, i), *end = text;
        const int cell = hexhex_parse(board, text, &end);
        if (cell < 0 || *end)
            return error_set(error, "%s: %s has '%.40s', expected cells of hexhex-%d", source, name, text, board->size);
        if (stones[cell])
            return error_set(error, "%s: two stones are set up on '%.40s'", source, text);
        stones[cell] = colour;
    }
    return true;
}

static bool read_set_up(const SgfTree *sgf, const char *source, GameTree *tree, Error *error) {
    const char *player = sgf_get(sgf, 0, "PL");
    if (!sgf_property(sgf, 0, "AB") && !sgf_property(sgf, 0, "AW") && !player)
        return true;
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    const Hexhex *board = &tree->game->board;
    if (!read_stones(sgf, "AB", 1, source, board, stones, error) ||
        !read_stones(sgf, "AW", 2, source, board, stones, error))
        return false;
    if (player && strcasecmp(player, "B") && strcasecmp(player, "W"))
        return error_set(error, "%s: PL is '%.40s', expected B or W", source, player);
    Error reason;
    const Side first = player && toupper((unsigned char)*player) == 'W' ? WHITE : BLACK;
    return game_tree_set_up(tree, stones, first, &reason) || error_set(error, "%s: %s", source, reason.text);
}

/* Plays a node's turn, where it has one; *at becomes the node of the tree that it leads to. */
static bool read_turn(const SgfTree *sgf, int node, const char *source, GameTree *tree, int *at, Error *error) {
    const char *black = sgf_get(sgf, node, "B"), *white = sgf_get(sgf, node, "W"), *turn = black ? black : white;
    if (node > 0 && (sgf_property(sgf, node, "AB") || sgf_property(sgf, node, "AW") || sgf_property(sgf, node, "AE")))
        return error_set(error, "%s: node %d: stones are set up within the game, expected that at its root", source,
                         node + 1);
    if (black && white)
        return error_set(error, "%s: node %d: moves of both sides, expected one of B and W", source, node + 1);
    if (!turn)
        return true;
    const GameState *before = &tree->nodes[*at].state;
    const Side side = game_colour(tree->game, before, tree->game->rules->to_move(before));
    if ((side == BLACK) != (black != NULL) && !tree->game->rules->over(before))
        return error_set(error, "%s: node %d: a move of %s, whose turn it is not", source, node + 1,
                         black ? "Black" : "White");
    Error reason;
    *at = game_tree_add(tree, *at, turn, &reason);
    return *at >= 0 || error_set(error, "%s: node %d: %s", source, node + 1, reason.text);
}

static bool read_nodes(const SgfTree *sgf, const char *source, GameTree *tree, Error *error) {
    int *place = malloc((size_t)sgf->node_count * sizeof *place); /* node of the tree of each node of the text */
    bool good = place || error_set(error, "out of memory");
    for (int i = 0; i < sgf->node_count && good; i++) {
        place[i] = i > 0 ? place[sgf->nodes[i].parent] : 0;
        good = read_turn(sgf, i, source, tree, &place[i], error);
        const char *comment = sgf_get(sgf, i, "C");
        if (good && comment)
            good = game_tree_comment(tree, place[i], comment, error);
    }
    free(place);
    return good;
}

static GameTree *read_sgf(const char *text, size_t length, const char *source, const GameOptions *options,
                          Error *error) {
    SgfTree sgf = {0};
    if (!sgf_parse(&sgf, text, length, source, error))
        return NULL;
    GameTree *tree = start_sgf(&sgf, source, options, error);
    if (tree && (!read_set_up(&sgf, source, tree, error) || !read_nodes(&sgf, source, tree, error))) {
        game_tree_free(tree);
        tree = NULL;
    }
    sgf_free(&sgf);
    return tree;
}

/* ---- Records ---- */

static bool fill_from_record(GameTree *tree, const GameRecord *record, Error *error) {
    const Game *game = tree->game;
    for (int side = BLACK; side <= WHITE; side++)
        copy_text(tree->players[side], GAME_TREE_NAME_MAX, record->players[side]);
    GameState state;
    game->rules->start(game, &state, record->komi);
    for (int i = 0, node = 0; i < record->count;) {
        char text[GAME_TEXT_MAX];
        i += game_format_turn(game, &state, record->actions + i, record->count - i, text);
        node = game_tree_add(tree, node, text, error);
        if (node < 0)
            return false;
    }
    return true;
}

static GameTree *read_record(const cJSON *json, const char *text, size_t length, const char *source,
                             const GameOptions *options, Error *error) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(json, "game"),
                *size = cJSON_GetObjectItemCaseSensitive(json, "size");
    GameOptions own = *options;
    own.name = cJSON_IsString(name) ? name->valuestring : NULL;
    own.size = cJSON_IsNumber(size) ? size->valueint : 0;
    GameTree *tree = game_tree_new(&own, 0, error);
    if (!tree)
        return NULL;
    GameRecord record = {0};
    bool good = record_from_line(text, length, source, tree->game, &record, error);
    if (good) {
        game_tree_free(tree);
        tree = game_tree_new(&own, record.komi, error);
        good = tree && fill_from_record(tree, &record, error);
    }
    record_free(&record);
    if (good)
        return tree;
    game_tree_free(tree);
    return NULL;
}

/* ---- Lists of moves ---- */

/* A list as it is read: AbstractPlay begins with komi, then `pie`. */
typedef struct List {
    GameTree *tree;
    GameOptions options;
    int words, node; /* read so far; the newest node */
} List;

static bool list_word(List *list, const char *word, const char *source, Error *error) {
    int komi = 0;
    const int at = list->words++;
    const bool is_komi = at == 0 && read_whole(word, &komi);
    if (!list->tree)
        list->tree = game_tree_new(&list->options, komi, error);
    if (!list->tree)
        return false;
    if (is_komi || (list->words == 2 && !strcasecmp(word, "pie")))
        return true;
    Error reason;
    list->node = game_tree_add(list->tree, list->node, strcasecmp(word, "button") ? word : "take-button", &reason);
    return list->node >= 0 || error_set(error, "%s: move %d: %s", source, at + 1, reason.text);
}

/* The next word and its length; NULL at the end. Numbers of moves (`12.`, `12)`) and dashes are left out. */
static const char *next_word(const char **at, const char *end, size_t *length) {
    for (;;) {
        const char *c = *at;
        while (c < end && (isspace((unsigned char)*c) || *c == ',' || *c == ';' || *c == '|' || *c == '"'))
            c++;
        const char *begin = c;
        while (c < end && !isspace((unsigned char)*c) && *c != ';' && *c != '|' && *c != '"' &&
               !(*c == ',' && (c + 1 == end || isspace((unsigned char)c[1]))))
            c++;
        *at = c;
        *length = (size_t)(c - begin);
        if (*length == 0)
            return NULL;
        size_t digits = 0;
        while (digits < *length && isdigit((unsigned char)begin[digits]))
            digits++;
        if (digits > 0 && digits < *length && (begin[digits] == '.' || begin[digits] == ')')) {
            if (digits + 1 == *length)
                continue; /* the number of a move */
            if (isalpha((unsigned char)begin[digits + 1])) {
                *length -= digits + 1; /* stuck to the move: 1.c3 */
                return begin + digits + 1;
            }
        }
        if (*length > 1 || *begin != '-')
            return begin;
    }
}

static GameTree *end_list(List *list, bool good, const char *source, Error *error) {
    if (good && list->words == 0)
        good = error_set(error, "%s: no moves found", source);
    if (good)
        return list->tree;
    game_tree_free(list->tree);
    return NULL;
}

static GameTree *read_list(const char *text, size_t length, const char *source, const GameOptions *options,
                           Error *error) {
    List list = {.options = *options};
    const char *at = text, *word;
    size_t size;
    bool good = true;
    while (good && (word = next_word(&at, text + length, &size)) != NULL) {
        char copy[WORD_MAX];
        if (size >= sizeof copy)
            good = error_set(error, "%s: '%.40s...' is no move", source, word);
        else {
            memcpy(copy, word, size);
            copy[size] = '\0';
            good = list_word(&list, copy, source, error);
        }
    }
    return end_list(&list, good, source, error);
}

/* AbstractPlay's JSON report: {"header": {"game": {"name", "variants"}, "players": [{"name"}, ...]}, "moves": [[...]]},
 * with a list of moves a round, each a string or an object with `move`. */
static GameTree *read_report(const cJSON *json, const char *source, const GameOptions *options, Error *error) {
    const cJSON *header = cJSON_GetObjectItemCaseSensitive(json, "header");
    const cJSON *game = cJSON_GetObjectItemCaseSensitive(header, "game");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(game, "name");
    const cJSON *variants = cJSON_GetObjectItemCaseSensitive(game, "variants");
    char lower[GAME_NAME_MAX];
    List list = {.options = *options};
    if (cJSON_IsString(name)) {
        snprintf(lower, sizeof lower, "%s", name->valuestring);
        for (char *c = lower; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        list.options.name = lower;
    }
    for (const cJSON *item = variants ? variants->child : NULL; item; item = item->next)
        if (cJSON_IsString(item) && !strncmp(item->valuestring, "size-", 5))
            read_whole(item->valuestring + 5, &list.options.size);
    bool good = true;
    const cJSON *moves = cJSON_GetObjectItemCaseSensitive(json, "moves");
    for (const cJSON *round = cJSON_IsArray(moves) ? moves->child : NULL; round && good; round = round->next)
        for (const cJSON *item = cJSON_IsArray(round) ? round->child : round; item && good;
             item = cJSON_IsArray(round) ? item->next : NULL) {
            const cJSON *move = cJSON_IsObject(item) ? cJSON_GetObjectItemCaseSensitive(item, "move") : item;
            if (cJSON_IsString(move))
                good = list_word(&list, move->valuestring, source, error);
            else if (!cJSON_IsNull(item))
                good = error_set(error, "%s: 'moves' is wrong, expected lists of moves, a list a round", source);
        }
    GameTree *tree = end_list(&list, good, source, error);
    const cJSON *players = cJSON_GetObjectItemCaseSensitive(header, "players");
    for (int side = BLACK; tree && side <= WHITE; side++) {
        const cJSON *player = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(players, side), "name");
        copy_text(tree->players[side], GAME_TREE_NAME_MAX, cJSON_IsString(player) ? player->valuestring : NULL);
    }
    return tree;
}

static GameTree *read_json(const char *text, size_t length, const char *source, const GameOptions *options,
                           Error *error) {
    cJSON *json = json_parse(text, length, source, error);
    if (!json)
        return NULL;
    GameTree *tree = NULL;
    if (cJSON_GetObjectItemCaseSensitive(json, "header"))
        tree = read_report(json, source, options, error);
    else if (cJSON_GetObjectItemCaseSensitive(json, "game"))
        tree = read_record(json, text, length, source, options, error);
    else
        error_set(error,
                  "%s: no game in this JSON, expected a record (with `game', `size' and `moves') or a report of "
                  "AbstractPlay (with `header' and `moves')",
                  source);
    cJSON_Delete(json);
    return tree;
}

GameTree *game_tree_read(const char *text, size_t length, const char *source, const GameOptions *options,
                         Error *error) {
    size_t begin = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0; /* a byte order mark */
    while (begin < length && isspace((unsigned char)text[begin]))
        begin++;
    if (begin < length && text[begin] == '{')
        return read_json(text + begin, length - begin, source, options, error);
    for (size_t i = begin; i < length; i++)
        if (text[i] == '(')
            return read_sgf(text + begin, length - begin, source, options, error);
    return read_list(text + begin, length - begin, source, options, error);
}
