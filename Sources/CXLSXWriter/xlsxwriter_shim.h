#ifndef OSCE_XLSXWRITER_SHIM_H
#define OSCE_XLSXWRITER_SHIM_H

#include <xlsxwriter.h>

#endif
