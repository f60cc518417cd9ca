/* See effort.h. */
#include "selfplay/players/effort.h"

#include "selfplay/io/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool effort_is_given(Effort effort) {
    return effort.simulations > 0 || effort.move_seconds > 0;
}

Player player_with_effort(Player player, Effort effort) {
    player_set_limits(&player, (uint64_t)effort.simulations, effort.move_seconds);
    return player;
}

/* ---- In settings and documents ---- */

void effort_read(JsonReader *reader, Effort *effort) {
    const Error both = {.text = "it and 'simulations' exclude each other"};
    Effort given = {0};
    json_int(reader, "simulations", 1, PLAYER_SIMULATIONS_MAX, &given.simulations);
    json_number(reader, "move_time", 0.001, 1e6, &given.move_seconds);
    if (cJSON_HasObjectItem(reader->object, "simulations") && cJSON_HasObjectItem(reader->object, "move_time"))
        json_fail(reader, "move_time", &both);
    if (effort_is_given(given))
        *effort = given;
}

void effort_add(cJSON *json, Effort effort) {
    if (effort.simulations > 0)
        cJSON_AddNumberToObject(json, "simulations", (double)effort.simulations);
    if (effort.move_seconds > 0)
        cJSON_AddNumberToObject(json, "move_time", effort.move_seconds);
}

/* ---- In words and names ---- */

void effort_text(Effort effort, char out[EFFORT_TEXT_MAX]) {
    if (effort.simulations > 0)
        snprintf(out, EFFORT_TEXT_MAX, "%lld simulations", (long long)effort.simulations);
    else
        snprintf(out, EFFORT_TEXT_MAX, "%g s", effort.move_seconds);
}

void effort_name(Effort effort, char out[EFFORT_NAME_MAX]) {
    if (effort.simulations > 0) {
        snprintf(out, EFFORT_NAME_MAX, "%lld", (long long)effort.simulations);
        return;
    }
    const TextPoints points = text_points_begin();
    snprintf(out, EFFORT_NAME_MAX, "t%g", effort.move_seconds);
    text_points_end(points);
}

bool effort_is_name(const char *name, size_t length) {
    const size_t time = length > 0 && name[0] == 't';
    return length > time && length < EFFORT_NAME_MAX &&
           strspn(name + time, time ? "0123456789.e+-" : "0123456789") >= length - time;
}

Effort effort_of_name(const char *name) {
    if (name[0] != 't')
        return (Effort){.simulations = strtoll(name, NULL, 10)};
    const TextPoints points = text_points_begin();
    const double seconds = strtod(name + 1, NULL);
    text_points_end(points);
    return (Effort){.move_seconds = seconds};
}
