/* What each client of the board server may do: open searches, searches and requests a second, connections. */
#include "tests/support/web_talk.h"
#include "tools/serve/rate_limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

/* Analyses are limited for each client and for all together, moves only for each. Who comes later finds a place, too,
 * however many the others take. */
static void test_open_searches(void **state) {
    (void)state;
    enum { CLIENTS = 7 };
    Error error;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *connections[CLIENTS];
    int all = 0;
    for (uint32_t i = 0; i < CLIENTS; i++)
        connections[i] = connect_from(clients, 1 + i, -1);
    Client *first = clients_owner(connections[0]), *last = clients_owner(connections[CLIENTS - 1]);
    for (int i = 0; i < CLIENTS - 1; i++) {
        const int count = open_all(clients_owner(connections[i]), &error);
        assert_in_range(count, i == 0 ? CLIENT_ANALYSES_MAX : 1, CLIENT_ANALYSES_MAX);
        if ((all += count) < ANALYSES_MAX)
            assert_non_null(strstr(error.text, "of yours"));
    }
    assert_int_equal(all, ANALYSES_MAX);
    assert_int_equal(open_all(last, &error), 0);
    assert_non_null(strstr(error.text, "on this server"));
    assert_true(client_open_search(last, true, &error)); /* a move */
    client_close_search(last, true);
    client_close_search(first, false);
    assert_false(client_open_search(first, false, &error)); /* for those who have fewer */
    assert_int_equal(open_all(last, &error), 1);
    for (int i = 0; i < CLIENTS; i++)
        clients_disconnect(clients, connections[i]);
    clients_free(clients);
}

/* Who has all analyses that a client may have still gets moves, and then no search of any kind. */
static void test_own_searches(void **state) {
    (void)state;
    Error error;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *connection = connect_from(clients, 1, -1);
    Client *client = clients_owner(connection);
    assert_int_equal(open_all(client, &error), 8);
    assert_non_null(strstr(error.text, "8 analyses of yours"));
    for (int i = 0; i < 2; i++)
        assert_true(client_open_search(client, true, &error));
    assert_false(client_open_search(client, true, &error));
    assert_non_null(strstr(error.text, "10 searches of yours"));
    clients_disconnect(clients, connection);
    clients_free(clients);
}

static void test_client_rates(void **state) {
    (void)state;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *first = connect_from(clients, 1, -1), *other = connect_from(clients, 2, -1);
    Error error;
    int searches = 0;
    while (client_may_ask(clients_owner(first), true, 100, &error))
        searches++;
    assert_int_equal(searches, 200);
    assert_string_equal(error.text, "too many searches, expected at most 20 a second; try again in a second");
    assert_true(client_may_ask(clients_owner(first), false, 100, &error));
    assert_true(client_may_ask(clients_owner(other), true, 100, &error));
    clients_disconnect(clients, first);
    first = connect_from(clients, 1, -1); /* to come back makes nothing new */
    assert_false(client_may_ask(clients_owner(first), true, 100, &error));
    clients_disconnect(clients, first);
    clients_disconnect(clients, other);
    clients_free(clients);
}

static void test_request_rate(void **state) {
    (void)state;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *first = connect_from(clients, 1, -1), *other = connect_from(clients, 2, -1);
    Error error;
    int requests = 0;
    while (requests < 20000 && client_may_ask(clients_owner(first), false, 100, &error))
        requests++;
    assert_int_equal(requests, 10000);
    assert_string_equal(error.text, "too many requests, expected at most 2000 a second; try again in a second");
    assert_true(client_may_ask(clients_owner(other), false, 100, &error));
    clients_disconnect(clients, first);
    clients_disconnect(clients, other);
    clients_free(clients);
}

/* Asks for searches until the client may not. */
static int use_up(Client *client) {
    Error error;
    int searches = 0;
    while (searches < 1000 && client_may_ask(client, true, 100, &error))
        searches++;
    return searches;
}

/* Where many clients have come and gone, the one that has been away for the longest time is forgotten, and what it has
 * used up, too; but none that has something open. */
