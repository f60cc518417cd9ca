/* See card.h. The README.md of a set. */
#include "selfplay/dataset/card.h"

#include "engine/games/registry.h"
#include "selfplay/dataset/rows.h"
#include "selfplay/dataset/stamp.h"
#include "selfplay/io/variants.h"

#include <stdio.h>
#include <stdlib.h>

static const SelfplayConfig *config_of(const Dataset *dataset) {
    return &dataset->document->config;
}

/* ---- The header for hubs ---- */

static const char *size_category(int64_t rows) {
    return rows < 1000        ? "n<1K"
           : rows < 10000     ? "1K<n<10K"
           : rows < 100000    ? "10K<n<100K"
           : rows < 1000000   ? "100K<n<1M"
           : rows < 10000000  ? "1M<n<10M"
           : rows < 100000000 ? "10M<n<100M"
                              : "n>100M";
}

static void print_header(const Dataset *dataset, FILE *out) {
    char license[sizeof config_of(dataset)->license];
    strcpy(license, config_of(dataset)->license);
    for (char *c = license; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c; /* hubs write licences in lower case */
    fprintf(out,
            "---\nlicense: %s\npretty_name: Self-play games of %s\ntask_categories:\n- reinforcement-learning\ntags:\n"
            "- board-games\n- self-play\n- %s\nsize_categories:\n- %s\n---\n\n"
            "<!-- " DATASET_STAMP " -->\n\n",
            license, config_of(dataset)->run.game, config_of(dataset)->run.game,
            size_category(dataset_total(dataset).rows));
}

/* ---- What it is and how it was made ---- */

static const char *first_shard(const Dataset *dataset) {
    for (int i = 0; i < dataset->files.count; i++)
        if (dataset->files.items[i].size)
            return dataset->files.items[i].path;
    return "shards/NAME.npz";
}

/* Whether full searches keep an improved policy (players with a network do), not visit counts. */
static bool improves_policy(const Dataset *dataset) {
    return player_halves(&config_of(dataset)->player);
}

/* Whether full searches have noise at the root, which stays in their visits. */
static bool adds_noise(const Dataset *dataset) {
    const SelfplayConfig *config = config_of(dataset);
    return !improves_policy(dataset) && config->explore_turns > 0 && config->noise_playouts > 0;
}

static const Game *game_of(const Dataset *dataset) {
    return dataset->boards->game[config_of(dataset)->sizes[0].size];
}

/* What is known of each position: less where its game was resigned. */
static void print_results(const Dataset *dataset, FILE *out) {
    const DatasetPart total = dataset_total(dataset);
    const bool has_points = game_of(dataset)->has_points;
    if (total.resigned == 0) {
        fprintf(out, "Each position has a value%s and the final owner of each cell.", has_points ? ", a score" : "");
        return;
    }
    fprintf(out,
            "Each position has a value. Where `finished` is 1, in the positions of %lld games, it also has %sthe final "
            "owner of each cell.",
            (long long)(total.games - total.resigned), has_points ? "a score and " : "");
}

static void print_summary(const Dataset *dataset, FILE *out) {
    const DatasetPart total = dataset_total(dataset);
    fprintf(
        out,
        "# Self-play games of %s\n\nThis data set has %lld games that a tree search played against itself on hexagonal "
        "boards. Their %lld positions are stored as arrays to learn from. ",
        config_of(dataset)->run.game, (long long)total.games, (long long)total.rows);
    print_results(dataset, out);
    fprintf(out,
            " The %lld positions with a full search also have a policy (%s), the values of the actions that it tried, "
            "and its estimate of the owners.\n\n",
            (long long)total.full,
            improves_policy(dataset) ? "the improved policy of the search, in 1/10000" : "visit counts");
    fprintf(
        out,
        "- `records/*.jsonl.zst`: the games, one JSON line each, compressed with Zstandard. Everything else follows "
        "from them.\n"
        "- `shards/*.npz`: NumPy arrays. Each board size has its own series of files. No game is in two files.\n"
        "- `manifest.json`: the settings, counts, and every file with its SHA-256.\n"
        "- `croissant.json`: metadata for data set hubs.\n\n"
        "```python\nimport numpy\nrows = numpy.load(\"%s\")\nplanes, policy = rows[\"planes\"], "
        "rows[\"policy\"]\n```\n\n",
        first_shard(dataset));
}

static void print_networks(const SelfplayConfig *config, FILE *out) {
    if (!player_has_network(&config->player))
        return;
    const char *said = "";
    fprintf(out, "- It evaluates with the network");
    for (int i = 0; i < config->size_count; i++) {
        const Player *player = &config->sizes[i].player;
        if (strcmp(player->network_hash, said) != 0)
            fprintf(out, "%s `%s` (hash %s) on", i ? "," : "", player->network, player->network_hash);
        else
            fprintf(out, ",");
        fprintf(out, " hexhex-%d", (int)config->sizes[i].size);
        said = player->network_hash;
    }
    fprintf(out, ".\n");
}

static unsigned long long simulations_on(const SelfplayConfig *config, int board, bool full) {
    return selfplay_config_simulations(config, (int)config->sizes[board].size, full);
}

/* "400 simulations"; of each board where they differ. */
static void print_simulations(const SelfplayConfig *config, bool full, FILE *out) {
    bool alike = true;
    for (int i = 1; i < config->size_count; i++)
        alike &= simulations_on(config, i, full) == simulations_on(config, 0, full);
    if (alike)
        fprintf(out, "%llu", simulations_on(config, 0, full));
    for (int i = 0; i < config->size_count && !alike; i++)
        fprintf(out, "%s%llu (hexhex-%d)", i ? ", " : "", simulations_on(config, i, full), (int)config->sizes[i].size);
    fprintf(out, " simulations");
}

static void print_player(const SelfplayConfig *config, FILE *out) {
    fprintf(out, "- The player is `%s`, a tree search with ", config->player.name);
    print_simulations(config, true, out);
    fprintf(out, " in a full search. %.0f%% of the searches are cheap: they have ", 100 * config->cheap_share);
    print_simulations(config, false, out);
    fprintf(out, " and no policy (playout cap randomisation).\n");
    print_networks(config, out);
}

/* Which rules were played, in games that have variants. */
static void print_variant(const Game *game, FILE *out) {
    int index = 0, largest, usual;
    bool captures;
    GamePie pie; /* the usual one */
    while (strcmp(game_list(index, &largest, &usual), game->name))
        index++;
    game_variants(index, &captures, &pie);
    if (captures) {
        const bool line = game->capture == GAME_CAPTURE_LINE;
        fprintf(out, "- A turn may capture %s (`capture` is `%s`).\n", line ? "only stones in a line" : "any stones",
                variants_captures[line]);
    }
    if (pie == GAME_PIE_DEFAULT)
        return;
    const bool swaps = game_has_swap(game);
    fprintf(out, "- The second player may %sswap (`pie` is `%s`).\n", swaps ? "" : "not ", variants_pies[swaps]);
}

/* How games begin that do not begin in a recorded one. */
static void print_turns(const SelfplayConfig *config, FILE *out) {
    const long long least = config->opening_turns[0], most = config->opening_turns[1];
    if (most == 0) {
        fprintf(out, " with the empty board.\n");
        return;
    }
    fprintf(out, " with ");
    if (least < most)
        fprintf(out, "%lld to ", least);
    fprintf(out,
            "%lld random turn%s. Up to symmetry, all first turns come up about equally often, and so do the second "
            "turns after each first one, and so on.\n",
            most, most == 1 ? "" : "s");
}

static void print_openings(const SelfplayConfig *config, FILE *out) {
    const bool recorded = config->recorded.from[0] != '\0';
    if (recorded)
        fprintf(out,
                "- %.0f%% of the games begin in the first half of a recorded game, of `%s` (hash %s), if there is one "
                "on their board.\n",
                100 * config->recorded.share, config->recorded.from, config->recorded.hash);
    fprintf(out, "- %s", recorded ? "The other games begin" : "Each game begins");
    print_turns(config, out);
}

static bool same_komi(const SelfplaySize *a, const SelfplaySize *b) {
    return a->auto_komi == b->auto_komi && (a->auto_komi || a->komi == b->komi);
}

static void print_centre(const SelfplaySize *size, FILE *out) {
    if (size->auto_komi)
        fprintf(out, "the value that gives both players an even chance");
    else
        fprintf(out, "%lld", (long long)size->komi);
}

/* What komi is centred on, on each board where that differs, and how far it is spread. */
static void print_komi(const SelfplayConfig *config, FILE *out) {
    bool alike = true;
    for (int i = 1; i < config->size_count; i++)
        alike &= same_komi(&config->sizes[i], &config->sizes[0]);
    fprintf(out, "- Komi varies around ");
    for (int i = 0; i < (alike ? 1 : config->size_count); i++) {
        fprintf(out, "%s", i ? ", " : "");
        print_centre(&config->sizes[i], out);
        if (!alike)
            fprintf(out, " (hexhex-%d)", (int)config->sizes[i].size);
    }
    fprintf(out, "%s. Its standard deviation is %g points, but in %.0f%% of the games %g points.\n",
            config->recorded.from[0] ? ", or after a recorded beginning around the komi there" : "",
            config->komi_spread, 100 * config->wild_share, config->wild_spread);
}

/* How an action is chosen. */
static void print_choice(const Dataset *dataset, FILE *out) {
    const SelfplayConfig *config = config_of(dataset);
    if (improves_policy(dataset))
        fprintf(
            out,
            "- Searches choose by sequential halving, and full ones keep the improved policy. In the first part of a "
            "game (%g turns for each cell of the board) Gumbel noise of strength %g is added to the logits.\n",
            config->explore_turns, config->gumbel);
    else
        fprintf(out,
                "- In the first part of a game (%g turns for each cell of the board) actions are drawn at random, with "
                "probabilities proportional to visits^%lld.%s\n",
                config->explore_turns, (long long)config->power,
                adds_noise(dataset) ? " Full searches have noise at the root." : "");
}

static void print_resignation(const SelfplayConfig *config, FILE *out) {
    if (!(config->resign_below > 0)) {
        fprintf(out, "- Nobody resigns.\n");
        return;
    }
    fprintf(out,
            "- A player resigns after a win rate below %g in %lld of its searches in a row. In %.0f%% of the games "
            "nobody resigns.\n",
            config->resign_below, (long long)config->resign_moves, 100 * config->resign_never);
    if (config->resign_finish > 0)
        fprintf(out,
                "- Games that a player resigned are played to their end by searches of %lld simulations. These turns "
                "make no rows; they tell the score and the owners.\n",
                (long long)config->resign_finish);
}

static void print_method(const Dataset *dataset, FILE *out) {
    const SelfplayConfig *config = config_of(dataset);
    fprintf(out,
            "## How it was made\n\n`stigmergy selfplay` played the games with seed %llu (run `%s`). The first version "
            "that plays these games, with the same networks, is %s.\n\n",
            (unsigned long long)config->run.seed, dataset->document->run, config->engine);
    print_variant(game_of(dataset), out);
    print_player(config, out);
    print_openings(config, out);
    if (game_of(dataset)->has_points)
        print_komi(config, out);
    print_choice(dataset, out);
    print_resignation(config, out);
    fprintf(out,
            "\n`manifest.json` has all settings and the command that built the set. The same settings make the same "
            "games and arrays, byte for byte.\n\n");
}

/* ---- Field by field ---- */

static bool print_arrays(const Dataset *dataset, int size, FILE *out, Error *error) {
    NpzArray arrays[DATASET_ARRAYS_MAX];
    DatasetRows *rows = dataset_rows_new(dataset->boards->game[size], error);
    if (!rows)
        return false;
    const int count = dataset_rows_arrays(rows, arrays);
    fprintf(out,
            "## The arrays\n\n\"Black\" is the player with the black stones in the position. C, A and G are the "
            "numbers of planes, actions and globals. D is the width of the board, which is %d for hexhex-%d.\n\n"
            "| array | type | shape | meaning |\n|---|---|---|---|\n",
            2 * size - 1, size);
    for (int i = 0; i < count; i++) {
        char shape[DATASET_SHAPE_MAX], type[NPZ_TYPE_MAX];
        const char *about = dataset_rows_about(i, shape);
        snprintf(type, sizeof type, "%s", arrays[i].type + (arrays[i].type[0] == '|'));
        fprintf(out, "| `%s` | `%s` | `%s` | %s |\n", arrays[i].name, type, shape, about);
    }
    const NpzArray *first = &arrays[0];
    fprintf(out, "\nThe C = %zu planes of D = %zu by %zu cells are", first->shape[1], first->shape[2], first->shape[3]);
    for (int i = 0; i < count; i++)
        if (!strcmp(arrays[i].name, "plane_names"))
            for (size_t plane = 0; plane < arrays[i].shape[0]; plane++)
                fprintf(out, "%s `%.16s`", plane ? "," : "", (const char *)arrays[i].data + 16 * plane);
    fprintf(out, ".\n\n");
    dataset_rows_free(rows);
    return true;
}

static void print_record_fields(FILE *out) {
    fprintf(out,
            "## The records\n\n"
            "Here and in the statistics below \"Black\" is the player who began, also after a swap.\n\n"
            "| field | meaning |\n|---|---|\n"
            "| `id`, `run`, `seed` | the name `game-NUMBER`, the run, and the seed of the game |\n"
            "| `game`, `size`, `komi`, `button` | the game, the size of its board, the points for White, and whether "
            "there is a button |\n"
            "| `moves`, `opening` | the turns, and how many turns at the beginning were given |\n"
            "| `winner`, `margin`, `reason` | the winner, Black's margin in points with komi and button, and how the "
            "game ended |\n"
            "| `searches` | the results of the searches; the rows below are its keys |\n"
            "| `kinds` | a letter for each action: `f` a full search, `c` a cheap search, `-` none |\n"
            "| `win_rates` | for each search, the win rate of the side to move, in 1/10000 |\n"
            "| `scores` | for each search, Black's expected margin, in 1/10 points |\n"
            "| `visits` | for each full search, for the legal actions in ascending order, the visits, or the improved "
            "policy of a player with a network in 1/10000; -n stands for n actions with 0 |\n"
            "| `values` | for each full search, the win rates of the same actions for the side to move, in 1/10000; -n "
            "stands for n actions without a visit |\n"
            "| `owners` | for each full search, a letter of the base64 alphabet for each cell: the chance that it ends "
            "as Black's, in 63 steps; empty where unknown |\n\n");
}

/* ---- Figures ---- */

static void print_statistics(const Dataset *dataset, FILE *out) {
    fprintf(out, "## Statistics\n\n| board | games | distinct | actions a game | rows | full | Black wins | komi | "
                 "resigned |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++) {
        const DatasetPart *part = &dataset->parts[size];
        if (part->games == 0)
            continue;
        const double games = (double)part->games;
        fprintf(out, "| hexhex-%d | %lld | %lld | %.1f | %lld | %lld | %.1f%% | %.1f, %d to %d | %lld |\n", size,
                (long long)part->games, (long long)part->distinct_games, (double)part->positions / games,
                (long long)part->rows, (long long)part->full, 100 * (double)part->black_wins / games,
                part->komi_sum / games, part->komi_low, part->komi_high, (long long)part->resigned);
    }
    fprintf(out, "\nThe first game on each board, after one third, after two thirds, and at its end:\n\n");
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++)
        if (dataset->parts[size].games > 0)
            fprintf(out, "```\n%s```\n\n", dataset->parts[size].samples);
}

