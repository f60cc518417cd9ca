/* Files that are part of the binary: CMake turns them into arrays (web/embed.cmake writes the tables). */
#ifndef STIGMERGY_TOOLS_SERVE_ASSETS_H
#define STIGMERGY_TOOLS_SERVE_ASSETS_H

#include <stddef.h>

typedef struct WebAsset {
    const char *path; /* "/board.js" */
    const char *type; /* "text/javascript; charset=utf-8" */
    const unsigned char *bytes;
    size_t length;
} WebAsset;

/* The page of `serve` (tools/serve/web/), and the style of that of `report`; ended by one without a path. */
extern const WebAsset web_assets[], report_assets[];

#endif
