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

/* How a process ended: its exit code, or 128 and the signal's number. Waits for it. */
int rig_wait(pid_t pid);

/* The same without waiting: below 0 while it runs. */
int rig_poll(pid_t pid);

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

#endif
