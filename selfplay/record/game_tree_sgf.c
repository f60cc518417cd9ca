/* Game trees as SGF. selfplay/docs/sgf.md lists the properties. */
#include "engine/base/list.h"
#include "selfplay/io/variants.h"
#include "selfplay/record/game_tree_internal.h"
#include "selfplay/record/sgf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- Reading ---- */

/* Which of two words `text` is, after a key: 0, 1; -1 for another one. */
static int find_value(const char *text, size_t length, const char *const values[2]) {
    for (int i = 0; i < 2; i++)
        if (strlen(values[i]) == length && !strncasecmp(text, values[i], length))
            return i;
    return -1;
}

/* Reads a word of RU. False if it is a variant with an unknown value; other words are those of other programs. */
static bool read_variant(const char *word, size_t length, GameOptions *options) {
    static const char capture[] = "capture=", pie[] = "pie=";
    const size_t of_capture = sizeof capture - 1, of_pie = sizeof pie - 1;
    int value = 0;
    if (!strncasecmp(word, capture, of_capture)) {
        value = find_value(word + of_capture, length - of_capture, variants_captures);
        options->capture = value == 0 ? GAME_CAPTURE_DEFAULT : GAME_CAPTURE_LINE; /* free: also of other games */
    } else if (!strncasecmp(word, pie, of_pie)) {
        value = find_value(word + of_pie, length - of_pie, variants_pies);
        options->pie = (GamePie)(GAME_PIE_OFF + value);
    }
    return value >= 0;
}

/* Reads the variants, words in RU. */
static bool read_variants(const SgfTree *sgf, const char *source, GameOptions *options, Error *error) {
    static const char blanks[] = " \t\r\n,;";
    const char *text = sgf_get(sgf, 0, "RU");
    for (size_t length; text && *text; text += length) {
        text += strspn(text, blanks);
        length = strcspn(text, blanks);
        if (!read_variant(text, length, options))
            return error_set(error, "%s: RU has '%.*s', expected capture=free, capture=line, pie=on or pie=off", source,
                             length < 40 ? (int)length : 40, text);
    }
    return true;
}

/* Reads a number between -limit and limit; NAN where there is none. */
static double read_number(const SgfTree *sgf, int node, const char *property, double limit) {
    const char *text = sgf_get(sgf, node, property);
    char *end;
    const double value = text && *text ? strtod(text, &end) : NAN;
    return text && *text && !*end && fabs(value) <= limit ? value : NAN;
}

static bool is_time(double seconds) {
    return seconds >= 0 && seconds <= GAME_TREE_SECONDS_MAX;
}

/* Reads what comes after the main time: "5x30 byo-yomi", "10 fischer". False for anything else. */
static bool read_overtime(const char *text, GameTreeClock *clock) {
    char *end;
    const double number = strtod(text, &end);
    if (!strcasecmp(end, " fischer")) {
        clock->increment = number;
        return is_time(number);
    }
    if (*end != 'x' || !(number >= 1 && number <= GAME_TREE_PERIODS_MAX) || number != (int)number)
        return false;
    clock->periods = (int)number;
    clock->period = strtod(end + 1, &end);
    return is_time(clock->period) && !strcasecmp(end, " byo-yomi");
}

static void drop(GameTree *tree, const char *property) {
    if (!tree->dropped[0])
        text_copy(tree->dropped, sizeof tree->dropped, property);
}

/* The clock: TM and OT. A game with another overtime has no clock here. */
static void read_clock(const SgfTree *sgf, GameTree *tree) {
    const double main_time = read_number(sgf, 0, "TM", GAME_TREE_SECONDS_MAX);
    const char *overtime = sgf_get(sgf, 0, "OT");
    GameTreeClock clock = {.main_time = main_time > 0 ? main_time : 0};
    if (!overtime || !*overtime || read_overtime(overtime, &clock))
        tree->clock = clock;
    else
        drop(tree, "OT");
}

/* The time that the one who made the turn of a node had left: BL or WL, and OB or OW in byo-yomi by periods. (With
 * other overtimes these are moves.) */
static void read_time_left(const SgfTree *sgf, int from, const GameTreeClock *clock, GameTreeNode *node) {
    const bool black = sgf_get(sgf, from, "B") != NULL, turn = black || sgf_get(sgf, from, "W");
    const double left = read_number(sgf, from, black ? "BL" : "WL", GAME_TREE_SECONDS_MAX),
                 periods = read_number(sgf, from, black ? "OB" : "OW", GAME_TREE_PERIODS_MAX);
    if (!turn || !(left >= 0))
        return;
    node->time_left = left;
    node->periods_left = clock->period > 0 && periods >= 0 ? (int)periods : 0;
}

