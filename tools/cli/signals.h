/* What signals do to the program.
 *
 * A signal that ends it, and that a program may catch, leaves no temporary file of a document behind
 * (selfplay/io/atomic_file.h). A command that has work to save catches SIGINT and SIGTERM instead (run_tool.h). A pipe
 * that nobody reads and a file that may not grow (ulimit -f) are errors of the write, reported like all others. */
#ifndef STIGMERGY_TOOLS_CLI_SIGNALS_H
#define STIGMERGY_TOOLS_CLI_SIGNALS_H

/* To be called first in main. */
void signals_set_up(void);

/* Handles a signal. One that whoever started the program has ignored stays ignored (nohup, trap ''), except SIGINT: the
 * background job of a script has it ignored although nobody asked for that, and the script may stop it by SIGINT. */
void signals_catch(int signal, void (*handler)(int));

/* Ends the program as `signal` does: SIGINT with status 130, others by the signal itself. For signal handlers. */
void signals_end(int signal);

#endif
