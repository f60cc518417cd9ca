/* The folder of the program's data: configurations of runs and players, exact values.
 *
 * It lies at a fixed place beside the running executable: PREFIX/bin/stigmergy has its data in PREFIX/share/stigmergy,
 * so an installation can be moved as a whole, and never reads anything but its own files. The build folder is laid out
 * likewise: there, share/stigmergy is a link to configs/ of the sources. The environment variable STIGMERGY_DATA names
 * another folder; programs that link this library and lie elsewhere set it (pkg-config --variable=datadir stigmergy).
 */
#ifndef STIGMERGY_SELFPLAY_IO_DATA_FOLDER_H
#define STIGMERGY_SELFPLAY_IO_DATA_FOLDER_H

#include "selfplay/io/file.h"

/* Writes the path of the folder, which need not exist. False with an error where the executable is not known. */
bool data_folder(char path[FILE_PATH_MAX], Error *error);

/* Finds a configuration: `name` itself where that file exists, else NAME or NAME.json in the folder `kind` ("players",
 * "komi") of the data folder. False with an error that says where it looked. */
bool data_find(const char *kind, const char *name, char path[FILE_PATH_MAX], Error *error);

#endif
