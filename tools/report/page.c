/* See page.h. Each kind of document is described by a ReportKind (kind_internal.h). */
#include "tools/report/page.h"

#include "selfplay/io/file.h"
#include "selfplay/io/json.h"
#include "tools/assets/asset.h"
#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

#include <stdlib.h>

static const ReportKind *const kinds[] = {&report_komi,  &report_book,  &report_openings,
                                          &report_match, &report_solve, &report_loop};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- Reading ---- */

/* Whether this is one of the games of a run (selfplay/record/record.h). */
static bool is_game(const cJSON *json) {
    return json_get(json, "run") && json_get(json, "moves");
}

static bool refuse_games(const char *path, Error *error) {
    return error_set(error, "%s: holds games, expected a result document", path);
}

static bool is_game_line(const char *line, size_t length) {
    cJSON *json = json_parse(line, length, "a line", NULL);
    const bool is = is_game(json);
    cJSON_Delete(json);
    return is;
}

static bool find_kind(ReportDocument *document, Error *error) {
    const char *path = document->source.path;
    const cJSON *schema = json_get(document->json, "schema");
    const cJSON *name = json_get(schema, "name");
    const cJSON *version = json_get(schema, "version");
    if (is_game(document->json))
        return refuse_games(path, error);
    if (!cJSON_IsString(name) || !cJSON_IsNumber(version))
        return error_set(error, "%s: is no result document, expected one with a 'schema' of name and version", path);
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i]->schema, name->valuestring))
            continue;
        document->kind = i;
        return version->valuedouble == 1 ||
               error_set(error, "%s: has schema version %g, expected 1", path, version->valuedouble);
    }
    return error_set(error, "%s: schema '%.40s', expected that of komi, book, openings, match, solve or loop", path,
                     name->valuestring);
}

bool report_document_read(ReportDocument *document, const char *path, int order, const char *text, size_t length,
                          Error *error) {
    *document = (ReportDocument){.source = {.path = path, .order = order}};
    document->json = json_parse(text, length, path, error);
    const char *end = document->json || error->no_memory ? NULL : memchr(text, '\n', length);
    if (end && is_game_line(text, (size_t)(end - text)))
        return refuse_games(path, error);
    if (!document->json || !find_kind(document, error))
        return false;
    ReportSource *source = &document->source;
    source->json = document->json;
    const ReportKind *kind = kinds[document->kind];
    document->game = source_game(source, kind->all_sizes, kind->pie);
    document->object = document->game ? calloc(1, kind->object_size) : NULL;
    if (document->game && !document->object)
        return error_set(error, "%s: out of memory", path);
    if (document->object)
        kind->read(source, document->game, document->object);
    return !source->failed || error_pass(error, &source->error);
}

void report_document_free(ReportDocument *document) {
    const ReportKind *kind = kinds[document->kind];
    if (document->object && kind->clear)
        kind->clear(document->object);
    free(document->object);
    game_free(document->game);
    cJSON_Delete(document->json);
    *document = (ReportDocument){.object = NULL};
}

/* By kind, then game, size and variant; 0 for documents that have all of these in common. */
static int compare_subjects(const ReportDocument *a, const ReportDocument *b) {
    if (a->kind != b->kind)
        return a->kind - b->kind;
    const Game *game = a->game, *other = b->game;
    const int games = strcmp(game->name, other->name);
    if (games)
        return games;
    if (game->board.size != other->board.size)
        return game->board.size - other->board.size;
    return game->pie != other->pie ? (int)game->pie - (int)other->pie : (int)game->capture - (int)other->capture;
}

/* By subject, then in the order of the command line. */
static int compare_documents(const void *left, const void *right) {
    const ReportDocument *a = left, *b = right;
    const int subjects = compare_subjects(a, b);
    return subjects ? subjects : a->source.order - b->source.order;
}

/* ---- Writing ---- */

/* The variant that is played, unless it is the game's usual one, or that of all documents of the kind. */
static void write_variant(FILE *out, const ReportKind *kind, const Game *game) {
    if (game->pie != GAME_PIE_DEFAULT && kind->pie == GAME_PIE_DEFAULT)
        fputs(game->pie == GAME_PIE_ON ? " with the pie rule" : " without the pie rule", out);
    if (game->capture == GAME_CAPTURE_LINE)
        fputs(", captures in a line", out);
}

/* The name of document i of `count`: its board and variant, and its file where others have the same. They are in order.
 */
