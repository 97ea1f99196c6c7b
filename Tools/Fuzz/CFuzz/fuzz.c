#include "fuzz.h"

/* There only where the program was linked with libFuzzer, as script/fuzz does. */
__attribute__((weak)) int LLVMFuzzerRunDriver(int *count, char ***arguments, fuzz_body body);

static fuzz_body chosen;

/* libFuzzer's own main, which is never run, wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) { return chosen ? chosen(bytes, count) : 0; }

int fuzz_run(int count, char **arguments, fuzz_body body) {
  if (!LLVMFuzzerRunDriver) return -1;
  chosen = body;
  return LLVMFuzzerRunDriver(&count, &arguments, LLVMFuzzerTestOneInput);
}
