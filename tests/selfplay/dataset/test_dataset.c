/* Data sets. They are the same however they were made, and pass the check. Every kind of damage is found and named.
 *
 * malloc and calloc are wrapped (-Wl,--wrap), so that a test can let one of them fail. */
#include "engine/games/registry.h"
#include "selfplay/dataset/dataset.h"
#include "selfplay/dataset/manifest.h"
#include "selfplay/dataset/rows.h"
#include "selfplay/io/json.h"
#include "selfplay/io/npz.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/runs/generate/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/playout_player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Memory ---- */

static int failing_after = -1; /* the call that fails, after this many good ones; negative: none */

static bool fails(void) {
    return failing_after >= 0 && failing_after-- == 0;
}

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
    return fails() ? NULL : __real_malloc(bytes);
}

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes) {
    return fails() ? NULL : __real_calloc(count, bytes);
}

/* ---- Sets ---- */

static SelfplayConfig small_config(const char *game) {
    Error error;
    SelfplayConfig config = selfplay_config_default();
    snprintf(config.run.game, sizeof config.run.game, "%s", game);
    config.sizes[0] = (SelfplaySize){.size = 3, .weight = 1, .auto_komi = true};
    config.sizes[1] = (SelfplaySize){.size = 2, .weight = 1, .auto_komi = true};
    config.size_count = 2;
    use_playouts(&config.player);
    config.player.simulations = 20;
    config.player.memory_mb = 4;
    config.cheap_simulations = 5;
    config.cheap_share = 0.5;
    config.opening_turns[1] = 2;
    config.referee_simulations = 5;
    config.run.games = 30;
    config.rows = 100;
    assert_true(run_config_check(&config.run, &error));
    return config;
}

static bool is_complete(const char *path, const SelfplayDocument *document, int64_t games) {
    Error damage, error;
    bool complete;
    assert_true(dataset_resume(path, document, games, &complete, &damage, &error));
    assert_string_equal(damage.text, "");
    return complete;
}

/* A set is complete for what was asked for: another layout, run or number of games makes it again. */
static void expect_complete_as_asked(const char *path, const SelfplayDocument *asked, int64_t games) {
    static SelfplayDocument other;
    char *const texts[] = {other.run, other.config.license, other.config.creator, other.config.url};
    assert_true(is_complete(path, asked, games));
    assert_false(is_complete(path, asked, games + 1));
    other = *asked;
    other.config.rows++;
    assert_false(is_complete(path, &other, games));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        other = *asked;
        strcpy(texts[i], "other");
        assert_false(is_complete(path, &other, games));
    }
}

/* Plays a set and builds it. */
static void make_set(const SelfplayConfig *config, const char *path) {
    Error error = {.text = ""};
    static SelfplayDocument document;
    document = (SelfplayDocument){.config = *config, .context = document_context(), .command = "a test"};
    Run *run = run_new(&selfplay_kind, &config->run, (ShardSpec){0, 0}, &error);
    assert_true(run && selfplay_run_open(run, path, &error));
    strcpy(document.run, run->hash);
    const RunSession session = {.threads = 2};
    assert_int_equal(run_play(run, &session, &error), RUN_DONE);
    assert_true(game_store_finish(&selfplay_state(run)->store, &error));
    assert_true(selfplay_document_write(path, &document, &error));
    Dataset dataset = {.folder = path, .boards = &selfplay_state(run)->boards, .document = &document};
    assert_false(is_complete(path, &document, config->run.games));
    if (!dataset_build(&dataset, &error))
        fail_msg("%s", error.text);
    expect_complete_as_asked(path, &document, config->run.games);
    dataset_free(&dataset);
    run_free(run);
}

/* Checks a set. False with the error. */
static bool check_set(const char *path, DatasetPart *total, Error *error) {
    static SelfplayDocument document;
    SelfplayBoards boards;
    Dataset dataset;
    const bool good = dataset_check(&dataset, path, &boards, &document, error);
    if (total)
        *total = dataset_total(&dataset);
    dataset_free(&dataset);
    selfplay_boards_close(&boards);
    return good;
}

