/* Outputs that a user names, checked before the work: what cannot be written is found now, not after hours, and no
 * result replaces what the command works with, or what another run has made:
 *   - the games of a run, FILE.records.jsonl, packed or not, and the files of a data set (selfplay --out);
 *   - a document of the project (io/document.h) of another kind than the one that will be written.
 * A result of the same kind is replaced, and so is any other file: a text, an old page, an empty file.
 *
 * In all functions `path` is the output. NULL (none is asked for) and "-" (standard output) are always good. A device,
 * a FIFO or an open descriptor replaces nothing. An error here is one of usage: the exit status is 2. */
#ifndef STIGMERGY_TOOLS_CLI_OUTPUT_H
#define STIGMERGY_TOOLS_CLI_OUTPUT_H

#include "selfplay/io/json.h"
#include "selfplay/players/player.h"

/* Whether the output can be written (file_write_check), and replaces nothing of another run. `schema` is the name of
 * the document that will be written ("stigmergy-komi"), NULL where that is a page, SGF or the like. False with an
 * error. */
bool output_check(const char *path, const char *schema, Error *error);

/* Whether the SGF of one line of play can be written, and replaces neither a result of a run nor a file of games that
 * has more than such a line (several games, variations, comments or what an analysis found), nor one that is no SGF.
 * False with an error. */
bool output_check_line(const char *path, Error *error);

/* The same for a document of the same kind as that at `result`. */
bool output_check_again(const char *path, const char *result, Error *error);

/* Whether the output replaces no document of another run than that of `result`, a document. False with an error. */
bool output_check_run(const char *path, const cJSON *result, Error *error);

/* Whether the output is another file than `file`, which the command reads, or writes itself. It need not exist yet.
 * False with an error, which names `option` ("--out") unless the system could not tell. */
bool output_spares(const char *option, const char *path, const char *file, Error *error);

/* The same for the games beside a result, packed or not (selfplay/record/record_file.h); and for a result and its
 * games.
 */
bool output_spares_games(const char *option, const char *path, const char *result, Error *error);
bool output_spares_result(const char *option, const char *path, const char *result, Error *error);

/* The same for the description that a text names or is (selfplay/players/player_text.h), and for the network that it
 * names; NULL: there is none. */
bool output_spares_player(const char *option, const char *path, const char *text, Error *error);

/* The same for the settings of a run that data_find finds by this name in a folder of the data ("komi"), and for the
 * files of players and networks that they name; NULL: there are none. */
bool output_spares_settings(const char *option, const char *path, const char *folder, const char *name, Error *error);

/* The same for the network of a settled player, which may have none. */
bool output_spares_network(const char *option, const char *path, const Player *player, Error *error);

#endif
