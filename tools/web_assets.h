/* The files of the page (tools/web/), which CMake turns into arrays: embed.cmake writes web_assets.c. */
#ifndef STIGMERGY_WEB_ASSETS_H
#define STIGMERGY_WEB_ASSETS_H

#include <stddef.h>

typedef struct WebAsset {
    const char *path; /* "/board.js" */
    const char *type; /* "text/javascript; charset=utf-8" */
    const unsigned char *bytes;
    size_t length;
} WebAsset;

/* All of them, ended by one without a path. */
extern const WebAsset web_assets[];

#endif
