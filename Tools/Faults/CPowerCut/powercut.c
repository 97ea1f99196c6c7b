#define _GNU_SOURCE
#include "powercut.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SECTOR = 512, MOST_FILES = 64 };

/* A write, or a truncation (bytes NULL), that has not been synced. */
typedef struct {
  int64_t offset;
  int64_t length;
  unsigned char *bytes;
} change;

/* A file of the disk under the name by which it is opened. */
typedef struct {
  char *name;
  unsigned char *synced;
  int64_t synced_length;
  int is_named; /* whether its name would be found after a cut */
  /* Until the folder is synced, a cut may find the name that it had before, and what had its name then. */
  char *former;
  unsigned char *replaced;
  int64_t replaced_length; /* below 0: nothing */
  change *changes;
  int count, capacity;
} file;

static char folder[4096];
static int is_normal;
static file files[MOST_FILES];
static int file_count;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static uint64_t calls, cut_call, cut_seed, unsynced, lost;
static char cut_into[4096];
static int is_set, is_taken;

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static int is_on_disk(const char *name) {
  size_t length = strlen(folder);
  /* The log's index is memory: after a cut it is made again. */
  size_t end = name ? strlen(name) : 0;
  return name && length && !strncmp(name, folder, length) && name[length] == '/' &&
         !(end > 4 && !strcmp(name + end - 4, "-shm"));
}

static file *find(const char *name) {
  for (int i = 0; i < file_count; i++)
    if (!strcmp(files[i].name, name)) return &files[i];
  return NULL;
}

static void forget_changes(file *f) {
  for (int i = 0; i < f->count; i++) free(f->changes[i].bytes);
  f->count = 0;
}

static void settle_name(file *f) {
  free(f->former);
  free(f->replaced);
  f->former = NULL;
  f->replaced = NULL;
  f->replaced_length = -1;
}

static void drop(file *f) {
  forget_changes(f);
  settle_name(f);
  free(f->changes);
  free(f->synced);
  free(f->name);
  *f = files[--file_count];
}

/* The file as it lies there when it is first met counts as synced. */
static file *meet(const char *name) {
  file *f = find(name);
  if (f) return f;
  if (file_count == MOST_FILES) abort();
  f = &files[file_count++];
  memset(f, 0, sizeof *f);
  f->name = strdup(name);
  f->replaced_length = -1;
  int descriptor = open(name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0) {
    f->is_named = status.st_size > 0;
    f->synced = malloc((size_t)status.st_size + 1);
    while (f->synced_length < status.st_size) {
      ssize_t n = read(descriptor, f->synced + f->synced_length, (size_t)(status.st_size - f->synced_length));
      if (n <= 0) break;
      f->synced_length += n;
    }
  }
  if (descriptor >= 0) close(descriptor);
  return f;
}

static void put(unsigned char **bytes, int64_t *length, const change *c, int64_t from, int64_t to) {
  if (!c->bytes) {
    if (c->length < *length) *length = c->length;
    return;
  }
  int64_t end = c->offset + to;
  if (end > *length) {
    *bytes = realloc(*bytes, (size_t)end);
    memset(*bytes + *length, 0, (size_t)(end - *length));
    *length = end;
  }
  memcpy(*bytes + c->offset + from, c->bytes + from, (size_t)(to - from));
}

static void sync_file(file *f) {
  for (int i = 0; i < f->count; i++)
    put(&f->synced, &f->synced_length, &f->changes[i], 0, f->changes[i].length);
  forget_changes(f);
  f->is_named = 1;
}

static void note(file *f, const void *bytes, int64_t offset, int64_t length) {
  if (f->count == f->capacity) {
    f->capacity = f->capacity ? f->capacity * 2 : 64;
    f->changes = realloc(f->changes, (size_t)f->capacity * sizeof(change));
  }
  change *c = &f->changes[f->count++];
  c->offset = offset;
  c->length = length;
  c->bytes = NULL;
  if (bytes) {
    c->bytes = malloc((size_t)length + 1);
    memcpy(c->bytes, bytes, (size_t)length);
  }
}

static void write_file(const char *name, const unsigned char *bytes, int64_t length) {
  char path[8400];
  snprintf(path, sizeof path, "%s%s", cut_into, name + strlen(folder));
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) abort();
  for (int64_t done = 0; done < length;) {
    ssize_t n = write(descriptor, bytes + done, (size_t)(length - done));
    if (n <= 0) abort();
    done += n;
  }
  close(descriptor);
}

