/* See session.h: the choice of komi, turns, and the computer's part. */
#include "engine/game/turns.h"
#include "selfplay/analysis/komi_offer.h"
#include "selfplay/io/file.h"
#include "selfplay/record/board_text.h"
#include "tools/cli/options.h"
#include "tools/play/session_internal.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>

enum { WORD_MAX = 2048, LOOKED_AT = 20000 /* turns that are looked through for a completion */ };

/* ---- The position ---- */

const char *play_colour(const Play *play, Side player) {
    return game_colour(play->tree->game, play_state(play), player) == BLACK ? "Black" : "White";
}

bool play_is_human(const Play *play, Side player) {
    return play->options.human == PLAY_BOTH || (play->options.human == PLAY_AS_BLACK) == (player == BLACK);
}

bool play_is_over(const Play *play) {
    return play->resigned || play->tree->game->rules->over(play_state(play));
}

static Side side_to_move(const Play *play) {
    return play->tree->game->rules->to_move(play_state(play));
}

static void show_result(Play *play) {
    const Game *game = play->tree->game;
    if (play->resigned) {
        fprintf(play->out, "%s has resigned: %s wins.\n", play_colour(play, side_to_move(play)),
                play_colour(play, side_opponent(side_to_move(play))));
        return;
    }
    const Side winner = game->rules->result(game, play_state(play)).winner;
    fprintf(play->out, "The game is over: %s wins", play_colour(play, winner));
    if (game->has_points) {
        char score[16];
        board_text_score(game, play_state(play), score);
        fprintf(play->out, ", %s", score);
    }
    if (play->options.human != PLAY_BOTH)
        fprintf(play->out, ". %s", play_is_human(play, winner) ? "Well played" : "The computer has won");
    fprintf(play->out, ". (`undo' takes back, `save FILE' keeps the game, `quit' leaves.)\n");
}

void play_show(Play *play) {
    static const char *const buttons[] = {"", ", the button lies on the table", ", Black has the button",
                                          ", White has the button"};
    const Game *game = play->tree->game;
    const GameState *state = play_state(play);
    const int parent = play->tree->nodes[play->node].parent;
    fputc('\n', play->out);
    play_board_draw(game, state, parent >= 0 ? &play->tree->nodes[parent].state : NULL, play->options.style, play->out);
    if (game->has_points) {
        int cells[2];
        game->rules->board_score(game, state, cells);
        fprintf(play->out, "Black %d, White %d cells, komi %d%s\n", cells[BLACK], cells[WHITE], play->tree->komi,
                buttons[game->rules->button ? game->rules->button(state) : 0]);
    }
    if (play_is_over(play))
        show_result(play);
    else
        fprintf(play->out, "%s to move.\n", play_colour(play, side_to_move(play)));
}

bool play_new_search(Play *play, Error *error) {
    Search *search = player_new_search(&play->options.player, play->tree->game, play->options.seed, error);
    if (!search)
        return false;
    search_free(play->search);
    play->search = search;
    search_set_position(search, play_state(play));
    return true;
}

void play_go_to(Play *play, int node) {
    play->node = node;
    play->resigned = false;
    search_set_position(play->search, play_state(play));
}

bool play_turn(Play *play, const char *text, Error *error) {
    const Game *game = play->tree->game;
    Action turn[GAME_TURN_MAX];
    GameState state;
    int count;
    game_copy(game, &state, play_state(play));
    if (!game_play_text(game, &state, text, turn, &count, error))
        return false;
    const int node = game_tree_add(play->tree, play->node, text, error);
    if (node < 0)
        return false;
    for (int i = 0; i < count; i++)
        search_play(play->search, turn[i]);
    play->node = node;
    return true;
}

/* ---- The computer ---- */

static void say_chance(Play *play, const SearchSummary *summary) {
    if (summary->proven)
        fprintf(play->out, summary->win_rate > 0.5 ? " It has a certain win." : " Its loss is certain.");
    else if (summary->simulations > 0)
        fprintf(play->out, " It gives itself %.0f%%.", 100 * summary->win_rate);
}

void play_computer(Play *play) {
    const GameRules *rules = play->tree->game->rules;
    while (!play_is_over(play) && !play_is_human(play, side_to_move(play))) {
        Action turn[GAME_TURN_MAX], legal[GAME_LEGAL_MAX];
        GameState state;
        SearchSummary summary = {0};
        int count = 0;
        game_copy(play->tree->game, &state, play_state(play));
        atomic_store(play->options.stop, false);
        do {
            const SearchLimits limits = player_limits(&play->options.player, play->options.stop);
            if (rules->legal(play->tree->game, &state, legal) > 1) {
                const SearchSummary found = search_run(play->search, &limits);
                summary = count == 0 ? found : summary;
            }
            turn[count] = search_best(play->search);
            search_play(play->search, turn[count]);
            rules->apply(play->tree->game, &state, turn[count++]);
        } while (!rules->over(&state) && !rules->turn_start(&state));
        char text[GAME_TEXT_MAX];
        Error error;
        const char *colour = play_colour(play, side_to_move(play));
        game_copy(play->tree->game, &state, play_state(play));
        game_format_turn(play->tree->game, &state, turn, count, text);
        const int node = game_tree_add(play->tree, play->node, text, &error);
        if (node < 0) {
            fprintf(play->out, "%s\n", error.text);
            play->over = true;
            return;
        }
        play->node = node;
        play_show(play);
        fprintf(play->out, "The computer (%s) plays %s.", colour, text);
        say_chance(play, &summary);
        fputc('\n', play->out);
    }
}