static void test_clients_are_forgotten(void **state) {
    (void)state;
    enum { MANY = 300, LAST = 10 + MANY - 1 };
    Error error;
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *busy = connect_from(clients, 1, -1), *away = connect_from(clients, 2, -1);
    Client *owner = clients_owner(busy);
    assert_true(client_open_search(owner, false, &error));
    assert_int_equal(use_up(owner), 200);
    assert_int_equal(use_up(clients_owner(away)), 200);
    clients_disconnect(clients, busy);
    clients_disconnect(clients, away);
    for (uint32_t host = 10; host <= LAST; host++) {
        ClientConnection *passing = connect_from(clients, host, -1);
        assert_int_equal(use_up(clients_owner(passing)), 200);
        clients_disconnect(clients, passing);
    }
    static const int left[][2] = {{1, 0}, {LAST, 0}, {2, 200}}; /* host, searches that it may ask for */
    for (int i = 0; i < 3; i++) {
        ClientConnection *again = connect_from(clients, (uint32_t)left[i][0], -1);
        assert_true(i > 0 || clients_owner(again) == owner);
        assert_int_equal(use_up(clients_owner(again)), left[i][1]);
        clients_disconnect(clients, again);
    }
    client_close_search(owner, false);
    clients_free(clients);
}

/* Of IPv6, the first half of the address. */
static void test_households(void **state) {
    (void)state;
    static const char *const addresses[] = {"2001:db8::1", "2001:db8::ffff:0:0:2", "2001:db8:0:1::1"};
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *connections[3];
    for (int i = 0; i < 3; i++) {
        struct sockaddr_in6 address = {.sin6_family = AF_INET6};
        assert_int_equal(inet_pton(AF_INET6, addresses[i], &address.sin6_addr), 1);
        connections[i] = clients_connect(clients, (const struct sockaddr *)(const void *)&address, -1);
        assert_non_null(connections[i]);
    }
    assert_ptr_equal(clients_owner(connections[0]), clients_owner(connections[1]));
    assert_ptr_not_equal(clients_owner(connections[0]), clients_owner(connections[2]));
    for (int i = 0; i < 3; i++)
        clients_disconnect(clients, connections[i]);
    clients_free(clients);
}

static bool is_shut(int socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_DONTWAIT) == 0;
}

/* Where all places are taken, the client with the most connections gives one up, the one that is silent for the longest
 * time and has no answer in the making. What is shut has given up its place, and gives up no other one. */
static void test_places(void **state) {
    (void)state;
    enum { QUIET = 2, ALL = CONNECTIONS_MAX + 3 };
    Clients *clients = clients_new(CONNECTIONS_MAX);
    ClientConnection *connections[ALL];
    int pairs[ALL][2];
    for (int i = 0; i < ALL; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]), 0);
        if (i == CONNECTIONS_MAX)
            clients_set_answering(clients, connections[QUIET], true);
        else if (i == CONNECTIONS_MAX + 1)
            clients_set_answering(clients, connections[QUIET + 2], false); /* it has answered just now */
        else if (i == CONNECTIONS_MAX + 2)
            clients_disconnect(clients, connections[QUIET + 1]);
        connections[i] = connect_from(clients, i < QUIET ? 1 : i >= CONNECTIONS_MAX ? 3 : 2, pairs[i][0]);
    }
    for (int i = 0; i < ALL; i++)
        assert_int_equal(is_shut(pairs[i][1]), i == QUIET + 1 || i == QUIET + 3 || i == QUIET + 4);
    for (int i = 0; i < ALL; i++) {
        if (i != QUIET + 1)
            clients_disconnect(clients, connections[i]);
        close(pairs[i][0]);
        close(pairs[i][1]);
    }
    clients_free(clients);
}

static void test_rate_limit(void **state) {
    (void)state;
    RateLimit limit;
    rate_limit_init(&limit, 2, 3);
    for (int i = 0; i < 3; i++)
        assert_true(rate_limit_take(&limit, 100));
    assert_false(rate_limit_take(&limit, 100));
    assert_true(rate_limit_take(&limit, 100.5));
    assert_false(rate_limit_take(&limit, 100.6));
    for (int i = 0; i < 3; i++) /* a long pause fills it, but no further than its size */
        assert_true(rate_limit_take(&limit, 1000));
    assert_false(rate_limit_take(&limit, 1000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate_limit),   cmocka_unit_test(test_open_searches),
        cmocka_unit_test(test_own_searches), cmocka_unit_test(test_client_rates),
        cmocka_unit_test(test_request_rate), cmocka_unit_test(test_clients_are_forgotten),
        cmocka_unit_test(test_households),   cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
