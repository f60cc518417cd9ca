/* GTP commands by which GoGui shows a game whose rules it does not know, and its list of commands for analysis: see the
 * chapters "Rules" and "Analyze Commands" of GoGui's documentation. See session_internal.h.
 *
 * GoGui has square boards, so the board is shown turned: 2N-1 columns for the rows and 2N-1 rows for the columns. The
 * cell in row x and column n is at GoGui's vertex Xn. So both use the same names, up to row h. Points of the square
 * that are no cells are shown as `?`. */
#include "selfplay/record/board_text.h"
#include "tools/gtp/session_internal.h"

#include <ctype.h>

static bool do_game_id(Gtp *gtp) {
    const char *name = gtp->game->name;
    return fprintf(gtp->answer, "%c%s", toupper((unsigned char)*name), name + 1) > 0;
}

static bool do_board_size(Gtp *gtp) {
    return fprintf(gtp->answer, "%d", 2 * gtp->game->board.size - 1) > 0;
}

static bool do_board(Gtp *gtp) {
    const int width = 2 * gtp->game->board.size - 1;
    uint8_t stones[HEXHEX_MAX_CELLS];
    gtp->game->rules->stones(gtp->game, gtp_state(gtp), stones);
    for (int column = width; column >= 1; column--) {
        fputs(column < width ? "\n" : "", gtp->answer);
        for (int row = 0; row < width; row++) {
            const int cell = gtp_square_cell(gtp->game, row, column);
            fprintf(gtp->answer, "%s%c", row ? " " : "", cell >= 0 ? ".XO"[stones[cell]] : '?');
        }
    }
    return true;
}

static bool do_legal_moves(Gtp *gtp) {
    return gtp_list_turns(gtp, gtp->answer, gtp->error);
}

static bool do_side_to_move(Gtp *gtp) {
    return fputs(gtp_colour(gtp) == BLACK ? "black" : "white", gtp->answer) >= 0;
}

static bool do_final_result(Gtp *gtp) {
    if (!gtp->game->rules->over(gtp_state(gtp)))
        return error_set(gtp->error, "the game is not over");
    char text[16];
    board_text_score(gtp->game, gtp_state(gtp), text);
    return fputs(text, gtp->answer) >= 0;
}

static bool do_list_analyze(Gtp *gtp) {
    fputs("move/Best move, not played/reg_genmove %c\n"
          "plist/Legal turns/all_legal %c\n"
          "string/Score/final_score\n",
          gtp->answer);
    if (gtp->game->rules->board_score)
        fputs("string/Cells/board_score\n", gtp->answer);
    fputs("hstring/Board/showboard\n"
          "hstring/Game as SGF/printsgf\n"
          "string/Processor time/cputime",
          gtp->answer);
    return true;
}

const GtpCommand gtp_gogui_commands[] = {{"gogui-rules_game_id", 0, 0, "", do_game_id, false},
                                         {"gogui-rules_board_size", 0, 0, "", do_board_size, false},
                                         {"gogui-rules_board", 0, 0, "", do_board, true},
                                         {"gogui-rules_legal_moves", 0, 0, "", do_legal_moves, true},
                                         {"gogui-rules_side_to_move", 0, 0, "", do_side_to_move, false},
                                         {"gogui-rules_final_result", 0, 0, "", do_final_result, true},
                                         {"gogui-analyze_commands", 0, 0, "", do_list_analyze, false},
                                         {0}};