/* What the disk holds of one file after the cut. */
static void write_picture(file *f, uint64_t *random) {
  /* One cut in four loses all that was not synced, one in four nothing, the others some sectors. */
  uint64_t way = next_random(random) % 4;
  uint64_t kept = way == 0 ? 0 : way == 1 ? 1000 : next_random(random) % 1000;
  if (!f->is_named && (way == 0 || next_random(random) % 2)) return;
  int64_t length = f->synced_length;
  unsigned char *bytes = malloc((size_t)length + 1);
  memcpy(bytes, f->synced, (size_t)length);
  int *order = malloc(sizeof(int) * (size_t)(f->count + 1));
  for (int i = 0; i < f->count; i++) order[i] = i;
  if (way == 3)
    for (int i = f->count - 1; i > 0; i--) {
      int j = (int)(next_random(random) % (uint64_t)(i + 1)), o = order[i];
      order[i] = order[j];
      order[j] = o;
    }
  for (int i = 0; i < f->count; i++) {
    change *c = &f->changes[order[i]];
    if (!c->bytes) {
      if (next_random(random) % 1000 < kept) put(&bytes, &length, c, 0, 0);
      continue;
    }
    unsynced += (uint64_t)c->length;
    for (int64_t from = 0; from < c->length;) {
      int64_t to = from + SECTOR - (c->offset + from) % SECTOR;
      if (to > c->length) to = c->length;
      if (next_random(random) % 1000 < kept) put(&bytes, &length, c, from, to);
      else lost += (uint64_t)(to - from);
      from = to;
    }
  }
  if (f->former && next_random(random) % 2) {
    write_file(f->former, bytes, length);
    if (f->replaced_length >= 0) write_file(f->name, f->replaced, f->replaced_length);
  } else {
    write_file(f->name, bytes, length);
  }
  free(bytes);
  free(order);
}

/* To be called, with the turn taken, before each call that changes the disk. */
static void count_call(void) {
  calls++;
  if (!is_set || calls < cut_call) return;
  is_set = 0;
  is_taken = 1;
  unsynced = lost = 0;
  uint64_t random = cut_seed;
  for (int i = 0; i < file_count; i++) write_picture(&files[i], &random);
}

/* MARK: What SQLite sees */

typedef struct {
  sqlite3_file base;
  char *name; /* NULL where the file is none of the disk's */
  sqlite3_file *real;
} open_file;

static sqlite3_vfs *below;
#define REAL(f) (((open_file *)(f))->real)
#define NAME(f) (((open_file *)(f))->name)

static int x_close(sqlite3_file *f) {
  int result = REAL(f)->pMethods ? REAL(f)->pMethods->xClose(REAL(f)) : SQLITE_OK;
  sqlite3_free(REAL(f));
  free(NAME(f));
  return result;
}

static int x_read(sqlite3_file *f, void *bytes, int length, sqlite3_int64 offset) {
  return REAL(f)->pMethods->xRead(REAL(f), bytes, length, offset);
}

/* Bytes, or without them a new length, given to the disk and noted in the picture. */
static int alter(open_file *f, const void *bytes, int length, sqlite3_int64 at) {
  const sqlite3_io_methods *real = f->real->pMethods;
  pthread_mutex_lock(&turn);
  count_call();
  int result = bytes ? real->xWrite(f->real, bytes, length, at) : real->xTruncate(f->real, at);
  if (result == SQLITE_OK) note(meet(f->name), bytes, bytes ? at : 0, bytes ? length : at);
  pthread_mutex_unlock(&turn);
  return result;
}

static int x_write(sqlite3_file *f, const void *bytes, int length, sqlite3_int64 offset) {
  return NAME(f) ? alter((open_file *)f, bytes, length, offset)
                 : REAL(f)->pMethods->xWrite(REAL(f), bytes, length, offset);
}

static int x_truncate(sqlite3_file *f, sqlite3_int64 length) {
  return NAME(f) ? alter((open_file *)f, NULL, 0, length) : REAL(f)->pMethods->xTruncate(REAL(f), length);
}

/* The picture alone knows of syncs: the real disk under it need not, which makes a run many times faster. */
static int x_sync(sqlite3_file *f, int flags) {
  if (!NAME(f)) return REAL(f)->pMethods->xSync(REAL(f), flags);
  pthread_mutex_lock(&turn);
  count_call();
  sync_file(meet(NAME(f)));
  pthread_mutex_unlock(&turn);
  return SQLITE_OK;
}

static int x_file_size(sqlite3_file *f, sqlite3_int64 *size) { return REAL(f)->pMethods->xFileSize(REAL(f), size); }
static int x_lock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xLock(REAL(f), level); }
static int x_unlock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xUnlock(REAL(f), level); }
static int x_check(sqlite3_file *f, int *out) { return REAL(f)->pMethods->xCheckReservedLock(REAL(f), out); }

static int x_control(sqlite3_file *f, int operation, void *argument) {
  if (NAME(f) && is_normal && operation == SQLITE_FCNTL_PRAGMA) {
    char **pragma = argument;
    if (!sqlite3_stricmp(pragma[1], "synchronous")) {
      /* The word is SQLite's own copy, and is read after this: 1 is NORMAL. */
      if (pragma[2] && !sqlite3_stricmp(pragma[2], "FULL")) memcpy(pragma[2], "1", 2);
      if (!pragma[2]) {
        pragma[0] = sqlite3_mprintf("2");
        return SQLITE_OK;
      }
    }
  }
  return REAL(f)->pMethods->xFileControl(REAL(f), operation, argument);
}

static int x_sector_size(sqlite3_file *f) {
  (void)f;
  return SECTOR;
}

