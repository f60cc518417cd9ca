/* See describe.h. */
#include "tools/cli/describe.h"

#include "tools/cli/options.h"

#include <string.h>

/* ---- Tables of options ---- */

/* The first option from here on that the command takes; NULL behind the last one. Headings and refusals are none. */
static const struct argp_option *find_visible(const struct argp_option *option) {
    while (option->name || option->key || option->doc) {
        if (option->name && !(option->flags & OPTION_HIDDEN))
            return option;
        option++;
    }
    return NULL;
}

/* Puts all options of a command, those that every command has last. */
static void put_each(FILE *out, const Tool *tool, void (*put)(FILE *, const Tool *, const struct argp_option *)) {
    struct argp_option rows[OPTIONS_MAX];
    const struct argp_option *const tables[] = {options_list(tool->argp, rows), options_standard_argp.options};
    for (int i = 0; i < 2; i++)
        for (const struct argp_option *option = tables[i]; (option = find_visible(option)); option++)
            put(out, tool, option);
}

/* The folder of share/stigmergy with the files that such an option takes by name. */
static const char *installed_folder(const Tool *tool, const struct argp_option *option) {
    return !strcmp(option->arg, "PLAYER") ? "players" : tool->name;
}

/* The words of a choice, separated by blanks. */
static void put_choices(FILE *out, const char *value) {
    for (; *value; value++)
        fputc(*value == '|' ? ' ' : *value, out);
}

/* How much of a description fits beside an option in a list: what comes before its values and defaults. */
static int short_length(const char *doc) {
    size_t length = strlen(doc);
    static const char *const ends[] = {" (", ": ", "; ", ". ", ", 0", ", 1", ", from "};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const char *end = strstr(doc, ends[i]);
        if (end && (size_t)(end - doc) < length)
            length = (size_t)(end - doc);
    }
    return (int)length;
}

/* ---- Manual pages ---- */

/* Text for roff: options can be copied from the page, and no line begins with a request. */
static void put_roff(FILE *out, const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
}

