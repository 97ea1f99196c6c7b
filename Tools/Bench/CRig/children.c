#define _GNU_SOURCE
#include "rig.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static void become(const char *path, char *const arguments[], char *const environment[]) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(path, arguments, environment);
  _exit(127);
}

rig_child rig_start_on_terminal(const char *path, char *const arguments[], char *const environment[],
                                int rows, int columns) {
  rig_child child = {-1, -1};
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  child.pid = forkpty(&child.descriptor, NULL, NULL, &size);
  if (child.pid == 0) become(path, arguments, environment);
  if (child.pid > 0) fcntl(child.descriptor, F_SETFD, FD_CLOEXEC);
  return child;
}

rig_child rig_start_on_pipe(const char *path, char *const arguments[], char *const environment[]) {
  rig_child child = {-1, -1};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return child;
  child.pid = fork();
  if (child.pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    become(path, arguments, environment);
  }
  close(ends[1]);
  if (child.pid < 0) {
    close(ends[0]);
    return child;
  }
  child.descriptor = ends[0];
  return child;
}

static int ending(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

int rig_wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return ending(status);
}

int rig_wait_used(pid_t pid, rig_use *use) {
  int status = 0;
  struct rusage used;
  while (wait4(pid, &status, 0, &used) < 0) {
    if (errno != EINTR) return -1;
  }
  use->processor = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL + used.ru_utime.tv_usec +
                   used.ru_stime.tv_usec;
  use->peak = used.ru_maxrss;
  return ending(status);
}

int rig_poll(pid_t pid) {
  int status = 0;
  return waitpid(pid, &status, WNOHANG) == pid ? ending(status) : -1;
}

int rig_resize(int descriptor, int rows, int columns) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  return ioctl(descriptor, TIOCSWINSZ, &size);
}

int rig_modes(int descriptor, uint32_t modes[4]) {
  struct termios now;
  if (tcgetattr(descriptor, &now) != 0) return -1;
  modes[0] = now.c_iflag, modes[1] = now.c_oflag, modes[2] = now.c_cflag, modes[3] = now.c_lflag;
  return 0;
}

void rig_print_by_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

int64_t rig_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void rig_sleep_until(int64_t instant) {
  struct timespec until = {.tv_sec = instant / 1000000000, .tv_nsec = instant % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
  }
}

ssize_t rig_read(int descriptor, void *bytes, size_t capacity, int milliseconds) {
  struct pollfd polled = {.fd = descriptor, .events = POLLIN};
  for (;;) {
    int ready = poll(&polled, 1, milliseconds);
    if (ready == 0) return 0;
    if (ready < 0) {
      if (errno == EINTR) continue;
      return -1;
    }
    ssize_t count = read(descriptor, bytes, capacity);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    return count > 0 ? count : -1;
  }
}