static void sets_of_all_games_are_sound(void **unused) {
    (void)unused;
    static const char *const games[] = {"stigmergy", "bug", "sgolte"};
    for (int i = 0; i < 3; i++) {
        char path[256];
        Error error = {.text = ""};
        DatasetPart total;
        const SelfplayConfig config = small_config(games[i]);
        in_folder(path, games[i]);
        make_set(&config, path);
        if (!check_set(path, &total, &error))
            fail_msg("%s", error.text);
        assert_int_equal(total.games, 30);
        assert_true(total.full > 0 && total.rows > total.full && total.positions > total.rows);
    }
}

/* The owners of the cells give the score of a finished game. */
static void scores_are_those_of_the_owners(void **unused) {
    (void)unused;
    Error error;
    size_t length;
    SelfplayBoards boards;
    const SelfplayConfig config = small_config("stigmergy");
    assert_true(selfplay_boards_open(&boards, &config, &error));
    const Game *game = boards.game[3];
    char path[256];
    in_folder(path, "stigmergy/records/games-000000.jsonl.zst");
    char *text = zstd_file_read(path, &length, &error);
    GameRecord record = {0};
    int seen = 0;
    for (char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        DatasetRows *rows = dataset_rows_new(game, &error);
        NpzArray arrays[DATASET_ARRAYS_MAX];
        if (record_from_line(line, (size_t)(end - line), "test", game, &record, NULL)) {
            assert_true(dataset_rows_add(rows, &record, 7, &error));
            const int count = dataset_rows_arrays(rows, arrays);
            const int8_t *owner = NULL;
            float score = 0;
            for (int i = 0; i < count; i++) {
                if (!strcmp(arrays[i].name, "owner"))
                    owner = arrays[i].data;
                if (!strcmp(arrays[i].name, "score"))
                    memcpy(&score, arrays[i].data, sizeof score);
            }
            int sum = -record.komi;
            for (int i = 0; i < 25; i++)
                sum += owner[i];
            assert_true(score == 0.5f * (float)record.result.half_points);
            assert_true(score - (float)sum == (komi_has_button(record.komi) ? score > (float)sum ? 0.5f : -0.5f : 0));
            seen++;
        }
        dataset_rows_free(rows);
    }
    assert_in_range(seen, 5, 25);
    record_free(&record);
    free(text);
    selfplay_boards_close(&boards);
}

/* ---- Damage ---- */

static void write_to(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Changes a file of the set, expects an error that contains `what`, and restores the file. */
static void damage(const char *set, const char *name, size_t at, const char *what) {
    char path[512];
    Error error = {.text = ""};
    size_t length;
    snprintf(path, sizeof path, "%s/%s", set, name);
    char *text = file_read(path, &length, &error);
    assert_non_null(text);
    const char before = text[at % length];
    text[at % length] = (char)(before ^ 1);
    write_to(path, text, length);
    assert_named(check_set(set, NULL, &error), &error, what);
    text[at % length] = before;
    write_to(path, text, length / 2);
    assert_named(check_set(set, NULL, &error), &error, name);
    unlink(path);
    assert_named(check_set(set, NULL, &error), &error, name);
    write_to(path, text, length);
    free(text);
}

static void damaged_sets_are_named(void **unused) {
    (void)unused;
    char set[256], path[512];
    Error error = {.text = ""};
    in_folder(set, "stigmergy");
    damage(set, "records/games-000000.jsonl.zst", 1000, "records/games-000000.jsonl.zst: is damaged: its SHA-256");
    damage(set, "shards/stigmergy-3-000000.npz", 500, "shards/stigmergy-3-000000.npz: is damaged");
    damage(set, "README.md", 100, "README.md: is damaged");
    snprintf(path, sizeof path, "%s/shards/stigmergy-3-000099.npz", set);
    write_to(path, "x", 1);
    assert_named(check_set(set, NULL, &error), &error, "not in the manifest: shards/stigmergy-3-000099.npz");
    unlink(path);
    snprintf(path, sizeof path, "%s/games.jsonl", set);
    write_to(path, "x", 1);
    assert_named(check_set(set, NULL, &error), &error, "not in the manifest: games.jsonl");
    unlink(path);
    assert_true(check_set(set, NULL, &error));
}

static void sets_without_a_file_are_not_complete(void **unused) {
    (void)unused;
    static const char *const names[] = {"shards/stigmergy-3-000000.npz", "README.md", "run.json"};
    static SelfplayDocument document;
    char set[256], path[512];
    Error error = {.text = ""};
    size_t length;
    in_folder(set, "stigmergy");
    assert_true(dataset_manifest_load(set, &document, &error));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", set, names[i]);
        char *text = file_read(path, &length, &error);
        assert_int_equal(unlink(path), 0);
        assert_false(is_complete(set, &document, 30));
        write_to(path, text, length - 1);
        assert_false(is_complete(set, &document, 30));
        write_to(path, text, length);
        assert_true(is_complete(set, &document, 30));
        free(text);
    }
    snprintf(path, sizeof path, "%s/manifest.json", set); /* without the last of its files, the run's document */
    char *text = file_read(path, &length, &error);
    cJSON *json = json_load(path, &error), *files = json_get(json, "files");
    cJSON_DeleteItemFromArray(files, cJSON_GetArraySize(files) - 1);
    assert_true(document_write(json, path, &error));
    assert_false(is_complete(set, &document, 30));
    write_to(path, text, length);
    free(text);
}

