// The system's random numbers from a seed: for the simulation alone.
#ifndef SEEDED_SYSTEM_H
#define SEEDED_SYSTEM_H
#include <stdint.h>
// From now on every random number of the process follows from the seed.
void seeded_system_begin(uint64_t seed);
// From now on they are the system's own again.
void seeded_system_end(void);
#endif
