#define _GNU_SOURCE
#include "rig.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static void put(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)!write(file, text, strlen(text));
  close(file);
}

int rig_private_mounts(void) {
  unsigned user = geteuid(), group = getegid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (errno != EPERM || unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return -1;
    char map[64];
    put("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", group, group);
    put("/proc/self/gid_map", map);
    snprintf(map, sizeof map, "%u %u 1", user, user);
    put("/proc/self/uid_map", map);
  }
  return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

int rig_mount_memory(const char *folder, int kilobytes) {
  char options[64];
  snprintf(options, sizeof options, "size=%dk,mode=700", kilobytes);
  return mount("osce-rig", folder, "tmpfs", MS_NOSUID | MS_NODEV, options);
}

int rig_mount_read_only(const char *folder, int is_read_only) {
  unsigned long flags = MS_REMOUNT | MS_BIND | MS_NOSUID | MS_NODEV | (is_read_only ? MS_RDONLY : 0);
  return mount("none", folder, NULL, flags, NULL);
}

void rig_unmount(const char *folder) { umount2(folder, MNT_DETACH); }
