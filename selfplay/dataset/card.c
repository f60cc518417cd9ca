/* See card.h. The README.md of a set. */
#include "selfplay/dataset/card.h"

#include "selfplay/dataset/rows.h"

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
    char license[32];
    snprintf(license, sizeof license, "%s", config_of(dataset)->license);
    for (char *c = license; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c; /* hubs write them so */
    fprintf(out,
            "---\nlicense: %s\npretty_name: Self-play games of %s\ntask_categories:\n- reinforcement-learning\ntags:\n"
            "- board-games\n- self-play\n- %s\nsize_categories:\n- %s\n---\n\n",
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

static void print_summary(const Dataset *dataset, FILE *out) {
    const DatasetPart total = dataset_total(dataset);
    fprintf(out,
            "# Self-play games of %s\n\n%lld games of a search against itself on hexagonal boards, with %lld positions "
            "as arrays to learn from: policy (visit counts of %lld full searches), value, score, final owners.\n\n",
            config_of(dataset)->run.game, (long long)total.games, (long long)total.rows, (long long)total.full);
    fprintf(out,
            "- `records/*.jsonl.zst`: the games, one JSON line each (Zstandard); the source of truth\n"
            "- `shards/*.npz`: NumPy arrays, a series of files for each board size; no game is in two files\n"
            "- `manifest.json`: settings, counts, every file with its SHA-256; `croissant.json`: metadata for hubs\n\n"
            "```python\nimport numpy\nrows = numpy.load(\"%s\")\nplanes, policy = rows[\"planes\"], "
            "rows[\"policy\"]\n```\n\n",
            first_shard(dataset));
}

static void print_method(const Dataset *dataset, FILE *out) {
    const SelfplayConfig *config = config_of(dataset);
    fprintf(out, "## How it was made\n\nBy `stigmergy selfplay`, version %s, seed %llu (run `%s`):\n\n", config->engine,
            (unsigned long long)config->run.seed, dataset->document->run);
    fprintf(out,
            "- Player `%s`: tree search, %llu simulations in a full search; %.0f%% of the searches are cheap ones of "
            "%lld, which have no policy (playout cap randomisation).\n",
            config->player.name, (unsigned long long)config->player.simulations, 100 * config->cheap_share,
            (long long)config->cheap_simulations);
    fprintf(out,
            "- %lld to %lld random turns begin each game, all different up to symmetry as long as there are enough; "
            "komi is spread around an even chance by %g points, in %.0f%% of the games by %g.\n",
            (long long)config->opening_turns[0], (long long)config->opening_turns[1], config->komi_spread,
            100 * config->wild_share, config->wild_spread);
    fprintf(out,
            "- In the first turns (%g for each cell of the board) actions are drawn by visits^%lld, and full searches "
            "have noise at the root.\n",
            config->explore_turns, (long long)config->power);
    if (config->resign_below > 0)
        fprintf(out, "- A side resigns when its chance is below %g in %lld searches; not in %.0f%% of the games.\n",
                config->resign_below, (long long)config->resign_moves, 100 * config->resign_never);
    else
        fprintf(out, "- Nobody resigns.\n");
    fprintf(out, "\nThe settings in full and the command are in `manifest.json`; the same command makes the same "
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
            "## The arrays\n\nPositions are seen from the stones: Black is who has the black stones. Shapes are "
            "those of hexhex-%d: C planes, D = %d, A actions, G globals.\n\n"
            "| array | type | shape | |\n|---|---|---|---|\n",
            size, 2 * size - 1);
    for (int i = 0; i < count; i++) {
        char shape[DATASET_SHAPE_MAX], type[NPZ_TYPE_MAX];
        const char *about = dataset_rows_about(i, shape);
        snprintf(type, sizeof type, "%s", arrays[i].type + (arrays[i].type[0] == '|'));
        fprintf(out, "| `%s` | `%s` | `%s` | %s |\n", arrays[i].name, type, shape, about);
    }
    const NpzArray *first = &arrays[0];
    fprintf(out, "\nC = %zu, D = %zu:", first->shape[1], first->shape[2]);
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
            "| field | |\n|---|---|\n"
            "| `id`, `run`, `seed` | `game-NUMBER`; the run; the seed of the game |\n"
            "| `game`, `size`, `komi`, `button` | what is played; points for White; whether there is a button |\n"
            "| `moves`, `opening` | the turns; so many of them were random ones at the beginning |\n"
            "| `winner`, `margin`, `reason` | Black's margin in points, komi and button included |\n"
            "| `searches` | `kinds`: a letter for each action: full, cheap or `-`; `win_rates` of the side to move in "
            "1/10000 and `scores`, Black's margin in 1/10 points, for each search; `visits` for each full search: of "
            "the legal actions in ascending order, -n for n without a visit |\n\n");
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
    fprintf(out, "\nThe first game of each board at a third, at two thirds and at its end:\n\n");
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++)
        if (dataset->parts[size].games > 0)
            fprintf(out, "```\n%s```\n\n", dataset->parts[size].samples);
}

static void print_limits(const Dataset *dataset, FILE *out) {
    fprintf(
        out,
        "## Known limits\n\n"
        "- The games are as strong as their searches, and no stronger: %llu simulations are far from perfect play.\n"
        "- Random openings, drawn actions and wild komi make positions that good players would not reach. A side "
        "that lost by such an action lost by accident: `search_value` says what the search thought.\n"
        "- Visit counts of a search with noise at the root contain that noise.\n"
        "- Positions of one game are alike: split by `game`, never by row.\n"
        "- `search_value` of a cheap search is rougher than that of a full one.\n\n"
        "## Licence\n\n%s\n",
        (unsigned long long)config_of(dataset)->player.simulations, config_of(dataset)->license);
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
    if (good)
        return text;
    free(text);
    return NULL;
}