#define SGF_GO "1" /* in GM: what most files of SGF are */

/* A tree with the data of the root, without stones and turns. */
static GameTree *start_sgf(const SgfTree *sgf, const char *source, const GameOptions *options, Error *error) {
    const char *name = sgf_get(sgf, 0, "GM"), *size_text = sgf_get(sgf, 0, "SZ"), *komi_text = sgf_get(sgf, 0, "KM");
    char game[GAME_TREE_GAME_MAX];
    int size = 0, komi = 0;
    if (name && !strcmp(name, SGF_GO)) {
        error_set(error, "%s: this is a game of Go (GM[" SGF_GO "]), expected one of stigmergy, bug or sgolte", source);
        return NULL;
    }
    game_tree_game_name(name ? name : options->name ? options->name : "stigmergy", game);
    if (!size_text || !game_tree_read_whole(size_text, &size)) {
        if (size_text)
            error_set(error, "%s: SZ is '%.40s', expected the board size, a whole number", source, size_text);
        else
            error_set(error, "%s: SZ is missing, expected the board size, a whole number", source);
        return NULL;
    }
    if (komi_text && !game_tree_read_whole(komi_text, &komi)) {
        error_set(error, "%s: KM is '%.40s', expected komi, a whole number", source, komi_text);
        return NULL;
    }
    GameOptions own = {.name = game, .size = size, .kernel = options->kernel};
    if (!read_variants(sgf, source, &own, error))
        return NULL;
    GameTree *tree = game_tree_new(&own, komi, error);
    if (!tree) {
        error_prefix(error, "%s: ", source);
        return NULL;
    }
    game_tree_copy_name(tree->date, sgf_get(sgf, 0, "DT"));
    game_tree_copy_name(tree->result, sgf_get(sgf, 0, "RE"));
    read_clock(sgf, tree);
    return tree;
}

static bool read_stones(const SgfTree *sgf, const char *name, uint8_t colour, const char *source, const Hexhex *board,
                        uint8_t stones[HEXHEX_MAX_CELLS], Error *error) {
    const SgfProperty *property = sgf_property(sgf, 0, name);
    for (int i = 0; property && i < property->values; i++) {
        const char *text = sgf_value(sgf, property, i);
        const int cell = hexhex_named(board, text);
        if (cell < 0)
            return error_set(error, "%s: %s has '%.40s', expected cells of hexhex-%d", source, name, text, board->size);
        if (stones[cell])
            return error_set(error, "%s: two stones are set up on '%.40s'", source, text);
        stones[cell] = colour;
    }
    return true;
}

/* Sets up the stones of the root and who moves first. */
static bool read_set_up(const SgfTree *sgf, const char *source, GameTree *tree, Error *error) {
    const char *player = sgf_get(sgf, 0, "PL");
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    const Hexhex *board = &tree->game->board;
    if (!read_stones(sgf, "AB", 1, source, board, stones, error) ||
        !read_stones(sgf, "AW", 2, source, board, stones, error))
        return false;
    const bool white = player && !strcasecmp(player, "W");
    if (player && !white && strcasecmp(player, "B"))
        return error_set(error, "%s: PL is '%.40s', expected B or W", source, player);
    const Side first = white ? WHITE : BLACK;
    return game_tree_set_up(tree, stones, first, error) || error_prefix(error, "%s: ", source);
}

/* Plays the turn of a node, if it has one. *at becomes the node of the game tree after it. */
static bool read_turn(const SgfTree *sgf, int node, const char *source, GameTree *tree, int *at, Error *error) {
    const char *black = sgf_get(sgf, node, "B"), *white = sgf_get(sgf, node, "W"), *turn = black ? black : white;
    if (node > 0 && (sgf_property(sgf, node, "AB") || sgf_property(sgf, node, "AW") || sgf_property(sgf, node, "AE")))
        return error_set(error, "%s: node %d: stones are set up during the game, expected them at its root", source,
                         node + 1);
    if (black && white)
        return error_set(error, "%s: node %d: moves of both sides, expected one of B and W", source, node + 1);
    if (!turn)
        return true;
    const GameState *before = &tree->nodes[*at].state;
    const Side side = game_colour(tree->game, before, tree->game->rules->to_move(before));
    if ((side == BLACK) != (black != NULL) && !tree->game->rules->over(before))
        return error_set(error, "%s: node %d: a move of %s out of turn", source, node + 1, black ? "Black" : "White");
    *at = game_tree_add(tree, *at, turn, error);
    return *at >= 0 || error_prefix(error, "%s: node %d: ", source, node + 1);
}

