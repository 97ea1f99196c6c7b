#ifndef RIG_H
#define RIG_H

#include <stdint.h>
#include <sys/types.h>

/* A child process and the descriptor that talks to it. */
typedef struct {
  pid_t pid;
  int descriptor;
} rig_child;

/* Starts a program on a new pseudo-terminal of the given size; `descriptor` is the terminal's master side.
   `environment` replaces the child's own. Returns a pid below 0, and errno, on failure. */
rig_child rig_start_on_terminal(const char *path, char *const arguments[], char *const environment[],
                                int rows, int columns);

/* Starts a program with its standard output on a pipe; `descriptor` is the pipe's reading end. */
rig_child rig_start_on_pipe(const char *path, char *const arguments[], char *const environment[]);

/* The next connection of a listening socket, which no child inherits; -1 and errno on failure. */
int rig_accept(int listening);

/* How a process ended: its exit code, or 128 and the signal's number. Waits for it. */
int rig_wait(pid_t pid);

/* What a process used: processor time of the user's and the kernel's side in microseconds, and the most memory that it
   held at once in kilobytes. */
typedef struct {
  int64_t processor;
  int64_t peak;
} rig_use;

/* Waits as `rig_wait` does, and says what the process used. */
int rig_wait_used(pid_t pid, rig_use *use);

/* How a process ended, without waiting: below 0 while it runs. */
int rig_poll(pid_t pid);

/* Gives the terminal of a master side another size. */
int rig_resize(int descriptor, int rows, int columns);

/* The four mode words of the terminal of a master side. */
int rig_modes(int descriptor, uint32_t modes[4]);

/* Makes the mounts of this process its own, so that what it mounts is seen by it and its children only. Needs root, or a
   kernel that lets anybody have a user namespace. To be called before a thread is started. -1 and errno on failure. */
int rig_private_mounts(void);

/* A disk in memory of that many kilobytes on a folder. */
int rig_mount_memory(const char *folder, int kilobytes);

/* Lets nothing be written on such a disk, or lets it again. Fails while a file on it is open for writing. */
int rig_mount_read_only(const char *folder, int is_read_only);

void rig_unmount(const char *folder);

/* Nanoseconds of the monotonic clock. */
int64_t rig_now(void);

/* Makes standard output go out line by line, also into a file. */
void rig_print_by_lines(void);

/* Sleeps until an instant of the monotonic clock, in nanoseconds. */
void rig_sleep_until(int64_t instant);

/* Reads what is there; waits at most `milliseconds` (below 0: for ever). Returns the number of bytes, 0 when the time
   is over, -1 when the other side is gone. */
ssize_t rig_read(int descriptor, void *bytes, size_t capacity, int milliseconds);

/* One save of one mark through SQLite's C interface alone: the rows that the store writes, and nothing else. */
typedef struct rig_floor rig_floor;

/* Opens a store for raw saves of one item. The rows are modelled on the newest operation of that item, so their sizes
   are those of a real save. Returns NULL, and says why on standard error, on failure. */
rig_floor *rig_floor_open(const char *path, const char *item);

/* One durable save: 0, or SQLite's error code. */
int rig_floor_save(rig_floor *floor, double rating);

void rig_floor_close(rig_floor *floor);

/* One piece of a terminal's output, and when it was read: nanoseconds of CLOCK_BOOTTIME. */
typedef struct {
  int64_t stamp;
  size_t offset;
  int terminal;
  int length;
} rig_piece;

/* What a watch took in. `worst_batch`: the longest time from a wake-up to its last stamp, in nanoseconds. `realtime`:
   whether the reader had real-time priority. */
typedef struct {
  const rig_piece *pieces;
  size_t count;
  const uint8_t *bytes;
  int64_t worst_batch;
  int realtime;
} rig_watched;

typedef struct rig_watch rig_watch;

/* Reads many terminals on a thread of its own, with real-time priority where that is allowed: only stamps and keeps. */
rig_watch *rig_watch_start(const int *descriptors, int count);

/* Ends the reading. What it returns lives until rig_watch_free. */
rig_watched rig_watch_stop(rig_watch *watch);

void rig_watch_free(rig_watch *watch);

/* Nanoseconds of CLOCK_BOOTTIME. */
int64_t rig_boot_now(void);

/* How many cells a character takes, as curses counts them: 0 for a combining mark, 2 for a wide letter, below 0 for what
   is not drawn. */
int rig_character_width(uint32_t scalar);

#endif