static void put_man_option(FILE *out, const struct argp_option *option) {
    fputs(".TP\n\\fB", out);
    if (option->key > 0 && option->key < 0x80)
        fprintf(out, "\\-%c\\fR, \\fB", option->key);
    fputs("\\-\\-", out);
    put_roff(out, option->name);
    fputs("\\fR", out);
    if (option->arg) {
        fputs("=\\fI", out);
        put_roff(out, option->arg);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_roff(out, option->doc);
    fputs(".\n", out);
}

void describe_man_options(FILE *out, const Tool *tool) {
    struct argp_option rows[OPTIONS_MAX];
    const struct argp_option *option = options_list(tool->argp, rows);
    for (; option->name || option->key || option->doc; option++)
        if (!option->name)
            fprintf(out, ".SS \"%.*s\"\n", (int)strlen(option->doc) - 1, option->doc); /* without its colon */
        else if (!(option->flags & OPTION_HIDDEN))
            put_man_option(out, option);
    fputs(".SS Help\n", out);
    for (option = options_standard_argp.options; (option = find_visible(option)); option++)
        put_man_option(out, option);
}

void describe_man_commands(FILE *out, const Tool *tools, int count) {
    for (int i = 0; i < count; i++) {
        fprintf(out, ".TP\n.BR stigmergy\\-%s (1)\n", tools[i].name);
        put_roff(out, tools[i].summary);
        fputc('\n', out);
    }
}

/* ---- bash ---- */

static void put_bash_option(FILE *out, const Tool *tool, const struct argp_option *option) {
    const ValueKind kind = options_value_kind(option);
    if (kind == VALUE_NONE)
        return;
    fprintf(out, "    '%s --%s') ", tool->name, option->name);
    switch (kind) {
    case VALUE_CHOICE:
        fputs("_stigmergy_words '", out);
        put_choices(out, option->arg);
        fputs("' ;;\n", out);
        break;
    case VALUE_INSTALLED: fprintf(out, "_stigmergy_installed %s ;;\n", installed_folder(tool, option)); break;
    case VALUE_FILE: fputs("_stigmergy_files -f ;;\n", out); break;
    case VALUE_FOLDER: fputs("_stigmergy_files -d ;;\n", out); break;
    default: fputs(";;\n", out);
    }
}

static void put_bash_name(FILE *out, const Tool *tool, const struct argp_option *option) {
    (void)tool;
    fprintf(out, " --%s", option->name);
}

static const char bash_head[] =
    "# Completion of stigmergy(1) for bash. Made by `stigmergy --describe bash`.\n"
    "_stigmergy_words() {\n"
    "    COMPREPLY=($(compgen -W \"$1\" -- \"$current\"))\n"
    "}\n"
    "_stigmergy_files() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$current\") # a line for each: names may have blanks\n"
    "}\n"
    "# A file, or one of the installed files by its name: they lie beside the program, in share/stigmergy.\n"
    "_stigmergy_installed() {\n"
    "    local file program\n"
    "    program=$(readlink -f \"$(command -v \"${COMP_WORDS[0]}\")\")\n"
    "    _stigmergy_files -f\n"
    "    for file in \"${program%/*}/../share/stigmergy/$1\"/*.{json,jsonl.zst}; do\n"
    "        file=${file##*/}\n"
    "        file=${file%.json}\n"
    "        if [[ $file != '*'* && $file == \"$current\"* ]]; then\n"
    "            COMPREPLY+=(\"$file\")\n"
    "        fi\n"
    "    done\n"
    "}\n"
    "_stigmergy() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
    "    if [[ $current == '=' ]]; then # bash makes three words of --size=5\n"
    "        current=''\n"
    "    elif [[ $before == '=' ]]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    COMPREPLY=()\n";

static void describe_bash(FILE *out, const Tool *tools, int count) {
    fputs(bash_head, out);
    fputs("    if ((COMP_CWORD == 1)); then\n        _stigmergy_words '", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s ", tools[i].name);
    fputs("help --help --version'\n        return\n    fi\n    case \"$command $before\" in\n    'help help') "
          "_stigmergy_words '",
          out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? " " : "", tools[i].name);
    fputs("' ;;\n", out);
    for (int i = 0; i < count; i++)
        put_each(out, &tools[i], put_bash_option);
    fputs("    *)\n        case $command in\n", out);
    for (int i = 0; i < count; i++) {
        if (tools[i].argp->args_doc) /* arguments are files */
            fprintf(out, "        %s) [[ $current == -* ]] || { _stigmergy_files -f; return; } ;;&\n", tools[i].name);
        fprintf(out, "        %s) _stigmergy_words '", tools[i].name);
        put_each(out, &tools[i], put_bash_name);
        fputs("' ;;\n", out);
    }
    fputs("        esac\n        ;;\n    esac\n}\ncomplete -F _stigmergy stigmergy\n", out);
}

/* ---- zsh ---- */

/* The beginning of a description inside single quotes and brackets. */
static void put_zsh_text(FILE *out, const char *text, int length) {
    for (int i = 0; i < length; i++)
        if (text[i] == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", text[i]))
            fprintf(out, "\\%c", text[i]);
        else
            fputc(text[i], out);
}

static void put_zsh_option(FILE *out, const Tool *tool, const struct argp_option *option) {
    const ValueKind kind = options_value_kind(option);
    fprintf(out, " \\\n            '*--%s%s[", option->name, kind == VALUE_NONE ? "" : "=");
    put_zsh_text(out, option->doc, short_length(option->doc));
    fputc(']', out);
    if (kind != VALUE_NONE) {
        fputc(':', out);
        put_zsh_text(out, option->name, (int)strlen(option->name));
        fputc(':', out);
    }
    switch (kind) {
    case VALUE_CHOICE:
        fputc('(', out);
        put_choices(out, option->arg);
        fputc(')', out);
        break;
    case VALUE_INSTALLED: fprintf(out, "{_stigmergy_installed %s}", installed_folder(tool, option)); break;
    case VALUE_FILE: fputs("_files", out); break;
    case VALUE_FOLDER: fputs("_files -/", out); break;
    default: break;
    }
    fputc('\'', out);
}

static const char zsh_head[] =
    "#compdef stigmergy\n"
    "# Completion of stigmergy(1) for zsh. Made by `stigmergy --describe zsh`.\n"
    "# A file, or one of the installed files by its name: they lie beside the program, in share/stigmergy.\n"
    "_stigmergy_installed() {\n"
    "    local program=${commands[stigmergy]:A}\n"
    "    local folder=${program:h}/../share/stigmergy/$1\n"
    "    local -a names=($folder/*.json(N:t:r) $folder/*.jsonl.zst(N:t))\n"
    "    compadd -a names\n"
    "    _files\n"
    "}\n"
    "_stigmergy() {\n"
    "    local -a subcommands=(\n";

static void describe_zsh(FILE *out, const Tool *tools, int count) {
    fputs(zsh_head, out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "        '%s:", tools[i].name);
        put_zsh_text(out, tools[i].summary, (int)strlen(tools[i].summary));
        fputs("'\n", out);
    }
    fputs("        'help:the help of a command'\n    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command subcommands\n"
          "        _arguments '--help[Print this help]' '--version[Print name and version]'\n"
          "        return\n"
          "    fi\n"
          "    local subcommand=$words[2]\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $subcommand in\n"
          "    help) _describe command subcommands ;;\n",
          out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "    %s)\n        _arguments", tools[i].name);
        put_each(out, &tools[i], put_zsh_option);
        fprintf(out, "%s\n        ;;\n", tools[i].argp->args_doc ? " \\\n            '*:file:_files'" : "");
    }
    fputs("    esac\n}\n_stigmergy \"$@\"\n", out);
}

/* ---- fish ---- */

static void put_fish_text(FILE *out, const char *text, int length) {
    fputc('\'', out);
    for (int i = 0; i < length; i++)
        fprintf(out, strchr("'\\", text[i]) ? "\\%c" : "%c", text[i]);
    fputc('\'', out);
}

static void put_fish_option(FILE *out, const Tool *tool, const struct argp_option *option) {
    fprintf(out, "complete -c stigmergy -n '__fish_seen_subcommand_from %s' -l %s", tool->name, option->name);
    if (option->key > 0 && option->key < 0x80)
        fprintf(out, " -s %c", option->key);
    switch (options_value_kind(option)) {
    case VALUE_NONE: break;
    case VALUE_CHOICE:
        fputs(" -x -a '", out);
        put_choices(out, option->arg);
        fputc('\'', out);
        break;
    case VALUE_INSTALLED: fprintf(out, " -r -F -a '(__stigmergy_installed %s)'", installed_folder(tool, option)); break;
    case VALUE_FILE: fputs(" -r -F", out); break;
    case VALUE_FOLDER: fputs(" -x -a '(__fish_complete_directories)'", out); break;
    case VALUE_OTHER: fputs(" -x", out); break;
    }
    fputs(" -d ", out);
    put_fish_text(out, option->doc, short_length(option->doc));
    fputc('\n', out);
}

static const char fish_head[] =
    "# Completion of stigmergy(1) for fish. Made by `stigmergy --describe fish`.\n"
    "# The installed files of a kind by their names: they lie beside the program, in share/stigmergy.\n"
    "function __stigmergy_installed\n"
    "    set -l program (realpath (command -s stigmergy))\n"
    "    for file in (dirname $program)/../share/stigmergy/$argv[1]/*.{json,jsonl.zst}\n"
    "        basename $file .json\n"
    "    end\n"
    "end\n"
    "complete -c stigmergy -f\n";

static void describe_fish(FILE *out, const Tool *tools, int count) {
    fputs(fish_head, out);
    for (int i = 0; i < count; i++) {
        fprintf(out, "complete -c stigmergy -n __fish_use_subcommand -a %s -d ", tools[i].name);
        put_fish_text(out, tools[i].summary, (int)strlen(tools[i].summary));
        fputc('\n', out);
    }
    fputs("complete -c stigmergy -n __fish_use_subcommand -a help -d 'the help of a command'\n"
          "complete -c stigmergy -n __fish_use_subcommand -l help -s h -d 'Print this help'\n"
          "complete -c stigmergy -n __fish_use_subcommand -l version -s V -d 'Print name and version'\n"
          "complete -c stigmergy -n '__fish_seen_subcommand_from help' -a '",
          out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? " " : "", tools[i].name);
    fputs("'\n", out);
    for (int i = 0; i < count; i++) {
        if (tools[i].argp->args_doc)
            fprintf(out, "complete -c stigmergy -n '__fish_seen_subcommand_from %s' -F\n", tools[i].name);
        put_each(out, &tools[i], put_fish_option);
    }
}

bool describe_completion(FILE *out, const char *shell, const Tool *tools, int count) {
    static const struct {
        const char *name;
        void (*describe)(FILE *out, const Tool *tools, int count);
    } shells[] = {{"bash", describe_bash}, {"zsh", describe_zsh}, {"fish", describe_fish}};
    for (int i = 0; i < 3; i++)
        if (!strcmp(shell, shells[i].name)) {
            shells[i].describe(out, tools, count);
            return true;
        }
    return false;
}
