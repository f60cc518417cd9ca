/* A program of somebody else's: plays two turns of hexhex-2, and has a player of the installed configurations search
 * for the winner at the komi below the exact value of the board and at the one above it. It has the locale of its user,
 * perhaps with a decimal comma; a game as SGF has points all the same. */
#include <stigmergy/engine/games/registry.h>
#include <stigmergy/selfplay/io/exact_value.h>
#include <stigmergy/selfplay/players/player.h>
#include <stigmergy/selfplay/record/board_text.h>
#include <stigmergy/selfplay/record/game_tree.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints what a search finds at a komi, from the first turn on. */
static bool search(const Game *game, const Player *player, PlayerNetworks *networks, int komi, Error *error) {
    GameState state;
    Search *tree = player_new_search(player, networks, game, 1, error);
    if (!tree)
        return false;
    game->rules->start(game, &state, komi);
    search_set_position(tree, &state);
    const SearchLimits limits = {.simulations = 100000};
    const SearchSummary found = search_run(tree, &limits);
    printf("komi %d: %s\n", komi, !found.proven ? "not proven" : found.win_rate == 1 ? "Black wins" : "White wins");
    search_free(tree);
    return true;
}

/* Prints half seconds as this program's locale writes them, and the clock of a game that is written and read again. */
static bool keep_time(Error *error) {
    static const char sgf[] = "(;GM[stigmergy]SZ[2]TM[600.5]OT[3x30.5 byo-yomi];B[b2]BL[12.5])";
    const GameOptions options = {.size = 2};
    GameTree *tree = game_tree_read(sgf, strlen(sgf), "a game", &options, error);
    char *text = tree ? game_tree_to_sgf(tree, error) : NULL;
    if (text)
        printf("%.1f seconds %s\n", tree->clock.main_time, strstr(text, "TM[") ? strstr(text, "TM[") : text);
    game_tree_free(tree);
    free(text);
    return text != NULL;
}

static bool use(const Game *game, Error *error) {
    static const char *const turns[] = {"b2", "a1"};
    GameState state;
    Player player = player_default();
    double value;
    bool known;
    game->rules->start(game, &state, 0);
    for (int i = 0; i < 2; i++) {
        Action turn[GAME_TURN_MAX];
        int count;
        if (!game_play_text(game, &state, turns[i], turn, &count, error))
            return false;
    }
    board_text_print(game, &state, 0, stdout);
    if (!player_load("level-3", &player, error) || !player_settle(&player, game->name, game->board.size, error))
        return false;
    if (!exact_value("stigmergy", 2, false, &value, &known, error))
        return false;
    if (!known)
        return error_set(error, "the exact value of hexhex-2 is not installed");
    PlayerNetworks *networks = player_networks_new(error);
    const bool good = networks && search(game, &player, networks, (int)value - 1, error) &&
                      search(game, &player, networks, (int)value + 1, error);
    player_networks_free(networks);
    return good;
}

int main(void) {
    Error error;
    setlocale(LC_ALL, "");
    Game *game = game_new(&(GameOptions){.size = 2}, &error);
    const bool good = game && keep_time(&error) && use(game, &error);
    if (!good)
        fprintf(stderr, "consumer: %s\n", error.text);
    game_free(game);
    return good ? 0 : 1;
}
