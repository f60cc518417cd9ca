/* Who may talk to the board server: hosts, other sites, media types and the token of its address. */
#include "tools/serve/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_guard(void **state) {
    (void)state;
    static const struct {
        const char *host, *origin;
        bool loopback, open; /* whether it is allowed on loopback, and where the server listens on all addresses */
    } cases[] = {
        {"localhost:8642", NULL, true, true},
        {"127.0.0.1:8642", "http://127.0.0.1:8642", true, true},
        {"127.0.0.1", "http://127.0.0.1", true, true},
        {"127.9.9.9:1", NULL, true, true},
        {"[::1]:8642", "http://[::1]:8642", true, true},
        {"LOCALHOST:8642", "http://localhost:8642", true, true},
        {"192.168.1.5:8642", "http://192.168.1.5:8642", false, true},
        {"host.lan:8642", NULL, false, true},
        {"HOST.lan:8642", NULL, false, true},
        {"[2001:db8::5]:8642", "http://[2001:db8::5]:8642", false, true},
        {"evil.example", NULL, false, false},
        {"127.0.0.1.evil.example", NULL, false, false},
        {"localhost.evil.example:8642", NULL, false, false},
        {"127.0.0.1:8642", "http://evil.example", false, false},
        {"127.0.0.1:8642", "http://127.0.0.1:9999", false, false},
        {"127.0.0.1:8642", "https://127.0.0.1:8642", false, false},
        {"127.0.0.1:8642", "null", false, false},
        {"localhost:8642", "http://127.0.0.1:8642", false, false},
        {"", NULL, false, false},
        {":8642", NULL, false, false},
        {"[::1", NULL, false, false},
        {"[::1]x", NULL, false, false},
        {"localhost:80:80", NULL, false, false},
        {"localhost@evil.example", NULL, false, false},
        {NULL, NULL, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool loopback = web_guard_allows(cases[i].host, cases[i].origin, "127.0.0.1", false);
        const bool open = web_guard_allows(cases[i].host, cases[i].origin, "host.lan", true);
        if (loopback != cases[i].loopback || open != cases[i].open)
            fail_msg("Host %s, Origin %s: %d %d", cases[i].host, cases[i].origin, loopback, open);
    }
}

static void test_requests_of_other_sites(void **state) {
    (void)state;
    assert_false(web_guard_is_foreign(NULL, NULL));
    assert_false(web_guard_is_foreign("same-origin", "cors"));
    assert_false(web_guard_is_foreign("none", "navigate"));
    assert_false(web_guard_is_foreign("cross-site", "navigate"));
    assert_true(web_guard_is_foreign("cross-site", "no-cors"));
    assert_true(web_guard_is_foreign("same-site", "no-cors"));
    assert_true(web_guard_is_foreign("cross-site", NULL));
}

static void test_media_types(void **state) {
    (void)state;
    static const char *const good[] = {"application/json", "Application/JSON", "application/json; charset=utf-8",
                                       "application/json ;charset=utf-8"};
    static const char *const wrong[] = {"",
                                        "text/plain",
                                        "application/jsonx",
                                        "application/json-seq",
                                        "application/jso",
                                        "application/x-www-form-urlencoded, application/json"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(web_guard_is_json(good[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(web_guard_is_json(wrong[i]));
    assert_false(web_guard_is_json(NULL));
}

static void test_token(void **state) {
    (void)state;
    Error error;
    char one[WEB_TOKEN_LENGTH + 1], two[WEB_TOKEN_LENGTH + 1];
    assert_true(web_guard_new_token(one, &error) && web_guard_new_token(two, &error));
    assert_true(web_guard_is_token(one) && web_guard_is_token(two));
    assert_false(web_guard_is_token("") || web_guard_is_token(one + 1));
    assert_false(web_guard_is_token("0123456789abcdef0123456789abcdeF"));
    assert_string_not_equal(one, two);
    assert_string_equal(web_guard_path("/a", ""), "/a");
    assert_string_equal(web_guard_path("/secret/", "secret"), "/");
    assert_string_equal(web_guard_path("/secret/api/setup", "secret"), "/api/setup");
    static const char *const wrong[] = {"", "/", "/secret", "/secre/", "/secrets/", "/Secret/", "secret/", "//secret/"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_null(web_guard_path(wrong[i], "secret"));
    assert_true(web_guard_lacks_slash("/secret", "secret"));
    static const char *const others[] = {"", "/", "/secret/", "/secre", "/secrets", "/Secret", "secret"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(web_guard_lacks_slash(others[i], "secret"));
    assert_false(web_guard_lacks_slash("/", "") || web_guard_lacks_slash("", ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guard),
        cmocka_unit_test(test_requests_of_other_sites),
        cmocka_unit_test(test_media_types),
        cmocka_unit_test(test_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