/* What an analysis found: Black's chance in per cent as Sabaki writes it, and SGF's own value, in points. */
static void read_findings(const SgfTree *sgf, int from, GameTreeNode *node) {
    const double chance = read_number(sgf, from, "SBKV", 100) / 100;
    node->chance = chance >= 0 ? chance : node->chance;
    const double lead = read_number(sgf, from, "V", 2 * HEXHEX_MAX_CELLS);
    node->lead = isnan(lead) ? node->lead : lead;
}

/* The comments of a position: nodes of the text without a turn, and equal variations, may each have one. */
typedef struct Comments {
    char *text;
    size_t length, capacity, newest; /* where the newest one begins */
} Comments;

static bool add_comment(Comments *all, const char *comment) {
    const size_t length = comment ? strlen(comment) : 0;
    if (length == 0 || (all->length > 0 && !strcmp(all->text + all->newest, comment)))
        return true;
    if (!list_grow_bytes(&all->text, &all->capacity, all->length + length + 2))
        return false;
    if (all->length > 0)
        all->text[all->length++] = '\n';
    all->newest = all->length;
    memcpy(all->text + all->length, comment, length + 1);
    all->length += length;
    return true;
}

/* Reads the comments. `place` has the node of the game tree by the node of the text. */
static bool read_comments(const SgfTree *sgf, const int *place, GameTree *tree, Error *error) {
    Comments *all = calloc((size_t)tree->count, sizeof *all);
    bool good = all != NULL;
    for (int i = 0; i < sgf->node_count && good; i++)
        good = add_comment(&all[place[i]], sgf_get(sgf, i, "C"));
    for (int i = 0; all && i < tree->count; i++) {
        good = good && game_tree_comment(tree, i, all[i].text, error);
        free(all[i].text);
    }
    free(all);
    return good || error_set(error, "out of memory");
}

/* Whether this is an empty node before other variations: the line ends at its parent. */
static bool is_end(const SgfTree *sgf, int node) {
    const SgfNode *at = &sgf->nodes[node];
    return at->properties == 0 && at->first_child < 0 && at->next_sibling >= 0 &&
           sgf->nodes[at->parent].first_child == node;
}

/* A later variation may begin as the whole first one and go on: the first one ends where its text ends all the same. */
static void mark_end(const SgfTree *sgf, const int *place, GameTree *tree) {
    int last = 0;
    while (sgf->nodes[last].first_child >= 0)
        last = sgf->nodes[last].first_child;
    if (tree->nodes[place[last]].first_child >= 0)
        tree->nodes[place[last]].ends = true;
}

static bool read_nodes(const SgfTree *sgf, const char *source, GameTree *tree, Error *error) {
    int *place = malloc((size_t)sgf->node_count * sizeof *place); /* node of the game tree, by node of the text */
    bool good = place || error_set(error, "out of memory");
    for (int i = 0; i < sgf->node_count && good; i++) {
        place[i] = i > 0 ? place[sgf->nodes[i].parent] : 0;
        good = read_turn(sgf, i, source, tree, &place[i], error);
        if (good) {
            read_findings(sgf, i, &tree->nodes[place[i]]);
            read_time_left(sgf, i, &tree->clock, &tree->nodes[place[i]]);
            /* A variation before this one may have gone on from an equal turn: then the line does not end. */
            if (is_end(sgf, i) && tree->nodes[place[i]].first_child < 0)
                tree->nodes[place[i]].ends = true;
        }
    }
    if (good)
        mark_end(sgf, place, tree);
    good = good && read_comments(sgf, place, tree, error);
    free(place);
    return good;
}

/* The player who has this colour at the end of the first variation. Names are those of the colours there, as the result
 * is: after a swap the player who began has White. */
static Side player_of(const GameTree *tree, Side colour) {
    return game_colour(tree->game, &tree->nodes[game_tree_end(tree)].state, colour);
}

static void read_names(const SgfTree *sgf, GameTree *tree) {
    game_tree_copy_name(tree->players[player_of(tree, BLACK)], sgf_get(sgf, 0, "PB"));
    game_tree_copy_name(tree->players[player_of(tree, WHITE)], sgf_get(sgf, 0, "PW"));
}