/* It is not known then whether the set is complete, and nothing is said to be damaged. */
static void want_of_memory_is_no_damage(void **unused) {
    (void)unused;
    static SelfplayDocument document;
    char set[256];
    Error damage, error = {.text = ""};
    in_folder(set, "stigmergy");
    assert_true(dataset_manifest_load(set, &document, &error));
    int refused = 0;
    for (bool all = false; !all; refused += !all) {
        bool complete;
        failing_after = refused;
        all = dataset_resume(set, &document, 30, &complete, &damage, &error);
        assert_true(failing_after < 0 || all);
        failing_after = -1;
        if (all)
            assert_true(complete && !damage.text[0]);
        else
            assert_named(all, &error, "out of memory");
    }
    assert_in_range(refused, 100, 10000);
    free(json_print(cJSON_CreateNull())); /* which forgets that there was no memory for JSON */
}

/* Replaces the hash and the length of a file in a manifest. */
static void adjust_manifest(const char *path, const DatasetFile *after) {
    Error error;
    cJSON *json = json_load(path, &error);
    for (cJSON *item = json_get(json, "files")->child; item; item = item->next)
        if (!strcmp(json_get(item, "path")->valuestring, "records/games-000000.jsonl.zst")) {
            cJSON_ReplaceItemInObjectCaseSensitive(item, "sha256", cJSON_CreateString(after->hash));
            cJSON_ReplaceItemInObjectCaseSensitive(item, "bytes", cJSON_CreateNumber((double)after->bytes));
        }
    assert_true(document_write(json, path, &error));
}

/* Gives a set other records, with a manifest that names them. Expects an error, and restores the set. */
static void expect_records_refused(const char *set, const char *text, size_t length, const char *what) {
    char pack[512], manifest[512];
    Error error = {.text = ""};
    size_t packed_length;
    DatasetFile before, after;
    snprintf(pack, sizeof pack, "%s/records/games-000000.jsonl.zst", set);
    snprintf(manifest, sizeof manifest, "%s/manifest.json", set);
    char *packed = file_read(pack, &packed_length, &error);
    assert_true(packed && dataset_hash_file(pack, &before, &error));
    assert_true(zstd_file_write(pack, text, length, &error) && dataset_hash_file(pack, &after, &error));
    adjust_manifest(manifest, &after);
    assert_named(check_set(set, NULL, &error), &error, what);
    adjust_manifest(manifest, &before);
    write_to(pack, packed, packed_length);
    assert_true(check_set(set, NULL, &error));
    free(packed);
}

