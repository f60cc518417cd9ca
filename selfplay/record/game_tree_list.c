/* Game trees as lists of moves: those that people write, and those of AbstractPlay, as text and in its JSON. Its words
 * are `play-second`, `take-button`, and c3x for a flip; before March 2025 they were `pie`, `button`, and at first c3.
 * All are read, and the newer ones are written. */
#include "selfplay/io/json.h"
#include "selfplay/record/game_tree_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- Reading ---- */

/* A list that is being read. AbstractPlay's lists begin with the komi that the first player names. The second player
 * answers `play-second` (`pie` in older lists), or makes the first move and so has the black stones. */
typedef struct List {
    GameTree *tree;
    GameOptions options;
    int words, moves;          /* read so far */
    int node;                  /* the newest node */
    bool has_komi, second_pie; /* the list begins with komi; the second player let the first one begin */
} List;

/* Whether a word is meant as komi: a number, or one that begins with `komi`. */
static bool means_komi(const char *word) {
    char *end;
    strtod(word, &end);
    return (end != word && !*end) || !strncasecmp(word, "komi", 4);
}

static bool list_word(List *list, const char *word, const char *source, Error *error) {
    int komi = 0;
    const int at = list->words++;
    const bool is_komi = at == 0 && game_tree_read_whole(word, &komi);
    if (!is_komi && means_komi(word))
        return error_set(error, "%s: word %d: '%.40s': expected the komi as the first word of the list, a whole number",
                         source, at + 1, word);
    if (!list->tree)
        list->tree = game_tree_new(&list->options, komi, error);
    if (!list->tree)
        return error_prefix(error, "%s: ", source);
    const bool pie = at == 1 && list->has_komi && (!strcasecmp(word, "pie") || !strcasecmp(word, "play-second"));
    list->has_komi |= is_komi;
    list->second_pie |= pie;
    if (is_komi || pie)
        return true;
    list->moves++;
    list->node = game_tree_add(list->tree, list->node, strcasecmp(word, "button") ? word : "take-button", error);
    return list->node >= 0 || error_prefix(error, "%s: move %d: ", source, list->moves);
}

static bool is_blank(char c) {
    return isspace((unsigned char)c) || c == ';' || c == '|' || c == '"';
}

/* Whether a word ends here. A comma within a word, as in Bug's c5,d3, is part of it. */
static bool separates(const char *c, const char *end) {
    return is_blank(*c) || (*c == ',' && (c + 1 == end || isspace((unsigned char)c[1])));
}

/* The length of the move number that a word begins with (`12.`, `12)`); 0: none. */
static size_t number_length(const char *word, size_t length) {
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)word[digits]))
        digits++;
    return digits > 0 && digits < length && (word[digits] == '.' || word[digits] == ')') ? digits + 1 : 0;
}

