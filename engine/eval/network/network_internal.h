/* What a network is made of; for network.c, which makes it, and forward.c, which runs it. */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_NETWORK_INTERNAL_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_NETWORK_INTERNAL_H

#include "engine/eval/network/kernel.h"
#include "engine/eval/network/network.h"

struct Network {
    NetworkShape shape;
    const NetworkKernel *kernel;
    NetworkLayer layer[NETWORK_LAYERS_MAX]; /* all 0 if the architecture has no such layer */
};

#endif
