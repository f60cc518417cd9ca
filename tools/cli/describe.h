/* The commands and their options in other forms than `--help`: the OPTIONS of a manual page, and the completions of
 * three shells. All are made of the tables that the commands parse their options with, so they say the same. The build
 * makes the installed files with them: `stigmergy --describe man [COMMAND]`, `stigmergy --describe bash|zsh|fish`. */
#ifndef STIGMERGY_TOOLS_CLI_DESCRIBE_H
#define STIGMERGY_TOOLS_CLI_DESCRIBE_H

#include "tools/cli/tool.h"

/* The options of a command as a part of a manual page (man(7)). */
void describe_man_options(FILE *out, const Tool *tool);

/* The list of the commands, likewise. */
void describe_man_commands(FILE *out, const Tool *tools, int count);

/* A shell's completion of commands, options and their values; false where the shell is none of bash, zsh and fish. */
bool describe_completion(FILE *out, const char *shell, const Tool *tools, int count);

#endif
