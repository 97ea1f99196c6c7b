// The wide-character curses API as Swift can call it: no macros, no variadics, no global variables.
// Curses keeps its state in globals, so every function belongs to the main actor.
#ifndef OSCE_CURSES_SHIM_H
#define OSCE_CURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <ncursesw/curses.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OSCE_MAIN_ACTOR __attribute__((swift_attr("@MainActor")))

/// One screen cell: a base character, up to four combining marks, attributes and a colour pair.
typedef struct {
  uint32_t scalar;
  uint32_t marks[4];
  uint32_t attributes;
  int16_t pair;
} OsceCell;

static const uint32_t osce_bold = A_BOLD;
static const uint32_t osce_dim = A_DIM;
static const uint32_t osce_reverse = A_REVERSE;
static const uint32_t osce_underline = A_UNDERLINE;

/// Starts curses on `output`; NULL if the terminal type is unknown or too poor. Unlike initscr it returns.
OSCE_MAIN_ACTOR static inline SCREEN *osce_newterm(const char *type, FILE *output) {
  SCREEN *screen = newterm(type, output, output);
  if (screen) {
    nonl();
    // Input is not read here; without this an update would stop half-way when it sees some.
    typeahead(-1);
  }
  return screen;
}

OSCE_MAIN_ACTOR static inline void osce_delete_screen(SCREEN *screen) { delscreen(screen); }
OSCE_MAIN_ACTOR static inline void osce_leave(void) { endwin(); }
OSCE_MAIN_ACTOR static inline void osce_resize(int rows, int columns) { resizeterm(rows, columns); }
OSCE_MAIN_ACTOR static inline void osce_move(int row, int column) { wmove(stdscr, row, column); }
OSCE_MAIN_ACTOR static inline void osce_cursor(int visible) { curs_set(visible); }

/// Sends what differs from the terminal's picture to the output file.
OSCE_MAIN_ACTOR static inline void osce_update(void) {
  wnoutrefresh(stdscr);
  doupdate();
}

/// The next update paints every cell.
OSCE_MAIN_ACTOR static inline void osce_repaint_all(void) { clearok(curscr, TRUE); }

/// Number of colours of the terminal, 0 for none. `defaults` becomes 1 if -1 may stand for the terminal's own colours.
OSCE_MAIN_ACTOR static inline int osce_start_color(int *defaults) {
  *defaults = 0;
  if (!has_colors() || start_color() != OK) return 0;
  *defaults = use_default_colors() == OK;
  return COLORS;
}

OSCE_MAIN_ACTOR static inline int osce_pair_count(void) { return COLOR_PAIRS; }

OSCE_MAIN_ACTOR static inline int osce_init_pair(int16_t pair, int16_t foreground, int16_t background) {
  return init_pair(pair, foreground, background);
}

/// Writes `count` cells (second halves of wide characters left out) at the start of a row.
OSCE_MAIN_ACTOR static inline void osce_write_row(int row, const OsceCell *cells, int count, cchar_t *scratch) {
  for (int i = 0; i < count; i++) {
    wchar_t text[6] = {(wchar_t)cells[i].scalar, 0, 0, 0, 0, 0};
    for (int m = 0; m < 4 && cells[i].marks[m]; m++) text[m + 1] = (wchar_t)cells[i].marks[m];
    if (setcchar(&scratch[i], text, (attr_t)cells[i].attributes, cells[i].pair, NULL) == ERR) {
      wchar_t blank[2] = {L' ', 0};
      setcchar(&scratch[i], blank, (attr_t)cells[i].attributes, cells[i].pair, NULL);
    }
  }
  mvwadd_wchnstr(stdscr, row, 0, scratch, count);
}

/// A capability of the terminal as a string, or NULL. Valid until the screen is deleted.
OSCE_MAIN_ACTOR static inline const char *osce_capability(const char *name) {
  const char *value = tigetstr(name);
  return (value == NULL || value == (char *)-1) ? NULL : value;
}

#endif
