/* See gtp_player.h. */
#include "selfplay/players/gtp_player.h"

#include "selfplay/io/text.h"
#include "selfplay/io/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const double QUIT_SECONDS = 1; /* time for a program to quit */

struct GtpPlayer {
    GtpPlayerOptions options;
    GtpClient *client; /* NULL while the program does not run */
    bool knows_game, knows_variant, knows_time;
    int failures; /* games in a row that it broke down in */
    Error complaint;
    char answer[GTP_ANSWER_MAX];
};

GtpPlayer *gtp_player_new(const GtpPlayerOptions *options) {
    GtpPlayer *player = calloc(1, sizeof *player);
    if (player)
        player->options = *options;
    return player;
}

void gtp_player_free(GtpPlayer *player) {
    if (!player)
        return;
    gtp_client_end(player->client, QUIT_SECONDS);
    free(player);
}

static void end_program(GtpPlayer *player) {
    gtp_client_end(player->client, 0);
    player->client = NULL;
}

void gtp_player_drop(GtpPlayer *player) {
    player->failures = 0; /* it has come through this game */
    end_program(player);
}

bool gtp_player_may_go_on(const GtpPlayer *player, Error *error) {
    return player->failures <= player->options.restarts || error_pass(error, &player->complaint) ||
           error_prefix(error,
                        "engine '%.100s' broke down in %d games in a row, the last time so: ", player->options.command,
                        player->failures);
}

const char *gtp_player_complaint(const GtpPlayer *player) {
    return player->complaint.text;
}

/* Ends a program that has broken down. */
static void give_up(GtpPlayer *player) {
    player->failures++;
    end_program(player);
}

/* Asks a command with a limit of `seconds`. Ends the program if it breaks down, or if the caller gives up. */
static GtpStatus ask(GtpPlayer *player, const char *command, double seconds, const GtpWait *wait) {
    const GtpStatus status = gtp_client_ask(player->client, command, seconds, wait, player->answer, &player->complaint);
    if (status == GTP_GOOD)
        return status;
    error_prefix(&player->complaint, "%.60s: ", command);
    if (status == GTP_STOPPED)
        end_program(player);
    else if (status != GTP_REFUSED)
        give_up(player);
    return status;
}

/* For commands that must succeed: if the program refuses one, it is ended too. */
static GtpStatus demand(GtpPlayer *player, const char *command, const GtpWait *wait) {
    const GtpStatus status = ask(player, command, player->options.patience, wait);
    if (status == GTP_REFUSED)
        give_up(player);
    return status;
}

static GtpStatus find_command(GtpPlayer *player, const char *name, bool *known, const GtpWait *wait) {
    char command[64];
    snprintf(command, sizeof command, "known_command %s", name);
    const GtpStatus status = ask(player, command, player->options.patience, wait);
    *known = status == GTP_GOOD && !strcasecmp(player->answer, "true");
    return status == GTP_REFUSED ? GTP_GOOD : status;
}

static GtpStatus start(GtpPlayer *player, const GtpWait *wait) {
    player->client = gtp_client_start(player->options.command, &player->complaint);
    if (!player->client) {
        error_prefix(&player->complaint, "engine '%.100s' cannot be started: ", player->options.command);
        return GTP_UNABLE;
    }
    GtpStatus status = find_command(player, "game", &player->knows_game, wait);
    if (status == GTP_GOOD)
        status = find_command(player, "variant", &player->knows_variant, wait);
    return status == GTP_GOOD ? find_command(player, "time_settings", &player->knows_time, wait) : status;
}

GtpStatus gtp_player_begin(GtpPlayer *player, const Game *game, int komi, const GtpWait *wait) {
    char commands[6][64] = {{0}}, variant[VARIANTS_WORDS_MAX];
    int count = 0;
    if (player->client)
        player->failures = 0; /* it has come through the game before */
    GtpStatus status = player->client ? GTP_GOOD : start(player, wait);
    if (status != GTP_GOOD)
        return status;
    if (player->knows_game)
        snprintf(commands[count++], sizeof commands[0], "game %s", game->name);
    variants_words(game->capture, game->pie, variant);
    if (player->knows_variant)
        snprintf(commands[count++], sizeof commands[0], "variant%s%s", *variant ? " " : "", variant);
    snprintf(commands[count++], sizeof commands[0], "boardsize %d", game->board.size);
    snprintf(commands[count++], sizeof commands[0], "clear_board");
    if (game->has_points)
        snprintf(commands[count++], sizeof commands[0], "komi %d", komi);
    if (player->knows_time && player->options.move_seconds > 0) {
        const TextPoints points = text_points_begin();
        snprintf(commands[count++], sizeof commands[0], "time_settings 0 %.10g 1", player->options.move_seconds);
        text_points_end(points);
    }
    for (int i = 0; i < count && status == GTP_GOOD; i++)
        status = demand(player, commands[i], wait);
    return status;
}

GtpStatus gtp_player_play(GtpPlayer *player, Side colour, const char *turn, const GtpWait *wait) {
    char command[GAME_TEXT_MAX + 16];
    snprintf(command, sizeof command, "play %s %s", colour == BLACK ? "b" : "w", turn);
    return demand(player, command, wait);
}

GtpStatus gtp_player_genmove(GtpPlayer *player, Side colour, char turn[GAME_TEXT_MAX], const GtpWait *wait) {
    const GtpPlayerOptions *options = &player->options;
    const double seconds = options->move_seconds > 0 ? options->move_seconds + options->grace : options->patience;
    const GtpStatus status = ask(player, colour == BLACK ? "genmove b" : "genmove w", seconds, wait);
    if (status == GTP_REFUSED)
        give_up(player);
    if (status != GTP_GOOD)
        return status;
    size_t length = 0;
    for (const char *c = player->answer; *c && length + 1 < GAME_TEXT_MAX; c++)
        turn[length++] = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    turn[length] = '\0';
    if (strcmp(turn, "resign"))
        return GTP_GOOD;
    error_set(&player->complaint, "resigned");
    return GTP_RESIGNED;
}