/* The next word and its length. NULL at the end. Skips dashes and move numbers. */
static const char *next_word(const char **at, const char *end, size_t *length) {
    for (;;) {
        while (*at < end && (is_blank(**at) || **at == ','))
            ++*at;
        const char *begin = *at;
        while (*at < end && !separates(*at, end))
            ++*at;
        *length = (size_t)(*at - begin);
        if (*length == 0)
            return NULL;
        const size_t number = number_length(begin, *length);
        if (number == *length || (*length == 1 && *begin == '-'))
            continue;
        const size_t skipped = isalpha((unsigned char)begin[number]) ? number : 0; /* no space before the move: 1.c3 */
        *length -= skipped;
        return begin + skipped;
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

GameTree *game_tree_from_list(const char *text, size_t length, const char *source, const GameOptions *options,
                              Error *error) {
    List list = {.options = *options};
    const char *at = text, *word;
    size_t size;
    bool good = true;
    while (good && (word = next_word(&at, text + length, &size)) != NULL) {
        char copy[GAME_TEXT_MAX];
        if (memchr(word, '\0', size))
            good = error_set(error, "%s: word %d has a NUL byte, expected text", source, list.words + 1);
        else if (size >= sizeof copy)
            good = error_set(error, "%s: '%.40s...' is not a move", source, word);
        else {
            memcpy(copy, word, size);
            copy[size] = '\0';
            good = list_word(&list, copy, source, error);
        }
    }
    return end_list(&list, good, source, error);
}

/* ---- AbstractPlay's report ---- */

/* The size that a variant names: `size-7`, or `Smaller board (base 7)`, as AbstractPlay's reports write it. */
static void read_size(const char *variant, int *size) {
    const char *base = strstr(variant, "(base ");
    char number[8];
    snprintf(number, sizeof number, "%s", base ? base + 6 : !strncmp(variant, "size-", 5) ? variant + 5 : "");
    number[strspn(number, "0123456789")] = '\0';
    game_tree_read_whole(number, size);
}

/* Takes game and size into `options`, if there is a name. `name` holds the name of the game; another one than that of
 * the options is played in its usual variant. False with an error for a variant with other rules. */
static bool read_game(const cJSON *given, const cJSON *variants, GameOptions *options, char name[GAME_TREE_GAME_MAX],
                      const char *source, Error *error) {
    if (cJSON_IsString(given)) {
        game_tree_game_name(given->valuestring, name);
        if (strcmp(name, options->name ? options->name : "stigmergy") != 0)
            *options = (GameOptions){.size = options->size, .kernel = options->kernel};
        options->name = name;
        if (!strcmp(name, "stigmergy"))
            options->size = GAME_TREE_SITE_SIZE;
    }
    for (const cJSON *item = variants ? variants->child : NULL; item; item = item->next) {
        if (!cJSON_IsString(item))
            continue;
        if (!strcasecmp(item->valuestring, "tumpletore"))
            return error_set(error, "%s: the variant '%s' has other rules of control, which this program does not play",
                             source, item->valuestring);
        read_size(item->valuestring, &options->size);
    }
    return true;
}

/* A move of a report: a string, an object with `move`, or null. */
static bool report_move(List *list, const cJSON *item, const char *source, Error *error) {
    const cJSON *move = cJSON_IsObject(item) ? json_get(item, "move") : item;
    if (cJSON_IsString(move))
        return list_word(list, move->valuestring, source, error);
    return cJSON_IsNull(item) ||
           error_set(error, "%s: 'moves' is wrong, expected a list of moves for each round", source);
}

/* {"header": {"game": {"name", "variants"}, "players": [{"name"}, ...]}, "moves": [[...]]}. `moves` has a list of moves
 * for each round, or one move instead of the list. */
GameTree *game_tree_from_report(const cJSON *json, const char *source, const GameOptions *options, Error *error) {
    const cJSON *header = json_get(json, "header");
    const cJSON *game = json_get(header, "game");
    const cJSON *moves = json_get(json, "moves");
    char name[GAME_TREE_GAME_MAX];
    List list = {.options = *options};
    if (!read_game(json_get(game, "name"), json_get(game, "variants"), &list.options, name, source, error))
        return NULL;
    bool good = true;
    for (const cJSON *round = cJSON_IsArray(moves) ? moves->child : NULL; round && good; round = round->next) {
        if (!cJSON_IsArray(round))
            good = report_move(&list, round, source, error);
        for (const cJSON *item = cJSON_IsArray(round) ? round->child : NULL; item && good; item = item->next)
            good = report_move(&list, item, source, error);
    }
    GameTree *tree = end_list(&list, good, source, error);
    const cJSON *players = json_get(header, "players");
    const bool swapped = list.has_komi && !list.second_pie;
    for (int side = BLACK; tree && side <= WHITE; side++) {
        const cJSON *player = json_get(cJSON_GetArrayItem(players, swapped ? 1 - side : side), "name");
        game_tree_copy_name(tree->players[side], cJSON_GetStringValue(player));
    }
    return tree;
}

/* ---- AbstractPlay's states ---- */

/* {"game", "variants", "stack": [{}, {"lastmove"}, ...]}: the state of a game, which the site shows for debugging. */
GameTree *game_tree_from_state(const cJSON *json, const char *source, const GameOptions *options, Error *error) {
    const cJSON *stack = json_get(json, "stack");
    char name[GAME_TREE_GAME_MAX];
    List list = {.options = *options};
    bool good = read_game(json_get(json, "game"), json_get(json, "variants"), &list.options, name, source, error);
    for (const cJSON *entry = cJSON_IsArray(stack) && stack->child ? stack->child->next : NULL; entry && good;
         entry = entry->next) {
        const cJSON *move = json_get(entry, "lastmove");
        good =
            cJSON_IsString(move)
                ? list_word(&list, move->valuestring, source, error)
                : error_set(error, "%s: 'stack' is wrong, expected a 'lastmove' in each entry but the first", source);
    }
    return end_list(&list, good, source, error);
}

/* ---- Writing ---- */

char *game_tree_to_list(const GameTree *tree, Error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = tree->set_up ? NULL : open_memstream(&text, &length);
    if (!out) {
        error_set(error, tree->set_up
                             ? "a list of moves must begin at the start position, but this game was set up by hand"
                             : "out of memory for the text of a game");
        return NULL;
    }
    int number = 0;
    if (tree->game->has_points)
        fprintf(out, "%d. %d play-second", ++number, tree->komi);
    for (int i = game_tree_next(tree, 0), ply = 0; i >= 0; i = game_tree_next(tree, i), ply++) {
        if (ply % 2 == 0)
            fprintf(out, number ? "\n%d. " : "%d. ", number + 1), number++;
        else
            fputc(' ', out);
        fputs(tree->nodes[i].turn, out);
    }
    fputc('\n', out);
    const bool good = !ferror(out);
    if (fclose(out) == 0 && good)
        return text;
    free(text);
    error_set(error, "out of memory for the text of a game");
    return NULL;
}
