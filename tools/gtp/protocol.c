/* See protocol.h. Bottom up: the commands of the session itself, one command and its answer, the lines of input. */
#include "tools/gtp/session_internal.h"

#include "tools/cli/tool.h"

#include <stdlib.h>

enum { WORDS_MAX = GTP_ARGUMENTS_MAX + 3 /* of a line that are looked at: number, command, one argument too many */ };

/* ---- The commands of the session itself ---- */

static const GtpCommand *find_command(const char *name);

static bool do_protocol_version(Gtp *gtp) {
    return fputs("2", gtp->answer) >= 0;
}

static bool do_name(Gtp *gtp) {
    return fputs("Stigmergy", gtp->answer) >= 0;
}

static bool do_version(Gtp *gtp) {
    return fputs(STIGMERGY_VERSION, gtp->answer) >= 0;
}

static bool do_known_command(Gtp *gtp) {
    return fputs(find_command(gtp->arguments[0]) ? "true" : "false", gtp->answer) >= 0;
}

static bool do_list_commands(Gtp *gtp);

static bool do_quit(Gtp *gtp) {
    return gtp->quit = true;
}

static const GtpCommand session_commands[] = {{"protocol_version", 0, 0, "", do_protocol_version, false},
                                              {"name", 0, 0, "", do_name, false},
                                              {"version", 0, 0, "", do_version, false},
                                              {"known_command", 1, 1, "COMMAND", do_known_command, false},
                                              {"list_commands", 0, 0, "", do_list_commands, false},
                                              {"quit", 0, 0, "", do_quit, false},
                                              {0}};

static const GtpCommand *const tables[] = {session_commands, gtp_game_commands, gtp_sgf_commands, gtp_analyze_commands,
                                           gtp_gogui_commands};
enum { TABLES = sizeof tables / sizeof tables[0] };

static const GtpCommand *find_command(const char *name) {
    for (int i = 0; i < TABLES; i++)
        for (const GtpCommand *command = tables[i]; command->name; command++)
            if (!strcmp(name, command->name))
                return command;
    return NULL;
}

static bool do_list_commands(Gtp *gtp) {
    for (int i = 0; i < TABLES; i++)
        for (const GtpCommand *command = tables[i]; command->name; command++)
            fprintf(gtp->answer, "%s\n", command->name);
    return true;
}

void gtp_print_commands(FILE *out) {
    for (int i = 0; i < TABLES; i++)
        for (const GtpCommand *command = tables[i]; command->name; command++)
            fprintf(out, "  %s%s%s\n", command->name, *command->usage ? " " : "", command->usage);
}

/* ---- A command and its answer ---- */

/* Runs a command of `count` words, with its name. */
static bool run_command(Gtp *gtp, char **words, int count, FILE *answer, Error *error) {
    if (gtp->too_long)
        return error_set(error, "the line is longer than %d bytes", GTP_LINE_LIMIT);
    if (count == 0)
        return error_set(error, "a command is missing");
    const GtpCommand *command = find_command(words[0]);
    if (!command)
        return error_set(error, "unknown command");
    if (count - 1 < command->fewest || count - 1 > command->most)
        return error_set(error, "%s: expected %s", command->name, *command->usage ? command->usage : "no arguments");
    gtp->arguments = words + 1;
    gtp->count = count - 1;
    gtp->answer = answer;
    gtp->error = error;
    return (!command->needs_komi || gtp_check_komi(gtp, error)) && command->run(gtp);
}

/* Takes empty lines out of an answer, because one would end it. */
static void close_lines(char *text) {
    char *end = text;
    for (const char *c = text; *c; c++)
        if (*c != '\n' || end == text || end[-1] != '\n')
            *end++ = *c;
    *end = '\0';
}

static void answer_command(Gtp *gtp, const char *id, char **words, int count) {
    char *text = NULL;
    size_t length = 0;
    FILE *answer = open_memstream(&text, &length);
    Error error = {.text = "out of memory"};
    gtp->id = id;
    gtp->answered = false;
    bool good = answer && run_command(gtp, words, count, answer, &error);
    good = answer && fclose(answer) == 0 && good;
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    if (good)
        close_lines(text);
    const char *result = good ? text : error.text;
    if (gtp->answered)
        fputc('\n', gtp->out);
    else
        fprintf(gtp->out, "%c%s%s%s\n\n", good ? '=' : '?', id, *result && *result != '\n' ? " " : "", result);
    fflush(gtp->out);
    free(text);
}

/* ---- The lines of input ---- */

static int split_words(char *line, char *words[WORDS_MAX]) {
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word && count < WORDS_MAX; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    return count;
}

/* Answers the current line, unless it is empty, and begins the next one. */
static bool end_line(Gtp *gtp) {
    char *words[WORDS_MAX];
    gtp->line[gtp->length] = '\0';
    const int count = split_words(gtp->line, words);
    const bool has_id = count > 0 && words[0][strspn(words[0], "0123456789")] == '\0';
    if (count > 0)
        answer_command(gtp, has_id ? words[0] : "", words + has_id, count - has_id);
    gtp->length = 0;
    gtp->in_comment = gtp->too_long = false;
    return !gtp->quit && !ferror(gtp->out);
}

/* The protocol's preprocessing: comments and control characters are removed, tabs become spaces. */
static void take_byte(Gtp *gtp, char byte) {
    const unsigned char code = (unsigned char)byte;
    if (byte == '#')
        gtp->in_comment = true;
    if (byte == '\t')
        byte = ' ';
    const bool control = (code < 0x20 && code != '\t') || code == 0x7f;
    const bool leading = gtp->length == 0 && byte == ' ';
    if (gtp->in_comment || control || leading)
        return;
    if (gtp->length < GTP_LINE_LIMIT)
        gtp->line[gtp->length++] = byte;
    else
        gtp->too_long = true;
}

bool gtp_feed(Gtp *gtp, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != '\n')
            take_byte(gtp, bytes[i]);
        else if (!end_line(gtp))
            return false;
    }
    gtp_ponder(gtp);
    return true;
}

void gtp_end(Gtp *gtp) {
    if (!gtp->quit)
        end_line(gtp);
}

Gtp *gtp_new(const GtpOptions *options, FILE *out, Error *error) {
    Gtp *gtp = calloc(1, sizeof *gtp);
    if (!gtp) {
        error_set(error, "out of memory");
        return NULL;
    }
    gtp->out = out;
    gtp->options = *options;
    gtp->komi = options->komi;
    gtp->networks = player_networks_new(error);
    if (!gtp->networks || !gtp_change_game(gtp, &options->game, error)) {
        gtp_free(gtp);
        return NULL;
    }
    return gtp;
}

void gtp_free(Gtp *gtp) {
    if (!gtp)
        return;
    for (int i = 0; i < gtp->turns; i++)
        free(gtp->past[i].text);
    search_free(gtp->search);
    player_networks_free(gtp->networks);
    game_free(gtp->game);
    free(gtp->past);
    game_tree_free(gtp->file);
    free(gtp);
}