/* A line that was changed, or copied, by somebody who changed the manifest, too. */
static void changed_lines_are_named(void **unused) {
    (void)unused;
    char set[256], pack[512];
    Error error;
    size_t length;
    in_folder(set, "stigmergy");
    snprintf(pack, sizeof pack, "%s/records/games-000000.jsonl.zst", set);
    char *text = zstd_file_read(pack, &length, &error);
    assert_non_null(text);
    const size_t line = (size_t)(strchr(text, '\n') - text) + 1;
    char *twice = malloc(length + line);
    assert_non_null(twice);
    memcpy(twice, text, line);
    memcpy(twice + line, text, length);
    expect_records_refused(set, twice, length + line, "game 0 is there twice or out of place");
    char *place = strstr(text, "\"seed\":\"") + strlen("\"seed\":\"");
    *place = *place == '1' ? '2' : '1';
    expect_records_refused(set, text, length, "the line was changed");
    free(twice);
    free(text);
}

/* Of what is in no manifest, git's own files and kept copies of damaged documents may be there; the like of their names
 * may not, nor a folder of such a name. */
static void only_known_names_are_let_in(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        bool sound;
    } files[] = {{".hidden", false},
                 {"records/.hidden", false},
                 {"shards/.hidden.npz", false},
                 {"shards/.gitignore", false},
                 {".gitattributes", true},
                 {".gitattributes-2", false},
                 {".gitevil", false},
                 {"run.json.damaged", true},
                 {"README.md.damaged-12", true},
                 {"README.md.damaged-", false},
                 {"README.md.damaged-2.exe", false},
                 {"manifest.json.damagedX", false},
                 {"records/run.json.damaged", false}};
    char set[256], path[512];
    Error error = {.text = ""};
    in_folder(set, "stigmergy");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", set, files[i].name);
        write_to(path, "x", 1);
        const bool sound = check_set(set, NULL, &error);
        assert_int_equal(sound, files[i].sound);
        if (!sound)
            assert_named(sound, &error, files[i].name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/run.json.damaged", set);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_named(check_set(set, NULL, &error), &error, "run.json.damaged");
    rmdir(path);
}

/* ---- Files of others ---- */

/* Makes everything but the records again. */
static bool build_again(const char *set, Error *error) {
    static SelfplayDocument document;
    SelfplayBoards boards = {0};
    Dataset dataset = {.folder = set, .boards = &boards, .document = &document};
    document.command = "a test";
    assert_true(selfplay_document_load(set, &document, error));
    assert_true(selfplay_boards_open(&boards, &document.config, error));
    const bool good = dataset_build(&dataset, error);
    dataset_free(&dataset);
    selfplay_boards_close(&boards);
    return good;
}

/* Of the files beside the set, only arrays of its boards and temporary files are removed when it is made again. */
static void files_of_others_stay(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        bool stays;
    } files[] = {{"shards/notes.txt", true},
                 {"shards/.hidden", true},
                 {"shards/stigmergy-4-000000.npz", true}, /* the set has no such board */
                 {"shards/bug-3-000000.npz", true},
                 {"shards/stigmergy-3-99.npz", true},
                 {"shards/stigmergy-3-000099.npz.old", true},
                 {"records/stigmergy-3-000099.npz", true},
                 {"records/notes.txt", true},
                 {"shards/stigmergy-3-000099.npz", false},
                 {"shards/stigmergy-2-1000000.npz", false},
                 {"shards/stigmergy-3-000000.npz.0123456789abcdef.tmp", false},
                 {"records/games-000000.jsonl.zst.0123456789abcdef.tmp", false},
                 {"run.json.0123456789abcdef.tmp", false}};
    static const char *const folders[] = {"shards/more", "shards/stigmergy-3-000098.npz"};
    char set[256], path[512];
    Error error = {.text = ""};
    in_folder(set, "stigmergy");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", set, files[i].name);
        write_to(path, "x", 1);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", set, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    if (!build_again(set, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", set, folders[i]);
        assert_int_equal(rmdir(path), 0);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", set, files[i].name);
        if ((unlink(path) == 0) != files[i].stays)
            fail_msg("%s", path);
    }
    assert_true(check_set(set, NULL, &error));
}