/* ---- The choice of komi ---- */

static void start_game(Play *play, int komi, PlayHuman human) {
    play->stage = PLAY_GAME;
    play->options.human = human;
    play->tree->komi = komi;
    play->tree->game->rules->start(play->tree->game, &play->tree->nodes[0].state, komi);
    search_set_position(play->search, play_state(play));
    if (human != PLAY_BOTH)
        fprintf(play->out, "Komi is %d. You play %s.\n", komi, human == PLAY_AS_BLACK ? "Black" : "White");
    play_show(play);
    play_computer(play);
}

/* The computer's part; `side` NULL: it names the komi, else it chooses a side. False with a message. */
static bool ask_computer(Play *play, int *komi, Side *side) {
    Error error;
    double chance;
    const Game *game = play->tree->game;
    const AnalysisOptions options = {.workers = 1, .threads = play->options.player.search_threads};
    Analysis *analysis = analysis_new(&options, &error);
    fprintf(play->out, "The computer thinks about it ...\n");
    fflush(play->out);
    const bool good = analysis && (side ? komi_offer_choose(analysis, game, &play->options.player, play->options.seed,
                                                            *komi, side, &chance, &error)
                                        : komi_offer_name(analysis, game, &play->options.player, play->options.seed,
                                                          komi, &chance, &error));
    analysis_free(analysis);
    if (!good)
        fprintf(play->out, "%s\n", error.text);
    return good;
}

static void name_komi(Play *play, const char *line) {
    const int limit = play->tree->game->board.cells;
    Error error;
    int komi;
    Side side;
    if (!*line || !strcmp(line, "computer")) {
        if (!ask_computer(play, &komi, NULL))
            return;
        play->tree->komi = komi;
        play->stage = PLAY_CHOOSE_SIDE;
        fprintf(play->out, "The computer names komi %d. You choose: black or white?\n", komi);
    } else if (!read_int("komi", line, -limit, limit, &komi, &error)) {
        fprintf(play->out, "%s, or `computer'\n", error.text);
    } else if (ask_computer(play, &komi, &side)) {
        fprintf(play->out, "The computer chooses %s.\n", side == BLACK ? "Black" : "White");
        start_game(play, komi, side == BLACK ? PLAY_AS_WHITE : PLAY_AS_BLACK);
    }
}

static void choose_side(Play *play, const char *line) {
    if (!strcmp(line, "b") || !strcmp(line, "black"))
        start_game(play, play->tree->komi, PLAY_AS_BLACK);
    else if (!strcmp(line, "w") || !strcmp(line, "white"))
        start_game(play, play->tree->komi, PLAY_AS_WHITE);
    else
        fprintf(play->out, "'%.40s', expected black or white\n", line);
}

/* ---- Its life ---- */

bool play_load(Play *play, const char *path, Error *error) {
    size_t length;
    char *text = file_read(path, &length, error);
    GameTree *tree = text ? game_tree_read(text, length, path, &play->options.game, error) : NULL;
    free(text);
    if (!tree)
        return false;
    GameTree *old = play->tree;
    const int old_node = play->node;
    play->tree = tree;
    play->node = game_tree_end(tree);
    if (!play_new_search(play, error)) { /* which leaves the old one in place */
        play->tree = old;
        play->node = old_node;
        game_tree_free(tree);
        return false;
    }
    play->resigned = tree->result[0] && !strcmp(tree->result + 1, "+R");
    play->stage = PLAY_GAME;
    play->saved = play->node;
    game_tree_free(old);
    return true;
}

Play *play_new(const PlayOptions *options, FILE *out, Error *error) {
    Play *play = calloc(1, sizeof *play);
    if (!play) {
        error_set(error, "out of memory");
        return NULL;
    }
    play->out = out;
    play->options = *options;
    play->tree = game_tree_new(&options->game, options->komi, error);
    if (!play->tree || !play_new_search(play, error) || (options->load && !play_load(play, options->load, error))) {
        play_free(play);
        return NULL;
    }
    play->stage = options->choose && !options->load && play->tree->game->has_points ? PLAY_NAME_KOMI : PLAY_GAME;
    return play;
}

void play_free(Play *play) {
    if (!play)
        return;
    search_free(play->search);
    game_tree_free(play->tree);
    free(play);
}

