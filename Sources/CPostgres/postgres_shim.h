#ifndef OSCE_POSTGRES_SHIM_H
#define OSCE_POSTGRES_SHIM_H

// Debian has it in a folder of its own; named here, the build needs no pkg-config.
#include <postgresql/libpq-fe.h>

// Swift does not see the macros of libpq that are characters.
static const int osce_pg_state = PG_DIAG_SQLSTATE;
static const int osce_pg_message = PG_DIAG_MESSAGE_PRIMARY;
static const int osce_pg_severity = PG_DIAG_SEVERITY_NONLOCALIZED;

#endif
