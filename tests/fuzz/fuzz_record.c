/* Fuzz target: a line of a record file, read as a game record and as a player's description. Built with
 * -DSTIGMERGY_FUZZ=ON and clang (preset "fuzz"). What was read as a record must be written and read again as the same.
 */
#include "engine/games/registry.h"
#include "selfplay/io/json.h"
#include "selfplay/players/player.h"
#include "selfplay/record/record.h"

#include <stdlib.h>

static void check_again(const Game *game, const GameRecord *record) {
    Error error;
    GameRecord again = {0};
    char *line = record_to_line(record, game, &error);
    if (!line || !record_from_line(line, strlen(line), "fuzz", game, &again, &error) || again.count != record->count ||
        record_canonical_hash(&again, game) != record_canonical_hash(record, game))
        abort();
    free(line);
    record_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Game *game; /* made once */
    Error error;
    if (!game)
        game = game_new(&(GameOptions){.size = 2}, &error);
    GameRecord record = {0};
    if (record_from_line((const char *)data, size, "fuzz", game, &record, &error))
        check_again(game, &record);
    record_free(&record);
    cJSON *json = json_parse((const char *)data, size, "fuzz", &error);
    Player player = player_default();
    if (json)
        player_from_json(json, "fuzz", &player, &error);
    cJSON_Delete(json);
    return 0;
}