void play_begin(Play *play) {
    const Game *game = play->tree->game;
    fprintf(play->out, "%c%s on hexhex-%d. Type a move, or `help'.\n", toupper((unsigned char)*game->name),
            game->name + 1, game->board.size);
    play_board_legend(game, play->options.style, play->out);
    if (play->stage == PLAY_GAME) {
        play_show(play);
        play_computer(play);
    } else {
        fprintf(play->out, "One names the komi (White's points), the other chooses sides.\nName it, or type `computer' "
                           "(or nothing) to let the computer do so.\n");
    }
    fflush(play->out);
}

static void take_turn(Play *play, const char *line) {
    Error error;
    if (play_is_over(play)) {
        fprintf(play->out, "The game is over; `help' lists what can be done.\n");
    } else if (!play_turn(play, line, &error)) {
        fprintf(play->out, "%s (or a command: see `help')\n", error.text);
    } else {
        play_show(play);
        play_computer(play);
    }
}

bool play_line(Play *play, const char *line) {
    char words[WORD_MAX];
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    if (length >= sizeof words) {
        fprintf(play->out, "The line is longer than %d bytes.\n", WORD_MAX - 1);
        return !play->over;
    }
    memcpy(words, line, length);
    words[length] = '\0';
    char *argument = words + strcspn(words, " \t");
    for (char *c = words; c < argument; c++)
        *c = (char)tolower((unsigned char)*c);
    while (*argument && isspace((unsigned char)*argument))
        *argument++ = '\0';
    if (!*words && play->stage != PLAY_NAME_KOMI)
        ;
    else if (play_command(play, words, argument))
        ;
    else if (*argument)
        fprintf(play->out, "'%.40s' is no command; `help' lists them.\n", words);
    else if (play->stage == PLAY_NAME_KOMI)
        name_komi(play, words);
    else if (play->stage == PLAY_CHOOSE_SIDE)
        choose_side(play, words);
    else
        take_turn(play, words);
    fflush(play->out);
    return !play->over && !ferror(play->out);
}

const char *play_prompt(Play *play) {
    const char *what = play->stage == PLAY_NAME_KOMI     ? "komi"
                       : play->stage == PLAY_CHOOSE_SIDE ? "black or white"
                       : play_is_over(play)              ? "over"
                                                         : play_colour(play, side_to_move(play));
    snprintf(play->prompt, sizeof play->prompt, "%s> ", what);
    return play->prompt;
}

/* ---- Completion ---- */

typedef struct Completion {
    const Play *play;
    const char *text; /* what it begins with */
    char **out;
    int count, capacity, looked_at;
} Completion;

static void offer(Completion *completion, const char *word) {
    if (!*word || strncmp(word, completion->text, strlen(completion->text)) ||
        completion->count == completion->capacity)
        return;
    char *copy = strdup(word);
    if (copy)
        completion->out[completion->count++] = copy;
}

static bool offer_turn(void *user, const Action *turn, int count, const GameState *after) {
    (void)after;
    Completion *completion = user;
    const Game *game = completion->play->tree->game;
    GameState state;
    char text[GAME_TEXT_MAX];
    game_copy(game, &state, play_state(completion->play));
    game_format_turn(game, &state, turn, count, text);
    offer(completion, text);
    return ++completion->looked_at < LOOKED_AT && completion->count < completion->capacity;
}

/* The files whose names go on from what stands behind `command` and a blank. */
static void offer_files(Completion *completion, const char *command) {
    const size_t length = strlen(command);
    if (strncmp(completion->text, command, length) || completion->text[length] != ' ')
        return;
    char pattern[2 * WORD_MAX], *to = pattern;
    const char *from = completion->text + length + 1;
    for (; *from && to < pattern + sizeof pattern - 3; *to++ = *from++)
        if (strchr("*?[]\\", *from))
            *to++ = '\\';
    memcpy(to, "*", 2);
    glob_t files;
    if (glob(pattern, GLOB_MARK, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc; i++) {
            char word[2 * WORD_MAX];
            if (snprintf(word, sizeof word, "%s %s", command, files.gl_pathv[i]) < (int)sizeof word)
                offer(completion, word);
        }
        globfree(&files);
    }
}

int play_complete(const Play *play, const char *text, char **out, int capacity) {
    Completion completion = {.play = play, .text = text, .out = out, .capacity = capacity};
    const Hexhex *board = &play->tree->game->board;
    for (int i = 0; play_command_name(play, i); i++)
        offer(&completion, play_command_name(play, i));
    if (play->stage == PLAY_NAME_KOMI)
        offer(&completion, "computer");
    if (play->stage == PLAY_CHOOSE_SIDE) {
        offer(&completion, "black");
        offer(&completion, "white");
    }
    for (int cell = 0; cell < board->cells && !strncmp(text, "why ", 4); cell++) {
        char word[4 + HEXHEX_NAME_SIZE] = "why ";
        hexhex_name(board, cell, word + 4);
        offer(&completion, word);
    }
    offer_files(&completion, "save");
    offer_files(&completion, "load");
    if (play->stage == PLAY_GAME && !play_is_over(play))
        turns_visit(play->tree->game, play_state(play), offer_turn, &completion);
    return completion.count;
}
