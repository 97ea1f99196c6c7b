#include "seeded_system.h"
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/random.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int seeded;
static uint64_t state;

void seeded_system_begin(uint64_t seed) {
  pthread_mutex_lock(&gate);
  seeded = 1;
  state = seed;
  pthread_mutex_unlock(&gate);
}

void seeded_system_end(void) {
  pthread_mutex_lock(&gate);
  seeded = 0;
  pthread_mutex_unlock(&gate);
}

static uint64_t next(void) {
  uint64_t mixed = (state += 0x9E3779B97F4A7C15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

// Stands before the Swift library's function of this name, from which SystemRandomNumberGenerator takes its numbers.
void swift_stdlib_random(void *buffer, size_t count) {
  char *end = buffer;
  pthread_mutex_lock(&gate);
  if (seeded) {
    while (count > 0) {
      uint64_t word = next();
      size_t part = count < sizeof word ? count : sizeof word;
      memcpy(end, &word, part);
      end += part;
      count -= part;
    }
    pthread_mutex_unlock(&gate);
    return;
  }
  pthread_mutex_unlock(&gate);
  while (count > 0) {
    ssize_t got = getrandom(end, count, 0);
    if (got > 0) {
      end += got;
      count -= (size_t)got;
    }
  }
}
