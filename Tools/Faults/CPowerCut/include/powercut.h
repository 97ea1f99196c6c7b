#ifndef POWERCUT_H
#define POWERCUT_H

#include <stdint.h>

/* A disk that can lose its power, as SQLite and this process see it.

   For every file below one folder it keeps apart what has been written and what has been synced. A cut takes, at one
   call, the picture of what such a disk could hold at that instant: all that was synced, and of every write since only
   some sectors, in another order, perhaps none. The process itself goes on undisturbed, so that one run meets thousands
   of cuts. */

/* Makes the disk the default of SQLite in this process, for files below `folder` (an absolute path, no slash at its end).
   Other files are as ever. Where `is_normal` is not 0, "synchronous = FULL" is taken as NORMAL and still read back as FULL:
   a store believes to sync at each commit and does not, which a test must find out. Returns 0, or an SQLite error. */
int powercut_install(const char *folder, int is_normal);

/* The calls (writes, syncs, truncations, names given or taken) that the disk has seen. */
uint64_t powercut_calls(void);

/* Sets the next cut: at call number `call`, into the folder `into`, which exists; `seed` chooses what is lost. */
void powercut_set(uint64_t call, const char *into, uint64_t seed);

/* Whether the cut that was set has been taken. */
int powercut_is_taken(void);

/* The bytes that were written and not synced at the last cut, and how many of them the picture lacks. */
uint64_t powercut_unsynced(void);
uint64_t powercut_lost(void);

#endif
