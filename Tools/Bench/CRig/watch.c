#define _GNU_SOURCE
#include "rig.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

struct rig_watch {
  pthread_t thread;
  atomic_int stopping;
  int epoll;
  rig_piece *pieces;
  size_t count, room;
  uint8_t *bytes;
  size_t length, capacity;
  int64_t worst_batch;
  int realtime;
};

static int64_t boot_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t rig_boot_now(void) { return boot_now(); }

static int64_t follow_worst(int64_t worst, int64_t time) { return time > worst ? time : worst; }

static void *watch(void *argument) {
  rig_watch *watch = argument;
  struct epoll_event events[256];
  uint8_t buffer[65536];
  while (!atomic_load(&watch->stopping)) {
    int ready = epoll_wait(watch->epoll, events, 256, 50);
    int64_t woken = boot_now(), stamp = woken;
    for (int i = 0; i < ready; i++) {
      int terminal = (int)(events[i].data.u64 >> 32), descriptor = (int)(events[i].data.u64 & 0xffffffff);
      ssize_t got = read(descriptor, buffer, sizeof buffer);
      stamp = boot_now();
      if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
          epoll_ctl(watch->epoll, EPOLL_CTL_DEL, descriptor, NULL);
        continue;
      }
      if (watch->count == watch->room) {
        watch->room *= 2;
        watch->pieces = realloc(watch->pieces, watch->room * sizeof *watch->pieces);
      }
      if (watch->length + (size_t)got > watch->capacity) {
        watch->capacity = 2 * watch->capacity + (size_t)got;
        watch->bytes = realloc(watch->bytes, watch->capacity);
      }
      if (!watch->pieces || !watch->bytes) abort();
      memcpy(watch->bytes + watch->length, buffer, (size_t)got);
      watch->pieces[watch->count++] =
          (rig_piece){.stamp = stamp, .offset = watch->length, .terminal = terminal, .length = (int)got};
      watch->length += (size_t)got;
    }
    watch->worst_batch = follow_worst(watch->worst_batch, stamp - woken);
  }
  return NULL;
}

rig_watch *rig_watch_start(const int *descriptors, int count) {
  rig_watch *made = calloc(1, sizeof *made);
  made->room = 1 << 20;
  made->capacity = 64 << 20;
  made->pieces = malloc(made->room * sizeof *made->pieces);
  made->bytes = malloc(made->capacity);
  made->epoll = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = ((uint64_t)i << 32) | (uint32_t)descriptors[i]};
    epoll_ctl(made->epoll, EPOLL_CTL_ADD, descriptors[i], &event);
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
  struct sched_param priority = {.sched_priority = 50};
  pthread_attr_setschedparam(&attributes, &priority);
  made->realtime = pthread_create(&made->thread, &attributes, watch, made) == 0;
  pthread_attr_destroy(&attributes);
  if (!made->realtime && pthread_create(&made->thread, NULL, watch, made) != 0) abort();
  return made;
}

rig_watched rig_watch_stop(rig_watch *watch) {
  atomic_store(&watch->stopping, 1);
  pthread_join(watch->thread, NULL);
  close(watch->epoll);
  return (rig_watched){.pieces = watch->pieces,
                       .count = watch->count,
                       .bytes = watch->bytes,
                       .worst_batch = watch->worst_batch,
                       .realtime = watch->realtime};
}

void rig_watch_free(rig_watch *watch) {
  free(watch->pieces);
  free(watch->bytes);
  free(watch);
}
