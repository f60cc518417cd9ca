/* See book.h. */
#include "tools/serve/book.h"

#include "selfplay/io/document.h"
#include "selfplay/runs/book/run.h"
#include "tools/report/book_positions.h"

#include <stdlib.h>

static const char *const parities[BOOK_PARITIES] = {"even", "odd"};

/* An image of a position. */
typedef struct Image {
    uint64_t hash;
    int position; /* its index */
} Image;

/* The book of a parity; empty if the document has none. */
typedef struct Part {
    BookPositions positions;
    Image *images; /* ascending */
    size_t image_count;
} Part;

struct WebBook {
    cJSON *json; /* the positions point into it */
    Game *game;
    Part parts[BOOK_PARITIES]; /* even, odd */
};

/* ---- The table ---- */

static int compare_images(const void *left, const void *right) {
    const Image *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->position - b->position;
}

/* The first image that is not below this one; NULL if there is none. */
static const Image *first_from(const Part *part, Image wanted) {
    size_t low = 0, high = part->image_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (compare_images(&part->images[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < part->image_count ? &part->images[low] : NULL;
}

/* The index of the position of which one with this hash is an image; -1 if there is none. If it came about after more
 * moves, too, the book knows it twice; it knows the earlier one better. */
static int find_position(const Part *part, uint64_t hash) {
    const Image *image = first_from(part, (Image){.hash = hash, .position = 0});
    return image && image->hash == hash ? image->position : -1;
}

static bool is_image(const Part *part, uint64_t hash, int position) {
    const Image wanted = {.hash = hash, .position = position}, *image = first_from(part, wanted);
    return image && !compare_images(image, &wanted);
}

/* Adds the images of a position: its moves are made under every symmetry. */
static void add_images(Part *part, const Game *game, int komi, int position) {
    const GameRules *rules = game->rules;
    const char *line = part->positions.list[position].line;
    GameState images[HEXHEX_SYMMETRIES];
    char text[GAME_TEXT_MAX];
    Action turn[GAME_TURN_MAX];
    int count;
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
        rules->start(game, &images[map], komi);
    while (game_next_turn(&line, text) && game_play_text(game, &images[0], text, turn, &count, NULL))
        for (int map = 1; map < HEXHEX_SYMMETRIES; map++)
            for (int i = 0; i < count; i++)
                rules->apply(game, &images[map], rules->symmetry(game, map, turn[i]));
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
        part->images[part->image_count++] = (Image){rules->hash(&images[map]), position};
}

/* ---- Reading ---- */

static void read_part(WebBook *book, ReportSource *source, const cJSON *json) {
    const bool odd = !strcmp(source_text(source, json, "parity"), parities[1]);
    Part *part = &book->parts[odd];
    if (part->images)
        source_fail(source, "parity", "another one for each book");
    const cJSON *nodes = source_array(source, json, "nodes");
    if (source->failed)
        return;
    book_positions_read(source, book->game, nodes, odd, &part->positions);
    part->images = source_list(source, "nodes", nodes, HEXHEX_SYMMETRIES * sizeof *part->images);
    for (int i = 0; i < part->positions.count && !source->failed; i++)
        add_images(part, book->game, odd, i);
    if (part->image_count > 0)
        qsort(part->images, part->image_count, sizeof *part->images, compare_images);
}

static bool read_document(WebBook *book, const char *path, Error *error) {
    ReportSource source = {.path = path, .json = book->json};
    if (!document_check_schema(book->json, &book_kind.schema, path, "is not a result of", error))
        return false;
    book->game = source_game(&source, false, GAME_PIE_DEFAULT);
    const cJSON *books = source_array(&source, book->json, "books");
    for (const cJSON *item = books ? books->child : NULL; item && !source.failed; item = item->next)
        read_part(book, &source, item);
    return !source.failed || error_pass(error, &source.error);
}

/* A book of a document, which is its own from here on. */
static WebBook *make_book(cJSON *json, const char *path, Error *error) {
    WebBook *book = json ? calloc(1, sizeof *book) : NULL;
    if (book) {
        book->json = json;
        if (read_document(book, path, error))
            return book;
        web_book_free(book);
    } else if (json) {
        cJSON_Delete(json);
        error_set(error, "%s: out of memory", path);
    }
    return NULL;
}

WebBook *web_book_read(const char *path, Error *error) {
    return make_book(json_load(path, error), path, error);
}

WebBook *web_book_parse(const char *text, size_t length, const char *path, Error *error) {
    return make_book(json_parse(text, length, path, error), path, error);
}

void web_book_free(WebBook *book) {
    if (!book)
        return;
    for (int i = 0; i < BOOK_PARITIES; i++) {
        book_positions_free(&book->parts[i].positions);
        free(book->parts[i].images);
    }
    game_free(book->game);
    cJSON_Delete(book->json);
    free(book);
}

/* ---- Answers ---- */

cJSON *web_book_subject(const WebBook *book) {
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "game", book->game->name);
    cJSON_AddNumberToObject(out, "size", book->game->board.size);
    cJSON *list = cJSON_AddArrayToObject(out, "parities");
    for (int i = 0; i < BOOK_PARITIES; i++)
        if (book->parts[i].images)
            json_add(list, NULL, cJSON_CreateString(parities[i]));
    return out;
}

static void add_values(cJSON *out, const BookPosition *position) {
    cJSON_AddNumberToObject(out, "games", position->games);
    json_add_number(out, "fairKomi", position->fair_komi.estimate);
    json_add(out, "ci95",
             cJSON_CreateDoubleArray((const double[]){position->fair_komi.ci95.low, position->fair_komi.ci95.high}, 2));
    cJSON_AddBoolToObject(out, "bracket", position->fair_komi.bracket);
    cJSON_AddBoolToObject(out, "exact", position->exact);
}

/* The legal actions of a position, and the positions after them. */
typedef struct Choices {
    Action actions[GAME_LEGAL_MAX];
    uint64_t after[GAME_LEGAL_MAX];
    int count;
} Choices;

static void find_choices(const Game *game, const GameState *state, Choices *choices) {
    choices->count = game->rules->legal(game, state, choices->actions);
    for (int i = 0; i < choices->count; i++) {
        GameState next;
        game_copy(game, &next, state);
        game->rules->apply(game, &next, choices->actions[i]);
        choices->after[i] = game->rules->hash(&next);
    }
}

/* The actions that lead to a child. An empty object if there are none. */
static cJSON *child_to_json(const Part *part, const GameLine *line, const Choices *choices, const cJSON *child) {
    const int at = book_positions_child(&part->positions, child);
    cJSON *out = cJSON_CreateObject(), *alike = NULL;
    for (int i = 0; i < choices->count; i++) {
        char text[GAME_TEXT_MAX];
        if (!is_image(part, choices->after[i], at))
            continue;
        line->game->rules->format(line->game, &line->end, choices->actions[i], text);
        if (alike) {
            json_add(alike, NULL, cJSON_CreateString(text));
            continue;
        }
        cJSON_AddStringToObject(out, "action", text);
        alike = cJSON_AddArrayToObject(out, "alike");
        add_values(out, &part->positions.list[at]);
        json_add_number(out, "probability", json_get(child, "probability")->valuedouble);
    }
    return out;
}

static cJSON *position_of(const Part *part, const GameLine *line, int at) {
    const BookPosition *position = &part->positions.list[at];
    Choices choices;
    cJSON *out = cJSON_CreateObject();
    add_values(out, position);
    cJSON *moves = cJSON_AddArrayToObject(out, "moves");
    find_choices(line->game, &line->end, &choices);
    for (const cJSON *child = position->children ? position->children->child : NULL; child; child = child->next) {
        cJSON *move = child_to_json(part, line, &choices, child);
        if (move && move->child)
            json_add(moves, NULL, move);
        else
            cJSON_Delete(move);
    }
    return out;
}

static bool is_about(const WebBook *book, const Game *game) {
    return !strcmp(book->game->name, game->name) && book->game->board.size == game->board.size &&
           book->game->capture == game->capture && book->game->pie == game->pie;
}

cJSON *web_book_at(const WebBook *book, const GameLine *line) {
    const Part *part = &book->parts[line->komi % 2 != 0];
    const int at = is_about(book, line->game) ? find_position(part, line->game->rules->hash(&line->end)) : -1;
    cJSON *out = cJSON_CreateObject();
    json_add(out, "position", at < 0 ? cJSON_CreateNull() : position_of(part, line, at));
    return out;
}
