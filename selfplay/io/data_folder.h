/* The data folder of the program: configurations of runs and players, networks, exact values, fair komi, positions of
 * known value (configs/README.md).
 *
 * Its place is fixed relative to the running executable. PREFIX/bin/stigmergy has its data in PREFIX/share/stigmergy.
 * So an installation can be moved as a whole, and it never reads the files of another one. The build folder has the
 * same layout: there share/stigmergy is a link to configs/ of the sources. The environment variable STIGMERGY_DATA
 * names another folder. A program that links this library and is installed elsewhere sets it (pkg-config
 * --variable=datadir stigmergy). */
#ifndef STIGMERGY_SELFPLAY_IO_DATA_FOLDER_H
#define STIGMERGY_SELFPLAY_IO_DATA_FOLDER_H

#include "selfplay/io/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the path of the folder, which need not exist. False with an error if the path of the executable is unknown. */
bool data_folder(char path[FILE_PATH_MAX], Error *error);

/* Looks for NAME or NAME.json in `folder` of the data folder. *found says whether it is there, and `path` where, or
 * where it would be. False with an error if the system cannot tell. */
bool data_look(const char *folder, const char *name, char path[FILE_PATH_MAX], bool *found, Error *error);

/* Finds a configuration. A name with a slash or the ending .json is a path. A bare name means NAME or NAME.json in
 * `folder` ("players", "komi") of the data folder, and never a file of the current folder: what a command does must not
 * depend on what lies around there. Only a name that ends in .jsonl or .jsonl.zst, as files of positions do, is a path
 * where no installed file has it. False with an error that says where it looked. */
bool data_find(const char *folder, const char *name, char path[FILE_PATH_MAX], Error *error);

#ifdef __cplusplus
}
#endif

#endif
