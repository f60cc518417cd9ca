/* See search_pool.h. */
#include "selfplay/analysis/search_pool.h"

#include "engine/base/condition.h"

#include <errno.h>
#include <stdlib.h>

static const double WAIT_SECONDS = 0.2;

struct SearchPool {
    pthread_mutex_t lock; /* of all but the searches that are lent, whose roots stay as they are */
    pthread_cond_t given;
    int count, threads;
    PlayerNetworks *networks; /* of the searches */
    uint64_t clock;           /* counts what is lent */
    uint64_t cleared;         /* its value at the last call of search_pool_clear */
    PooledSearch searches[];
};

SearchPool *search_pool_new(int count, int threads) {
    Error ignored; /* there is no memory */
    SearchPool *pool = calloc(1, sizeof *pool + (size_t)count * sizeof pool->searches[0]);
    PlayerNetworks *networks = pool ? player_networks_new(&ignored) : NULL;
    if (!networks) {
        free(pool);
        return NULL;
    }
    pool->networks = networks;
    pool->count = count;
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    condition_init(&pool->given);
    return pool;
}

static void drop(PooledSearch *pooled) {
    search_free(pooled->search);
    pooled->search = NULL;
}

void search_pool_free(SearchPool *pool) {
    if (!pool)
        return;
    for (int i = 0; i < pool->count; i++)
        drop(&pool->searches[i]);
    player_networks_free(pool->networks);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->given);
    free(pool);
}

/* ---- Which one fits best ---- */

static bool same_position(const Game *game, const GameState *a, const GameState *b) {
    return game->rules->hash(a) == game->rules->hash(b) && game->rules->to_move(a) == game->rules->to_move(b) &&
           game_colour(game, a, BLACK) == game_colour(game, b, BLACK) &&
           (!game->has_points || game->rules->komi(a) == game->rules->komi(b));
}

/* Whether it can be lent as it is, if it is idle. */
static bool fits(const PooledSearch *pooled, const SearchWish *wish) {
    return pooled->search && pooled->game == wish->game && pooled->player == wish->player;
}

/* The way from a root to a position: none, or an action. */
typedef struct Step {
    bool taken;
    Action action;
} Step;

/* Whether the tree holds the position: as its root or behind one action. */
static bool holds(const PooledSearch *pooled, const GameState *state, Step *step) {
    const Game *game = pooled->game;
    const GameState *root = search_position(pooled->search);
    step->taken = false;
    if (same_position(game, root, state))
        return true;
    if (game->rules->over(root))
        return false;
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, root, legal);
    step->taken = true;
    for (int i = 0; i < count; i++) {
        GameState after;
        game_copy(game, &after, root);
        game->rules->apply(game, &after, legal[i]);
        step->action = legal[i];
        if (same_position(game, &after, state))
            return true;
    }
    return false;
}

/* An idle one of the same game and player before one without memory before one that must go; among equals that which
 * was not used for the longest time. */
static PooledSearch *choose(SearchPool *pool, const SearchWish *wish) {
    PooledSearch *best = NULL;
    int best_rank = -1;
    for (int i = 0; i < pool->count; i++) {
        PooledSearch *pooled = &pool->searches[i];
        const int rank = fits(pooled, wish) ? 2 : !pooled->search ? 1 : 0;
        if (!pooled->busy && (rank > best_rank || (rank == best_rank && pooled->used < best->used))) {
            best = pooled;
            best_rank = rank;
        }
    }
    return best;
}

/* The idle one whose tree holds the position, and the action that leads to it; NULL where there is none, and *busy says
 * whether one that is lent does. */
static PooledSearch *find_tree(SearchPool *pool, const SearchWish *wish, Step *step, bool *busy) {
    *busy = false;
    for (int i = 0; i < pool->count; i++) {
        PooledSearch *pooled = &pool->searches[i];
        if (!fits(pooled, wish) || !holds(pooled, wish->state, step))
            continue;
        if (!pooled->busy)
            return pooled;
        *busy = true;
    }
    return NULL;
}

/* As find_tree, but waits a little for a tree that is lent: whoever turns to the next position has just stopped the
 * search of the last one. */
static PooledSearch *wait_for_tree(SearchPool *pool, const SearchWish *wish, Step *step) {
    const struct timespec until = deadline_in(WAIT_SECONDS);
    for (;;) {
        bool busy;
        PooledSearch *pooled = find_tree(pool, wish, step, &busy);
        if (pooled || !busy || pthread_cond_timedwait(&pool->given, &pool->lock, &until) == ETIMEDOUT)
            return pooled;
    }
}

/* ---- Lending ---- */

static uint64_t count_visits(const Search *search) {
    SearchMove moves[GAME_LEGAL_MAX];
    const int count = search_moves(search, moves, GAME_LEGAL_MAX);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += moves[i].visits;
    return sum;
}

/* Lets it have a search as wished, which begins from nothing. */
static bool begin_anew(SearchPool *pool, PooledSearch *pooled, const SearchWish *wish, Error *error) {
    if (!fits(pooled, wish)) {
        drop(pooled);
        Player with_threads = *wish->player;
        with_threads.search_threads = pool->threads;
        pooled->search = player_new_search(&with_threads, pool->networks, wish->game, wish->seed, error);
        pooled->game = wish->game;
        pooled->player = wish->player;
    }
    pooled->kept = 0;
    if (!pooled->search)
        return false;
    search_reseed(pooled->search, wish->seed);
    search_set_position(pooled->search, wish->state);
    search_set_history(pooled->search, wish->history);
    return true;
}

PooledSearch *search_pool_take(SearchPool *pool, const SearchWish *wish, Error *error) {
    Step step;
    bool good = true;
    pthread_mutex_lock(&pool->lock);
    PooledSearch *pooled = wish->keep_tree ? wait_for_tree(pool, wish, &step) : NULL;
    if (pooled) {
        if (step.taken)
            search_play(pooled->search, step.action);
        pooled->kept = count_visits(pooled->search);
    } else {
        pooled = choose(pool, wish);
        good = begin_anew(pool, pooled, wish, error);
    }
    pooled->used = ++pool->clock;
    pooled->busy = good;
    pthread_mutex_unlock(&pool->lock);
    return good ? pooled : NULL;
}

void search_pool_give(SearchPool *pool, PooledSearch *pooled) {
    pthread_mutex_lock(&pool->lock);
    if (pooled->used < pool->cleared)
        drop(pooled);
    pooled->busy = false;
    pthread_cond_broadcast(&pool->given);
    pthread_mutex_unlock(&pool->lock);
}

void search_pool_clear(SearchPool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->cleared = ++pool->clock;
    for (int i = 0; i < pool->count; i++)
        if (!pool->searches[i].busy)
            drop(&pool->searches[i]);
    pthread_mutex_unlock(&pool->lock);
}
