#define _GNU_SOURCE
#include "terminal_system.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

// MARK: signals to bytes

static const int watched[] = {SIGWINCH, SIGHUP, SIGTERM, SIGINT, SIGCONT, SIGTSTP};
enum { watched_count = sizeof watched / sizeof watched[0] };
static struct sigaction before_watch[watched_count];

// A parent may have left signals blocked; a blocked one would never end this process.
static void unblock(const int *numbers, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, numbers[i]);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static volatile sig_atomic_t signal_descriptor = -1;

static void forward(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  if (signal_descriptor >= 0) (void)!write(signal_descriptor, &byte, 1);
  errno = saved;
}

void osce_signals_install(int descriptor) {
  int already = signal_descriptor >= 0;
  signal_descriptor = descriptor;
  struct sigaction action = {.sa_handler = forward, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int i = 0; !already && i < watched_count; i++) {
    sigaction(watched[i], NULL, &before_watch[i]);
    // A hang-up that the parent asked to ignore (nohup) stays ignored.
    if (watched[i] == SIGHUP && before_watch[i].sa_handler == SIG_IGN) continue;
    sigaction(watched[i], &action, NULL);
  }
  // Of the thread that calls, which need not be the one of the first call.
  unblock(watched, watched_count);
}

void osce_signals_remove(void) {
  if (signal_descriptor < 0) return;
  for (int i = 0; i < watched_count; i++) sigaction(watched[i], &before_watch[i], NULL);
  signal_descriptor = -1;
}

void osce_stop_here(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL}, ours;
  sigaction(SIGTSTP, &usual, &ours);
  // To the whole process: raise() would name this thread only, with the same effect on the others.
  kill(getpid(), SIGTSTP);
  sigaction(SIGTSTP, &ours, NULL);
}

int osce_in_background(int descriptor) {
  pid_t foreground = tcgetpgrp(descriptor);
  // 0: a group that cannot be named here, as from within a container.
  return foreground > 0 && foreground != getpgrp();
}

// MARK: the guard against crashes

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
enum { fatal_count = sizeof fatal / sizeof fatal[0], reset_capacity = 256, stack_size = 32768 };
static struct sigaction before_guard[fatal_count];
static struct termios guarded_modes;
static uint8_t guarded_reset[reset_capacity];
static size_t guarded_reset_count;
static volatile sig_atomic_t guarded_descriptor = -1;
static int backtrace_wanted = 0;

static void restore_terminal(void) {
  int descriptor = guarded_descriptor;
  if (descriptor < 0) return;
  guarded_descriptor = -1;
  // The shell has the terminal: setting its modes would stop this process instead of letting it end.
  if (osce_in_background(descriptor)) return;
  (void)!write(descriptor, guarded_reset, guarded_reset_count);
  tcsetattr(descriptor, TCSANOW, &guarded_modes);
}

static void crashed(int number) {
  int saved = errno;
  restore_terminal();
  // The handler of the Swift runtime asks questions on the terminal; only who asked for it shall meet it.
  struct sigaction next = {.sa_handler = SIG_DFL};
  for (int i = 0; i < fatal_count; i++)
    if (backtrace_wanted && fatal[i] == number) next = before_guard[i];
  sigaction(number, &next, NULL);
  raise(number);
  errno = saved;
}

void osce_guard_arm(int descriptor, const struct termios *modes, const uint8_t *reset, size_t count) {
  static int installed = 0;
  guarded_descriptor = -1;
  guarded_modes = *modes;
  guarded_reset_count = count < reset_capacity ? count : reset_capacity;
  memcpy(guarded_reset, reset, guarded_reset_count);
  guarded_descriptor = descriptor;
  if (installed) return;
  installed = 1;
  backtrace_wanted = getenv("SWIFT_BACKTRACE") != NULL;
  stack_t current;
  if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE)) {
    // A stack overflow leaves no room for a handler on the stack that overflowed.
    stack_t spare = {.ss_sp = malloc(stack_size), .ss_size = stack_size};
    if (spare.ss_sp) sigaltstack(&spare, NULL);
  }
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < fatal_count; i++) sigaction(fatal[i], &action, &before_guard[i]);
  unblock(fatal, fatal_count);
  atexit(restore_terminal);
}

void osce_guard_disarm(void) { guarded_descriptor = -1; }

// MARK: descriptors

int osce_memory_file(void) { return memfd_create("osce-screen", MFD_CLOEXEC); }

int osce_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int osce_timer_descriptor(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

void osce_timer_set(int descriptor, int64_t milliseconds) {
  struct itimerspec when = {0};
  if (milliseconds >= 0) {
    // Relative, because an absolute time is moved by libraries that play another wall clock to a program.
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    int64_t left = milliseconds * 1000000 - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    if (left < 1) left = 1;
    when.it_value.tv_sec = left / 1000000000;
    when.it_value.tv_nsec = left % 1000000000;
  }
  timerfd_settime(descriptor, 0, &when, NULL);
}

int osce_character_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

int osce_terminal_size(int descriptor, int *rows, int *columns) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return -1;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return 0;
}