/* Nothing is written or removed through a link that is in the place of a file or folder of the set. */
static void links_in_a_set_are_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *name, *what;
    } links[] = {{"README.md", "README.md: is a symbolic link, expected a regular file"},
                 {"croissant.json", "croissant.json: is a symbolic link, expected a regular file"},
                 {"run.json", "run.json: is a symbolic link, expected a regular file"},
                 {"manifest.json", "manifest.json: is a symbolic link, expected a regular file"},
                 {"shards", "shards: is a symbolic link, expected a folder"},
                 {"records", "records: is a symbolic link, expected a folder"},
                 {"shards/stigmergy-3-000000.npz", "stigmergy-3-000000.npz: is a symbolic link, expected none"},
                 {"records/games-000000.jsonl.zst", "games-000000.jsonl.zst: is a symbolic link, expected none"}};
    char set[256], path[512], away[512];
    Error error = {.text = ""};
    in_folder(set, "stigmergy");
    in_folder(away, "away");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        snprintf(path, sizeof path, "%s/%s", set, links[i].name);
        assert_int_equal(rename(path, away), 0);
        assert_int_equal(symlink(away, path), 0);
        assert_named(build_again(set, &error), &error, links[i].what);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(rename(away, path), 0);
    }
    snprintf(path, sizeof path, "%s/games.jsonl", set); /* which leads nowhere */
    assert_int_equal(symlink(away, path), 0);
    assert_named(build_again(set, &error), &error, "games.jsonl: is a symbolic link, expected a regular file");
    assert_int_equal(unlink(path), 0);
    assert_true(check_set(set, NULL, &error));
}

/* ---- Wrong sets ---- */

/* Writes the manifest with one text replaced by another. */
static void edit_manifest(const char *set, const char *old, const char *new, const char *what) {
    char path[512];
    Error error = {.text = ""};
    size_t length;
    snprintf(path, sizeof path, "%s/manifest.json", set);
    char *text = file_read(path, &length, &error), *found = strstr(text, old);
    char *edited = malloc(length + strlen(new) + 1);
    assert_non_null(found);
    memcpy(edited, text, (size_t)(found - text));
    strcpy(edited + (found - text), new);
    strcat(edited, found + strlen(old));
    write_to(path, edited, strlen(edited));
    assert_named(check_set(set, NULL, &error), &error, what);
    write_to(path, text, length);
    free(edited);
    free(text);
}

static void wrong_manifests_are_named(void **unused) {
    (void)unused;
    char set[256];
    in_folder(set, "stigmergy");
    edit_manifest(set, "{", "", "manifest.json: line");
    edit_manifest(set, "stigmergy-dataset", "stigmergy-komi", "is not the manifest of a data set");
    edit_manifest(set, "\"full_searches\":\t", "\"full_searches\":\t1", "'counts' does not match the records");
    edit_manifest(set, "\"even_komi_games\":\t", "\"even_komi_games\":\t1", "'sizes' does not match the records");
    edit_manifest(set, "\"size\":\t2,\n\t\t\t\"rows\":\t", "\"size\":\t2,\n\t\t\t\"rows\":\t1",
                  "'files' does not match the records");
    edit_manifest(set, "records/games-", "../records/games-", "is not a path in the folder");
    edit_manifest(set, "records/games-", "records/../records/games-", "is not a path in the folder");
    edit_manifest(set, "\"games\":\t30", "\"games\":\t\"many\"", "'games' is wrong");
    edit_manifest(set, "\"cheap\":", "\"cheep\":", "unknown key 'cheep'");
    edit_manifest(set, "\"share\":\t0.5", "\"share\":\t0.6", "'run' is");
    edit_manifest(set, "\"files\":", "\"file\":", "'files' is missing");
    edit_manifest(set, "\"run\":", "\"ran\":", "'run' is missing");
}

/* The entry of the manifest for a file. */
static void say_of(const char *set, const char *name, char out[256]) {
    char path[512];
    Error error;
    DatasetFile file;
    snprintf(path, sizeof path, "%s/%s", set, name);
    assert_true(dataset_hash_file(path, &file, &error));
    snprintf(out, 256, "\"bytes\":\t%lld,\n\t\t\t\"sha256\":\t\"%s\"", (long long)file.bytes, file.hash);
}

