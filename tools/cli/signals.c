/* See signals.h. */
#include "tools/cli/signals.h"

#include "selfplay/io/atomic_file.h"
#include "tools/cli/tool.h"

#include <signal.h>
#include <unistd.h>

void signals_end(int signal_number) {
    file_write_interrupted();
    if (signal_number == SIGINT)
        _exit(TOOL_INTERRUPTED);
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* kills when the handler returns */
}

/* Handles a signal, unless whoever started the program has it ignored (nohup). */
static void end_by(int signal_number) {
    struct sigaction before;
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal_number, &(struct sigaction){.sa_handler = signals_end}, NULL);
}

void signals_set_up(void) {
    sigaction(SIGINT, &(struct sigaction){.sa_handler = signals_end}, NULL);
    static const int deadly[] = {SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        end_by(deadly[i]);
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL); /* ignored, it hides how engines end */
}
