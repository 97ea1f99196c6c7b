// A disk that lies by one commit: preloaded into the program for the fault tests, never a part of it. What is written to
// a store's log and synced is told to be on the disk, and is written only when the next commit begins to write; until
// then it lives in this process alone, whose own reads see it. A kill in between loses a change that was shown.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct held {
  struct held *next;
  off64_t offset;
  size_t count;
  unsigned char bytes[];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// The writes to the one log that is not yet on the disk, oldest first, and whether a sync has vouched for them.
static struct held *first, **last = &first;
static struct stat log_file;
static bool is_vouched;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static bool is_log(int descriptor) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 4 && memcmp(path + length - 4, "-wal", 4) == 0;
}

static bool is_held_log(int descriptor) {
  struct stat file;
  return first && fstat(descriptor, &file) == 0 && file.st_dev == log_file.st_dev && file.st_ino == log_file.st_ino;
}

// Two descriptors of one process name the log, so what is held is written through the one at hand.
static void write_held(int descriptor) {
  while (first) {
    struct held *write = first;
    if (REAL(pwrite64)(descriptor, write->bytes, write->count, write->offset) != (ssize_t)write->count) abort();
    first = write->next;
    free(write);
  }
  last = &first;
  is_vouched = false;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  if (!is_log(descriptor)) return REAL(pwrite64)(descriptor, bytes, count, offset);
  pthread_mutex_lock(&mutex);
  if (first && !is_held_log(descriptor)) {
    pthread_mutex_unlock(&mutex);
    return REAL(pwrite64)(descriptor, bytes, count, offset);
  }
  if (is_vouched) write_held(descriptor);
  struct held *write = malloc(sizeof *write + count);
  if (!write) abort();
  *write = (struct held){.offset = offset, .count = count};
  memcpy(write->bytes, bytes, count);
  if (!first) fstat(descriptor, &log_file);
  *last = write;
  last = &write->next;
  pthread_mutex_unlock(&mutex);
  return (ssize_t)count;
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  if (!is_log(descriptor)) return REAL(pread64)(descriptor, bytes, count, offset);
  pthread_mutex_lock(&mutex);
  ssize_t found = REAL(pread64)(descriptor, bytes, count, offset);
  if (found >= 0 && is_held_log(descriptor)) {
    off64_t end = offset + (off64_t)count;
    for (struct held *write = first; write; write = write->next) {
      off64_t from = write->offset > offset ? write->offset : offset;
      off64_t to = write->offset + (off64_t)write->count < end ? write->offset + (off64_t)write->count : end;
      if (from >= to) continue;
      memcpy((char *)bytes + (from - offset), write->bytes + (from - write->offset), (size_t)(to - from));
      if (to - offset > found) found = to - offset;
    }
  }
  pthread_mutex_unlock(&mutex);
  return found;
}

// The sync that ends a commit vouches for what is held. One with nothing new before it, as a checkpoint's, is kept.
int fdatasync(int descriptor) {
  if (!is_log(descriptor)) return REAL(fdatasync)(descriptor);
  pthread_mutex_lock(&mutex);
  bool is_commit = is_held_log(descriptor) && !is_vouched;
  if (is_commit) is_vouched = true;
  else if (is_held_log(descriptor)) write_held(descriptor);
  pthread_mutex_unlock(&mutex);
  return is_commit ? 0 : REAL(fdatasync)(descriptor);
}