/* The properties that this file reads, those with lists of values first. */
static const char *const known[] = {"AB", "AW", "AE", "GM", "SZ", "KM", "RU", "PB", "PW", "DT",   "RE", "TM",
                                    "OT", "PL", "B",  "W",  "C",  "BL", "WL", "OB", "OW", "SBKV", "V"};
enum { KNOWN = sizeof known / sizeof known[0], LISTS = 3 };

static int find_known(const char *name) {
    int i = 0;
    while (i < KNOWN && strcmp(known[i], name) != 0)
        i++;
    return i;
}

/* Notes in the tree which of its properties are not kept. Those of the format itself are written anew. */
static void note_dropped(const SgfTree *sgf, GameTree *tree) {
    static const char *const format[] = {"FF", "CA", "AP", "ST"};
    for (int i = 0; i < sgf->property_count; i++) {
        const char *name = sgf->properties[i].name;
        bool own = find_known(name) < KNOWN;
        for (size_t j = 0; j < sizeof format / sizeof format[0]; j++)
            own |= !strcmp(name, format[j]);
        if (!own)
            drop(tree, name);
    }
}

/* Whether no property says two things: what is read would be a guess. */
static bool check_once(const SgfTree *sgf, int node, const char *source, Error *error) {
    uint32_t seen = 0;
    for (int i = 0; i < sgf->nodes[node].properties; i++) {
        const SgfProperty *property = &sgf->properties[sgf->nodes[node].first_property + i];
        const int number = find_known(property->name);
        if (number == KNOWN)
            continue;
        if (seen >> number & 1)
            return error_set(error, "%s: node %d: %s is given twice, expected once", source, node + 1, property->name);
        if (number >= LISTS && property->values > 1)
            return error_set(error, "%s: node %d: %s has %d values, expected one", source, node + 1, property->name,
                             property->values);
        seen |= 1u << number;
    }
    return true;
}

static GameTree *read_tree(const SgfTree *sgf, const char *source, const GameOptions *options, Error *error) {
    bool good = true;
    for (int i = 0; i < sgf->node_count && good; i++)
        good = check_once(sgf, i, source, error);
    GameTree *tree = good ? start_sgf(sgf, source, options, error) : NULL;
    if (tree && (!read_set_up(sgf, source, tree, error) || !read_nodes(sgf, source, tree, error))) {
        game_tree_free(tree);
        tree = NULL;
    }
    if (tree) {
        read_names(sgf, tree);
        note_dropped(sgf, tree);
    }
    return tree;
}

GameTree *game_tree_from_sgf(const char *text, size_t length, const char *source, const GameOptions *options,
                             Error *error) {
    SgfTree sgf = {0};
    if (!sgf_parse(&sgf, text, length, source, error))
        return NULL;
    const TextPoints points = text_points_begin();
    GameTree *tree = read_tree(&sgf, source, options, error);
    text_points_end(points);
    sgf_free(&sgf);
    return tree;
}

/* ---- Writing ---- */

/* Appends a property with one value to the newest node. */
static bool add(SgfTree *sgf, const char *name, const char *value) {
    return sgf_add_property(sgf, name) && sgf_add_value(sgf, value, strlen(value));
}

static bool add_number(SgfTree *sgf, const char *name, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    return add(sgf, name, text);
}

static bool add_stones(SgfTree *sgf, const GameTree *tree, const char *name, int colour) {
    const Hexhex *board = &tree->game->board;
    bool good = true, begun = false;
    for (int c = 0; c < board->cells && good; c++) {
        if (tree->stones[c] != colour)
            continue;
        char cell[HEXHEX_NAME_SIZE];
        const size_t length = hexhex_name(board, c, cell);
        good = (begun || sgf_add_property(sgf, name)) && sgf_add_value(sgf, cell, length);
        begun = true;
    }
    return good;
}

/* Adds the result: by the rules if the first variation ends the game, otherwise the result of the source. SGF names the
 * colour that has won. After a swap this is not the colour with which the winner began. */
static bool add_result(SgfTree *sgf, const GameTree *tree) {
    const Game *game = tree->game;
    const GameState *end = &tree->nodes[game_tree_end(tree)].state;
    char text[16];
    if (!game->rules->over(end))
        return !tree->result[0] || add(sgf, "RE", tree->result);
    GameResult result = game->rules->result(game, end);
    result.winner = game_colour(game, end, result.winner);
    game_format_result(game, result, text);
    return add(sgf, "RE", text);
}