static void write_name(FILE *out, const ReportDocument *documents, int count, int i) {
    const ReportDocument *document = &documents[i];
    const Game *game = document->game;
    if (kinds[document->kind]->all_sizes) {
        html_element(out, "span", "game", game->name);
    } else {
        if (strcmp(game->name, "stigmergy"))
            html_format(out, "span", "game", "%s ", game->name);
        fprintf(out, "hexhex-%d", game->board.size);
    }
    write_variant(out, kinds[document->kind], game);
    if ((i > 0 && !compare_subjects(document, document - 1)) ||
        (i + 1 < count && !compare_subjects(document, document + 1)))
        html_format(out, "span", "file", " (%s)", file_name_of(document->source.path));
}

static void write_head(FILE *out) {
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Stigmergy: results</title>\n<style>\n",
          out);
    fwrite(report_assets[0].bytes, 1, report_assets[0].length, out);
    fputs("</style>\n</head>\n<body>\n<header><h1>Stigmergy: results</h1></header>\n<main>\n", out);
}

static void write_overview(FILE *out, const ReportDocument *documents, int count) {
    const ReportKind *kind = kinds[documents[0].kind];
    if (!kind->write_overview)
        return;
    const void **objects = calloc((size_t)count, sizeof *objects);
    for (int i = 0; objects && i < count; i++)
        objects[i] = documents[i].object;
    if (objects)
        kind->write_overview(out, objects, count);
    else
        html_element(out, "p", "note", "no overview: out of memory");
    free(objects);
}

/* A table of all documents of a kind, which are documents[0..count-1]. */
static void write_summary(FILE *out, const ReportDocument *documents, int count) {
    const ReportKind *kind = kinds[documents[0].kind];
    html_table(out, kind->title, kind->columns);
    for (int i = 0; i < count; i++) {
        fprintf(out, "<tr><th scope=\"row\"><a href=\"#result-%d\">", documents[i].source.order + 1);
        write_name(out, documents, count, i);
        fputs("</a></th>", out);
        kind->write_line(out, documents[i].object);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

/* The name of a document's file, as a link to a copy of it inside the page. */
static void write_data(FILE *out, const ReportDocument *document) {
    char *text = cJSON_PrintUnformatted(document->json);
    if (text)
        html_download(out, file_name_of(document->source.path), "application/json", text);
    cJSON_free(text);
}

/* Where a document comes from, as far as it says so. */
static void write_origin(FILE *out, const ReportDocument *document, bool data) {
    const cJSON *json = document->json, *program = json_get(json, "program");
    const cJSON *version = json_get(program, "version");
    const cJSON *started = json_get(json, "started");
    const cJSON *seconds = json_get(json, "seconds");
    const cJSON *seed = json_get(json, "seed");
    fputs("<p class=\"origin\">", out);
    if (data)
        write_data(out, document);
    else
        html_text(out, document->source.path);
    if (cJSON_IsString(version))
        html_format(out, "span", NULL, " · %sstigmergy %s", kinds[document->kind]->estimated ? "estimated by " : "",
                    version->valuestring);
    if (cJSON_IsString(seed))
        html_format(out, "span", NULL, " · seed %s", seed->valuestring);
    if (cJSON_IsString(started))
        html_format(out, "span", NULL, " · %.10s", started->valuestring);
    if (cJSON_IsNumber(seconds))
        html_format(out, "span", NULL, " · %.0f s", seconds->valuedouble);
    fputs("</p>\n", out);
}

/* Shows each document the others, if its kind wants to see them. */
static void introduce(const ReportDocument *documents, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count && kinds[documents[i].kind]->see; k++)
            if (k != i)
                kinds[documents[i].kind]->see(documents[i].object, documents[k].json);
}

void report_page_write(FILE *out, ReportDocument *documents, int count, bool data) {
    qsort(documents, (size_t)count, sizeof *documents, compare_documents);
    introduce(documents, count);
    write_head(out);
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && documents[next].kind == documents[i].kind;)
            next++;
        write_overview(out, documents + i, next - i);
        write_summary(out, documents + i, next - i);
    }
    for (int i = 0; i < count; i++) {
        const ReportDocument *document = &documents[i];
        fprintf(out, "<section id=\"result-%d\">\n<h2>%s, ", document->source.order + 1,
                kinds[document->kind]->heading);
        write_name(out, documents, count, i);
        fputs("</h2>\n", out);
        write_origin(out, document, data);
        kinds[document->kind]->write_section(out, document->object);
        fputs("</section>\n", out);
    }
    fputs("</main>\n<footer>Intervals are 95% ones. Made by <code>stigmergy report</code>, version " STIGMERGY_VERSION
          ".</footer>\n</body>\n</html>\n",
          out);
}
