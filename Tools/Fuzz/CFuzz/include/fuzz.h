#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* What is tried with each input; returns 0. */
typedef int (*fuzz_body)(const uint8_t *bytes, size_t count);

/* Hands a body to libFuzzer with its options and corpus folders. Returns -1 where the program was built without it. */
int fuzz_run(int count, char **arguments, fuzz_body body);

#endif
