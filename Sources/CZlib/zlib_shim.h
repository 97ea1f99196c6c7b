#ifndef OSCE_ZLIB_SHIM_H
#define OSCE_ZLIB_SHIM_H

#include <zlib.h>

// The initialisers of zlib are macros, which Swift does not see. 15 + 16: the largest window, in gzip's frame.

static inline int osce_deflate_begin(z_streamp stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int osce_inflate_begin(z_streamp stream) { return inflateInit2(stream, 15 + 16); }

#endif