/* A set with right hashes whose arrays are not those of its records. */
static void wrong_arrays_are_named(void **unused) {
    (void)unused;
    static const char name[] = "shards/stigmergy-2-000000.npz";
    char set[256], path[512], before[256], after[256];
    Error error = {.text = ""};
    in_folder(set, "stigmergy");
    say_of(set, name, before);
    snprintf(path, sizeof path, "%s/%s", set, name);
    size_t old_length, length;
    char *old = file_read(path, &old_length, &error);
    Game *game = game_new(&(GameOptions){.size = 2}, &error);
    DatasetRows *rows = dataset_rows_new(game, &error);
    NpzArray arrays[DATASET_ARRAYS_MAX];
    const int count = dataset_rows_arrays(rows, arrays);
    char *bytes = npz_pack("test", arrays, count, &length, &error);
    write_to(path, bytes, length);
    say_of(set, name, after);
    edit_manifest(set, before, after, "stigmergy-2-000000.npz: array 'planes.npy' has");
    write_to(path, old, old_length);
    free(old);
    free(bytes);
    dataset_rows_free(rows);
    game_free(game);
}

/* Opens a run and closes it. *torn tells whether a line was cut off and 30 games were left. */
static bool opens(const SelfplayConfig *config, ShardSpec shard, const char *set, bool *torn, Error *error) {
    Run *run = run_new(&selfplay_kind, &config->run, shard, error);
    const bool good = selfplay_run_open(run, set, error);
    if (torn)
        *torn = selfplay_state(run)->store.torn && selfplay_state(run)->store.played == 30;
    run_free(run);
    return good;
}

/* Packed records that are damaged stop a run with an error that names them. So does a line of another run. */
static void damaged_records_stop_a_run(void **unused) {
    (void)unused;
    char set[256], path[512];
    Error error = {.text = ""};
    bool torn;
    SelfplayConfig config = small_config("bug");
    in_folder(set, "records-damaged");
    make_set(&config, set);
    snprintf(path, sizeof path, "%s/games.jsonl", set);
    write_to(path, "{\"id\":\"game-1\",\"size\":3}\n", 25);
    assert_named(opens(&config, (ShardSpec){0, 0}, set, NULL, &error), &error, "games.jsonl: line 1");
    write_to(path, "{\"id\":\"game-30\",\"run", 20); /* torn: cut off */
    assert_true(opens(&config, (ShardSpec){0, 0}, set, &torn, &error));
    assert_true(torn);
    write_to(path, "{\"id\":\"game-30\0\0\0\0\0\n", 20); /* the same, with zeros for the rest */
    assert_true(opens(&config, (ShardSpec){0, 0}, set, &torn, &error));
    assert_true(torn);
    write_to(path, "my notes", 8); /* no record, and not cut off */
    assert_named(opens(&config, (ShardSpec){0, 0}, set, NULL, &error), &error, "games.jsonl: line 1 is no record");
    char *notes = read_text(path);
    assert_string_equal(notes, "my notes");
    free(notes);
    write_to(path, "", 0);
    config.run.seed = 2;
    assert_named(opens(&config, (ShardSpec){0, 0}, set, NULL, &error), &error, "belongs to another run");
    config.run.seed = 1;
    assert_named(opens(&config, (ShardSpec){1, 2}, set, NULL, &error), &error, "is not of shard 1/2");
    snprintf(path, sizeof path, "%s/records/games-000000.jsonl.zst", set);
    assert_int_equal(truncate(path, 200), 0);
    assert_named(opens(&config, (ShardSpec){0, 0}, set, NULL, &error), &error, "is damaged");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_of_all_games_are_sound), cmocka_unit_test(scores_are_those_of_the_owners),
        cmocka_unit_test(damaged_sets_are_named),      cmocka_unit_test(sets_without_a_file_are_not_complete),
        cmocka_unit_test(want_of_memory_is_no_damage), cmocka_unit_test(changed_lines_are_named),
        cmocka_unit_test(only_known_names_are_let_in), cmocka_unit_test(files_of_others_stay),
        cmocka_unit_test(links_in_a_set_are_refused),  cmocka_unit_test(wrong_manifests_are_named),
        cmocka_unit_test(wrong_arrays_are_named),      cmocka_unit_test(damaged_records_stop_a_run),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder_with_contents);
}