/* Promises nothing: no append, no write that a cut could not tear. */
static int x_characteristics(sqlite3_file *f) {
  (void)f;
  return 0;
}

static int x_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out) {
  return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, out);
}
static int x_shm_lock(sqlite3_file *f, int offset, int n, int flags) {
  return REAL(f)->pMethods->xShmLock(REAL(f), offset, n, flags);
}
static void x_shm_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int x_shm_unmap(sqlite3_file *f, int delete) { return REAL(f)->pMethods->xShmUnmap(REAL(f), delete); }

static const sqlite3_io_methods methods = {
    2,      x_close,  x_read,    x_write,       x_truncate,        x_sync,    x_file_size, x_lock,        x_unlock,
    x_check, x_control, x_sector_size, x_characteristics, x_shm_map, x_shm_lock,  x_shm_barrier, x_shm_unmap,
    NULL,   NULL};

static int x_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out) {
  (void)vfs;
  open_file *opened = (open_file *)f;
  memset(opened, 0, sizeof *opened);
  opened->real = sqlite3_malloc(below->szOsFile);
  if (!opened->real) return SQLITE_NOMEM;
  memset(opened->real, 0, (size_t)below->szOsFile);
  if (is_on_disk(name)) {
    pthread_mutex_lock(&turn);
    opened->name = strdup(name);
    meet(name);
    pthread_mutex_unlock(&turn);
  }
  int result = below->xOpen(below, name, opened->real, flags, out);
  if (result != SQLITE_OK) {
    sqlite3_free(opened->real);
    free(opened->name);
    return result;
  }
  opened->base.pMethods = &methods;
  return SQLITE_OK;
}

static int x_delete(sqlite3_vfs *vfs, const char *name, int sync_folder) {
  (void)vfs;
  if (is_on_disk(name)) {
    pthread_mutex_lock(&turn);
    count_call();
    file *f = find(name);
    if (f) drop(f);
    pthread_mutex_unlock(&turn);
  }
  return below->xDelete(below, name, sync_folder);
}

int powercut_install(const char *path, int with_normal) {
  static sqlite3_vfs vfs;
  snprintf(folder, sizeof folder, "%s", path);
  is_normal = with_normal;
  below = sqlite3_vfs_find(NULL);
  vfs = *below;
  vfs.zName = "powercut";
  vfs.szOsFile = (int)sizeof(open_file);
  vfs.xOpen = x_open;
  vfs.xDelete = x_delete;
  return sqlite3_vfs_register(&vfs, 1);
}

/* MARK: What the process does itself: backups are synced and named without SQLite */

static void name_of(int descriptor, char *out, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t n = readlink(link, out, size - 1);
  out[n > 0 ? n : 0] = 0;
}

int fsync(int descriptor) {
  char name[4096];
  name_of(descriptor, name, sizeof name);
  if (!folder[0] || (!is_on_disk(name) && strcmp(name, folder))) return (int)syscall(SYS_fsync, descriptor);
  pthread_mutex_lock(&turn);
  count_call();
  file *f = find(name);
  if (f) sync_file(f);
  /* Syncing the folder makes the names in it last. */
  if (!strcmp(name, folder))
    for (int i = 0; i < file_count; i++) {
      files[i].is_named = 1;
      settle_name(&files[i]);
    }
  pthread_mutex_unlock(&turn);
  return 0;
}

int rename(const char *from, const char *to) {
  int is_ours = is_on_disk(from) && is_on_disk(to);
  pthread_mutex_lock(&turn);
  if (is_ours) count_call();
  int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (is_ours && result == 0) {
    unsigned char *replaced = NULL;
    int64_t replaced_length = -1;
    file *old = find(to);
    if (old) {
      replaced = old->synced;
      replaced_length = old->synced_length;
      old->synced = NULL;
      drop(old);
    }
    file *f = find(from);
    if (f) {
      settle_name(f);
      f->former = f->name;
      f->name = strdup(to);
      f->replaced = replaced;
      f->replaced_length = replaced_length;
    } else {
      free(replaced);
    }
  }
  pthread_mutex_unlock(&turn);
  return result;
}

int unlink(const char *name) {
  if (is_on_disk(name)) {
    pthread_mutex_lock(&turn);
    count_call();
    file *f = find(name);
    if (f) drop(f);
    pthread_mutex_unlock(&turn);
  }
  return (int)syscall(SYS_unlinkat, AT_FDCWD, name, 0);
}

/* MARK: Cuts */

uint64_t powercut_calls(void) { return calls; }

void powercut_set(uint64_t call, const char *into, uint64_t seed) {
  pthread_mutex_lock(&turn);
  cut_call = call;
  cut_seed = seed;
  snprintf(cut_into, sizeof cut_into, "%s", into);
  is_set = 1;
  is_taken = 0;
  pthread_mutex_unlock(&turn);
}

int powercut_is_taken(void) {
  pthread_mutex_lock(&turn);
  int taken = is_taken;
  pthread_mutex_unlock(&turn);
  return taken;
}

uint64_t powercut_unsynced(void) { return unsynced; }
uint64_t powercut_lost(void) { return lost; }
