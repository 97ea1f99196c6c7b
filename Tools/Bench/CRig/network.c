#define _GNU_SOURCE
#include "rig.h"

#include <sys/socket.h>

int rig_accept(int listening) { return accept4(listening, 0, 0, SOCK_CLOEXEC); }
