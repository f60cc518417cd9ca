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

void signals_catch(int signal_number, void (*handler)(int)) {
    struct sigaction before;
    sigaction(signal_number, NULL, &before);
    if (before.sa_handler != SIG_IGN || signal_number == SIGINT)
        sigaction(signal_number, &(struct sigaction){.sa_handler = handler}, NULL);
}

void signals_set_up(void) {
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signals_catch(deadly[i], signals_end);
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL); /* ignored, it hides how engines end */
}
