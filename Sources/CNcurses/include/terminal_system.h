// What the terminal needs of the system and Swift cannot express: signal handlers, which may run at any
// instant and so touch neither the Swift runtime nor the heap, and a few Linux descriptors.
#ifndef OSCE_TERMINAL_SYSTEM_H
#define OSCE_TERMINAL_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <termios.h>

/// Makes window, hang-up, termination, interrupt and job-control signals write their number as one byte to `descriptor`.
void osce_signals_install(int descriptor);
/// Gives these signals back what handled them before.
void osce_signals_remove(void);
/// Stops this process as an external SIGTSTP would by default; returns after SIGCONT.
void osce_stop_here(void);

/// Whether another process group has the terminal now: it is not this process's to change then.
int osce_in_background(int descriptor);

/// From now on a crash, an abort or exit() restores `modes` on `descriptor` and writes `reset` (at most 256 bytes).
void osce_guard_arm(int descriptor, const struct termios *modes, const uint8_t *reset, size_t count);
/// The terminal is in order: nothing is left to restore.
void osce_guard_disarm(void);

/// An anonymous file in memory, close-on-exec, or -1.
int osce_memory_file(void);
/// A non-blocking, close-on-exec event counter, or -1.
int osce_event_descriptor(void);
/// A timer on the clock that also counts time asleep, non-blocking, close-on-exec, or -1.
int osce_timer_descriptor(void);
/// Fires once when CLOCK_BOOTTIME reaches `milliseconds`; a negative value disarms.
void osce_timer_set(int descriptor, int64_t milliseconds);
/// Columns that libc gives a character in the current locale: -1 for one that cannot be printed.
int osce_character_width(uint32_t scalar);
/// Size of the terminal in rows and columns; 0 if it could be read.
int osce_terminal_size(int descriptor, int *rows, int *columns);

#endif