/* Adds the variants that are not the usual ones of the game. */
static bool add_variants(SgfTree *sgf, const GameTree *tree) {
    char text[VARIANTS_WORDS_MAX];
    variants_words(tree->game->capture, tree->game->pie, text);
    return !text[0] || add(sgf, "RU", text);
}

static bool add_clock(SgfTree *sgf, const GameTree *tree) {
    const GameTreeClock *clock = &tree->clock;
    char text[48];
    if (!game_tree_has_clock(tree))
        return true;
    snprintf(text, sizeof text, "%.10g", clock->main_time);
    if (!add(sgf, "TM", text))
        return false;
    if (clock->period > 0)
        snprintf(text, sizeof text, "%dx%.10g byo-yomi", clock->periods, clock->period);
    else
        snprintf(text, sizeof text, "%.10g fischer", clock->increment);
    return (clock->period == 0 && clock->increment == 0) || add(sgf, "OT", text);
}

/* Adds the time that `side`, who has made the node's turn, had left. */
static bool add_time_left(SgfTree *sgf, const GameTreeNode *node, Side side) {
    char text[32];
    if (isnan(node->time_left))
        return true;
    snprintf(text, sizeof text, "%.10g", node->time_left);
    return add(sgf, side == BLACK ? "BL" : "WL", text) &&
           (node->periods_left == 0 || add_number(sgf, side == BLACK ? "OB" : "OW", node->periods_left));
}

static bool add_root(SgfTree *sgf, const GameTree *tree) {
    const Game *game = tree->game;
    bool good = sgf_add_node(sgf, -1) == 0 && add(sgf, "FF", "4") && add(sgf, "CA", "UTF-8") &&
                add(sgf, "AP", "stigmergy:" STIGMERGY_VERSION) && add(sgf, "GM", game->name) &&
                add_number(sgf, "SZ", game->board.size);
    if (game->has_points)
        good = good && add_number(sgf, "KM", tree->komi);
    good = good && add_variants(sgf, tree);
    const char *black = tree->players[player_of(tree, BLACK)], *white = tree->players[player_of(tree, WHITE)];
    if (black[0])
        good = good && add(sgf, "PB", black);
    if (white[0])
        good = good && add(sgf, "PW", white);
    if (tree->date[0])
        good = good && add(sgf, "DT", tree->date);
    good = good && add_result(sgf, tree) && add_clock(sgf, tree);
    if (tree->set_up)
        good = good && add_stones(sgf, tree, "AB", 1) && add_stones(sgf, tree, "AW", 2) &&
               add(sgf, "PL", tree->first == BLACK ? "B" : "W");
    return good;
}

static bool add_findings(SgfTree *sgf, const GameTreeNode *node) {
    char text[32];
    bool good = true;
    if (!isnan(node->chance)) {
        snprintf(text, sizeof text, "%.2f", 100 * node->chance);
        good = add(sgf, "SBKV", text);
    }
    if (!isnan(node->lead)) {
        snprintf(text, sizeof text, "%.1f", node->lead);
        good = good && add(sgf, "V", text);
    }
    return good;
}

/* The nodes keep their numbers, although they stand in another order in the text. The writer finds that order. If turns
 * follow the end of the first variation, an empty node stands before them; the numbers behind it are one higher. */
char *game_tree_to_sgf(const GameTree *tree, Error *error) {
    SgfTree sgf = {0};
    const TextPoints points = text_points_begin();
    const int end = game_tree_end(tree), marked = tree->nodes[end].first_child >= 0 ? end : tree->count;
    bool good = add_root(&sgf, tree);
    for (int i = 0; i < tree->count && good; i++) {
        const GameTreeNode *node = &tree->nodes[i];
        if (i > 0) {
            const GameState *before = &tree->nodes[node->parent].state;
            const Side side = game_colour(tree->game, before, tree->game->rules->to_move(before));
            good = sgf_add_node(&sgf, node->parent + (node->parent > marked)) >= 0 &&
                   add(&sgf, side == BLACK ? "B" : "W", node->turn) && add_time_left(&sgf, node, side);
        }
        if (good && node->comment)
            good = add(&sgf, "C", node->comment);
        good = good && add_findings(&sgf, node);
        if (good && i == marked)
            good = sgf_add_node(&sgf, i) >= 0;
    }
    text_points_end(points);
    char *text = good ? sgf_write(&sgf) : NULL;
    sgf_free(&sgf);
    if (!text)
        error_set(error, "out of memory for the text of a game");
    return text;
}
