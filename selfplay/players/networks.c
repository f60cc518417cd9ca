/* See networks.h. */
#include "selfplay/players/networks.h"

#include "selfplay/io/data_folder.h"
#include "selfplay/io/text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct LoadedNetwork {
    struct LoadedNetwork *next;
    char *name;
    char hash[NETWORK_DIGITS_SIZE];
    Network *network;
    NetworkEvaluator evaluator;
} LoadedNetwork;

struct PlayerNetworks {
    pthread_mutex_t lock;
    LoadedNetwork *first;
};

/* ---- The networks that come with the program ---- */

/* The files are configs/networks/NAME.bin. The first line that fits a board counts. */
static const GameNetwork games[] = {{"stigmergy", "stigmergy-4-5", HEXHEX_MIN_SIZE, 4, 0, 0, false},
                                    {"stigmergy", "stigmergy-5", 5, 5, 0, 0, false},
                                    {"stigmergy", "stigmergy-6", 6, 6, 0, 0, false},
                                    {"stigmergy", "stigmergy-8", 8, 8, 0, 0, false},
                                    {"stigmergy", "stigmergy", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, 0, 0, false},
                                    {"bug", "bug", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, 0.7, 0.4, true},
                                    {"sgolte", "sgolte", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, 0, 0, false}};

const GameNetwork *network_of_game(const char *game, int size) {
    const int board = size > 0 ? size : HEXHEX_MAX_SIZE;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (!strcmp(games[i].game, game) && board >= games[i].size_min && board <= games[i].size_max)
            return &games[i];
    return NULL;
}

/* ---- Files ---- */

static const char ending[] = ".bin";

/* Says what is missing, the file or the data folder. The file is looked for first: on the page without a server there
 * are files only. */
static bool refuse_name(const char *name, const char *folder, const char *path, Error *error) {
    if (!file_exists(folder))
        return error_set(error, "network '%.100s': there is no folder %s; STIGMERGY_DATA names the right one", name,
                         folder);
    return error_set(error, "network '%.100s': no file %s; a path has a slash or ends in %s", name, path, ending);
}

bool network_find(const char *name, char path[FILE_PATH_MAX], Error *error) {
    char folder[FILE_PATH_MAX];
    int written;
    if (strchr(name, '/') || text_ends_with(name, ending)) {
        written = snprintf(path, FILE_PATH_MAX, "%s", name);
    } else {
        if (!data_folder(folder, error))
            return false;
        written = snprintf(path, FILE_PATH_MAX, "%s/networks/%s%s", folder, name, ending);
        if (written < FILE_PATH_MAX && !file_exists(path))
            return refuse_name(name, folder, path, error);
    }
    return written < FILE_PATH_MAX || error_set(error, "network '%.100s': the path is too long", name);
}

/* Reads and checks a file; its bytes, to be freed by the caller, or NULL with an error. *file points into them. */
static uint8_t *read_file(const char *name, size_t *size, NetworkFile *file, char hash[NETWORK_DIGITS_SIZE],
                          Error *error) {
    char path[FILE_PATH_MAX];
    uint8_t *bytes = network_find(name, path, error) ? (uint8_t *)file_read(path, size, error) : NULL;
    if (bytes && !network_file_read(bytes, *size, path, file, error)) {
        free(bytes);
        return NULL;
    }
    if (bytes)
        text_hex(bytes + *size - NETWORK_HASH_BYTES, NETWORK_DIGITS / 2, hash);
    return bytes;
}

bool network_hash(const char *name, char hash[NETWORK_DIGITS_SIZE], Error *error) {
    size_t size;
    NetworkFile file;
    uint8_t *bytes = read_file(name, &size, &file, hash, error);
    free(bytes);
    return bytes != NULL;
}

bool network_check_game(const char *name, const char *hash, const char *game, Error *error) {
    char path[FILE_PATH_MAX], found[NETWORK_DIGITS_SIZE];
    size_t size;
    NetworkFile file;
    if (!network_find(name, path, NULL) || !file_exists(path))
        return true;
    uint8_t *bytes = read_file(name, &size, &file, found, error);
    if (!bytes)
        return false;
    free(bytes);
    return strcmp(found, hash) != 0 || !strcmp(file.shape.game, game) ||
           error_set(error, "network '%.100s': a network for the game %s cannot play %s", name, file.shape.game, game);
}

/* ---- What is loaded ---- */

PlayerNetworks *player_networks_new(Error *error) {
    PlayerNetworks *networks = calloc(1, sizeof *networks);
    if (networks)
        pthread_mutex_init(&networks->lock, NULL);
    else
        error_set(error, "out of memory");
    return networks;
}

static void free_loaded(LoadedNetwork *loaded) {
    network_free(loaded->network);
    free(loaded->name);
    free(loaded);
}

void player_networks_free(PlayerNetworks *networks) {
    if (!networks)
        return;
    for (LoadedNetwork *loaded = networks->first, *next; loaded; loaded = next) {
        next = loaded->next;
        free_loaded(loaded);
    }
    pthread_mutex_destroy(&networks->lock);
    free(networks);
}

/* Fills in a network that is all zeros; false with an error. */
static bool load(LoadedNetwork *loaded, const char *name, const char *hash, Error *error) {
    size_t size;
    NetworkFile file;
    uint8_t *bytes = read_file(name, &size, &file, loaded->hash, error);
    bool good = bytes != NULL;
    if (good && strcmp(loaded->hash, hash) != 0)
        good = error_set(error, "network '%.100s': its hash is %s, expected %s; the file has changed", name,
                         loaded->hash, hash);
    if (good && !(loaded->name = strdup(name)))
        good = error_set(error, "out of memory");
    if (good)
        loaded->network = network_new(bytes, size, name, NULL, error);
    free(bytes);
    if (loaded->network)
        network_evaluator_init(&loaded->evaluator, loaded->network);
    return loaded->network != NULL;
}

static LoadedNetwork *new_loaded(const char *name, const char *hash, Error *error) {
    LoadedNetwork *loaded = calloc(1, sizeof *loaded);
    if (!loaded) {
        error_set(error, "out of memory");
    } else if (!load(loaded, name, hash, error)) {
        free_loaded(loaded);
        loaded = NULL;
    }
    return loaded;
}

const NetworkEvaluator *player_networks_get(PlayerNetworks *networks, const char *name, const char *hash,
                                            Error *error) {
    pthread_mutex_lock(&networks->lock);
    LoadedNetwork *loaded = networks->first;
    while (loaded && (strcmp(loaded->name, name) != 0 || strcmp(loaded->hash, hash) != 0))
        loaded = loaded->next;
    if (!loaded && (loaded = new_loaded(name, hash, error)) != NULL) {
        loaded->next = networks->first;
        networks->first = loaded;
    }
    pthread_mutex_unlock(&networks->lock);
    return loaded ? &loaded->evaluator : NULL;
}