static void print_limits(const Dataset *dataset, FILE *out) {
    fprintf(out, "## Known limits\n\n- The games are only as strong as their searches. ");
    print_simulations(config_of(dataset), true, out);
    fprintf(out,
            " are far from perfect play.\n"
            "- Random openings%s actions drawn at random%s lead to positions that good players would not "
            "reach. A player may have lost because of such an action. `search_value` tells what the search expected.\n"
            "%s%s- The positions of one game are alike. Split the data by `game`, never by row.\n"
            "- `search_value` of a cheap search is less accurate than that of a full search.\n\n"
            "## Licence\n\n%s\n",
            game_of(dataset)->has_points ? "," : " and", game_of(dataset)->has_points ? " and unusual komi" : "",
            game_has_swap(game_of(dataset))
                ? "- Where `swap` is legal, Black is the player who began and White the one who chooses, also if it "
                  "swaps: `value` and `owner` say what became of these players, not of the stones. Positions before "
                  "and after a swap look alike but for the array `legal` and the planes `last_1` and `last_2`. So, "
                  "for a model that does not see these, turn `value` and `owner` round in the rows with `played` = "
                  "`swap`, and leave out `search_value` and `search_owner` where `swap` is legal.\n"
                : "",
            adds_noise(dataset) ? "- The policy of a search with noise at the root contains that noise.\n" : "",
            config_of(dataset)->license);
}

char *dataset_card_text(const Dataset *dataset, Error *error) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool good = out != NULL;
    if (!good)
        error_set(error, "out of memory for the card of a data set");
    if (out) {
        print_header(dataset, out);
        print_summary(dataset, out);
        print_method(dataset, out);
        for (int size = 0; size <= HEXHEX_MAX_SIZE && good; size++)
            if (dataset->parts[size].games > 0) {
                good = print_arrays(dataset, size, out, error);
                break;
            }
        print_record_fields(out);
        print_statistics(dataset, out);
        print_limits(dataset, out);
        if (fclose(out) != 0 && good)
            good = error_set(error, "out of memory for the card of a data set");
    }
    if (good) {
        dataset_stamp(text);
        return text;
    }
    free(text);
    return NULL;
}
