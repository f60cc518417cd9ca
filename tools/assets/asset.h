/* Files that are part of the binary: the page of `serve` and the style of the page of `report`. CMake turns them into
 * arrays (embed.cmake), so that the program needs no file of its own to show them. */
#ifndef STIGMERGY_TOOLS_ASSETS_ASSET_H
#define STIGMERGY_TOOLS_ASSETS_ASSET_H

#include <stddef.h>

typedef struct Asset {
    const char *path; /* in a URL: "/board.js", "/" for index.html */
    const char *type; /* for the Content-Type header: "text/javascript; charset=utf-8" */
    const unsigned char *bytes;
    size_t length;
    const unsigned char *packed; /* the same, packed by gzip: about a third */
    size_t packed_length;
} Asset;

/* The files of tools/serve/web/ and of tools/report/. Each table ends with an entry whose path is NULL. */
extern const Asset web_assets[], report_assets[];

#endif
