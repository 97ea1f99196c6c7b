// Makes every clock of a process run faster, for the soak and the day: preloaded into the program, never a part of it.
// OSCE_FASTER_BY is the factor, OSCE_FASTER_SINCE the instant of CLOCK_BOOTTIME, in nanoseconds, at which all processes
// are still right. Waits that end with an instant or after a while end as much sooner. OSCE_FASTER_SLEPT is by how many
// seconds all clocks are ahead from then on, as after a break in which nothing ran; OSCE_FASTER_DATE what the wall clock
// shows at that instant, in seconds since 1970.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define BILLION 1000000000LL

static int64_t factor = 1;
// The instants of the three clocks at which they are still right.
static int64_t boot_base, monotonic_base, real_base;
// How far all clocks, and the wall clock besides, are ahead of what they would show.
static int64_t slept, dated;

// Past every interposed function.
static int64_t true_now(clockid_t clock) {
  struct timespec now;
  syscall(SYS_clock_gettime, clock, &now);
  return now.tv_sec * BILLION + now.tv_nsec;
}

__attribute__((constructor)) static void begin(void) {
  const char *by = getenv("OSCE_FASTER_BY"), *since = getenv("OSCE_FASTER_SINCE");
  if (!by || !since) return;
  boot_base = atoll(since);
  int64_t passed = true_now(CLOCK_BOOTTIME) - boot_base;
  monotonic_base = true_now(CLOCK_MONOTONIC) - passed;
  real_base = true_now(CLOCK_REALTIME) - passed;
  factor = atoll(by) > 0 ? atoll(by) : 1;
  const char *ahead = getenv("OSCE_FASTER_SLEPT"), *date = getenv("OSCE_FASTER_DATE");
  if (ahead) slept = atoll(ahead) * BILLION;
  if (date) dated = atoll(date) * BILLION - real_base;
}

static int64_t base_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return real_base;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE: return monotonic_base;
    case CLOCK_BOOTTIME: return boot_base;
    default: return 0;
  }
}

static int64_t ahead_of(clockid_t clock) {
  return slept + (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? dated : 0);
}

static int64_t nanoseconds(const struct timespec *time) { return time->tv_sec * BILLION + time->tv_nsec; }

static struct timespec timespec_of(int64_t time) {
  return (struct timespec){.tv_sec = time / BILLION, .tv_nsec = time % BILLION};
}

// A time that is no instant: rounded up, so that nothing waits for no time at all.
static int64_t shorter(int64_t time) { return time > 0 ? (time + factor - 1) / factor : time; }

static struct timespec shorter_timespec(const struct timespec *time) {
  return timespec_of(shorter(nanoseconds(time)));
}

static int shorter_timeout(int milliseconds) {
  return milliseconds > 0 ? (int)((milliseconds + factor - 1) / factor) : milliseconds;
}

// When a clock that runs true shows what the faster one will show at `time`.
static struct timespec true_instant(clockid_t clock, const struct timespec *time) {
  int64_t base = base_of(clock), wanted = nanoseconds(time) - (base ? ahead_of(clock) : 0);
  return base && wanted > base ? timespec_of(base + shorter(wanted - base)) : timespec_of(wanted);
}

// An instant of a lock does not say its clock: what is decades away is of the wall clock.
static struct timespec true_deadline(const struct timespec *time) {
  return true_instant(time->tv_sec > BILLION ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int clock_gettime(clockid_t clock, struct timespec *time) {
  int64_t base = base_of(clock);
  if (syscall(SYS_clock_gettime, clock, time) != 0) return -1;
  if (base) *time = timespec_of(base + ahead_of(clock) + (nanoseconds(time) - base) * factor);
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *wanted, struct itimerspec *before) {
  struct itimerspec timer = *wanted;
  timer.it_interval = shorter_timespec(&wanted->it_interval);
  // The program's timers are of CLOCK_BOOTTIME.
  timer.it_value = flags & TFD_TIMER_ABSTIME ? true_instant(CLOCK_BOOTTIME, &wanted->it_value)
                                             : shorter_timespec(&wanted->it_value);
  return (int)syscall(SYS_timerfd_settime, descriptor, flags, &timer, before);
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  return REAL(poll)(descriptors, count, shorter_timeout(timeout));
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  struct timespec wait = timeout ? shorter_timespec(timeout) : (struct timespec){0};
  return REAL(ppoll)(descriptors, count, timeout ? &wait : NULL, mask);
}

int epoll_wait(int descriptor, struct epoll_event *events, int count, int timeout) {
  return REAL(epoll_wait)(descriptor, events, count, shorter_timeout(timeout));
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
  struct timespec wait = shorter_timespec(wanted);
  return REAL(nanosleep)(&wait, left);
}

int usleep(useconds_t microseconds) {
  struct timespec wait = timespec_of(shorter(microseconds * 1000LL));
  return REAL(nanosleep)(&wait, NULL);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
  struct timespec wait = flags & TIMER_ABSTIME ? true_instant(clock, wanted) : shorter_timespec(wanted);
  return REAL(clock_nanosleep)(clock, flags, &wait, left);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  struct timespec instant = true_deadline(until);
  __typeof__(&pthread_cond_timedwait) real =
      (__typeof__(&pthread_cond_timedwait))dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  return (real ? real : REAL(pthread_cond_timedwait))(condition, mutex, &instant);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  struct timespec instant = true_deadline(until);
  return REAL(sem_timedwait)(semaphore, &instant);
}
