#include "rig.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The journal's columns without its automatic key. */
enum { OPERATION_COLUMNS = 23, COLUMN_ID = 0, COLUMN_SEQUENCE = 2, COLUMN_TX = 3, COLUMN_TIME = 11 };
#define OPERATION_LIST                                                                                       \
  "id, device, deviceSeq, tx, txIndex, txSize, kind, entity, entityID, body, bodyHash, hlc, wallTime, "      \
  "clockError, examTime, staff, sitting, reason, schema, prevHash, hash, hubSeq, result"

struct rig_floor {
  sqlite3 *db;
  sqlite3_stmt *begin, *update, *insert, *chain, *commit;
  sqlite3_value *model[OPERATION_COLUMNS];
  char *item;
  char *heads;
  char id[37];
  char tx[37];
  int64_t sequence;
  int64_t time;
};

static int run(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

static int prepare(rig_floor *floor, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(floor->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

/* Copies the newest operation of the item, the end of the chain and the item's heads. */
static int read_model(rig_floor *floor) {
  sqlite3_stmt *statement = NULL;
  int code = prepare(floor, "SELECT " OPERATION_LIST " FROM operation WHERE entityID = ? ORDER BY seq DESC LIMIT 1",
                     &statement);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_text(statement, 1, floor->item, -1, SQLITE_STATIC);
  code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    for (int column = 0; column < OPERATION_COLUMNS; column++)
      floor->model[column] = sqlite3_value_dup(sqlite3_column_value(statement, column));
    snprintf(floor->id, sizeof floor->id, "%s", (const char *)sqlite3_column_text(statement, COLUMN_ID));
    snprintf(floor->tx, sizeof floor->tx, "%s", (const char *)sqlite3_column_text(statement, COLUMN_TX));
    floor->time = sqlite3_column_int64(statement, COLUMN_TIME);
  }
  sqlite3_finalize(statement);
  if (code != SQLITE_ROW) return SQLITE_ERROR;
  code = prepare(floor, "SELECT c.lastSeq, q.heads FROM chain c, dataQuestion q WHERE q.uuid = ?", &statement);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_text(statement, 1, floor->item, -1, SQLITE_STATIC);
  code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    floor->sequence = sqlite3_column_int64(statement, 0);
    floor->heads = strdup((const char *)sqlite3_column_text(statement, 1));
  }
  sqlite3_finalize(statement);
  return code == SQLITE_ROW ? SQLITE_OK : SQLITE_ERROR;
}

rig_floor *rig_floor_open(const char *path, const char *item) {
  rig_floor *floor = calloc(1, sizeof *floor);
  floor->item = strdup(item);
  int code = sqlite3_open_v2(path, &floor->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK)
    code = run(floor->db,
               "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA mmap_size = 0; PRAGMA cache_size = -512;"
               "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA wal_autocheckpoint = 0");
  if (code == SQLITE_OK) code = read_model(floor);
  if (code == SQLITE_OK) code = prepare(floor, "BEGIN IMMEDIATE", &floor->begin);
  if (code == SQLITE_OK)
    code = prepare(floor,
                   "UPDATE dataQuestion SET heads = ?, enteredByID = ?, judgedByID = ?, markedAt = ?, rating = ?, "
                   "source = 'screen', unable = 0 WHERE uuid = ?",
                   &floor->update);
  if (code == SQLITE_OK)
    code = prepare(floor,
                   "INSERT INTO operation (" OPERATION_LIST
                   ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                   &floor->insert);
  if (code == SQLITE_OK)
    code = prepare(floor, "INSERT OR REPLACE INTO chain (device, lastSeq, lastHash, lastTime) VALUES (?,?,?,?)",
                   &floor->chain);
  if (code == SQLITE_OK) code = prepare(floor, "COMMIT", &floor->commit);
  if (code == SQLITE_OK) return floor;
  fprintf(stderr, "raw saves: %s\n", sqlite3_errmsg(floor->db));
  rig_floor_close(floor);
  return NULL;
}

static int step(sqlite3_stmt *statement) {
  sqlite3_step(statement);
  return sqlite3_reset(statement);
}

/* A fresh identifier in the place of the old: the last eight digits count. */
static void renew(char *identifier, int64_t number) {
  char digits[9];
  snprintf(digits, sizeof digits, "%08llx", (unsigned long long)number & 0xFFFFFFFF);
  memcpy(identifier + 28, digits, 8);
}

int rig_floor_save(rig_floor *floor, double rating) {
  int64_t sequence = ++floor->sequence;
  int64_t time = floor->time += 65536;
  int code = step(floor->begin);
  if (code != SQLITE_OK) return code;
  char old[37];
  memcpy(old, floor->id, sizeof old);
  renew(floor->id, sequence);
  renew(floor->tx, sequence);
  for (char *found = floor->heads; (found = strstr(found, old)) != NULL; found += 36) memcpy(found, floor->id, 36);

  sqlite3_bind_text(floor->update, 1, floor->heads, -1, SQLITE_STATIC);
  sqlite3_bind_value(floor->update, 2, floor->model[15]);
  sqlite3_bind_value(floor->update, 3, floor->model[15]);
  sqlite3_bind_int64(floor->update, 4, time >> 16);
  sqlite3_bind_double(floor->update, 5, rating);
  sqlite3_bind_text(floor->update, 6, floor->item, -1, SQLITE_STATIC);
  code = step(floor->update);

  for (int column = 0; column < OPERATION_COLUMNS; column++)
    sqlite3_bind_value(floor->insert, column + 1, floor->model[column]);
  sqlite3_bind_text(floor->insert, COLUMN_ID + 1, floor->id, -1, SQLITE_STATIC);
  sqlite3_bind_text(floor->insert, COLUMN_TX + 1, floor->tx, -1, SQLITE_STATIC);
  sqlite3_bind_int64(floor->insert, COLUMN_SEQUENCE + 1, sequence);
  sqlite3_bind_int64(floor->insert, COLUMN_TIME + 1, time);
  if (code == SQLITE_OK) code = step(floor->insert);

  sqlite3_bind_value(floor->chain, 1, floor->model[1]);
  sqlite3_bind_int64(floor->chain, 2, sequence);
  sqlite3_bind_value(floor->chain, 3, floor->model[20]);
  sqlite3_bind_int64(floor->chain, 4, time);
  if (code == SQLITE_OK) code = step(floor->chain);
  if (code == SQLITE_OK) code = step(floor->commit);
  if (code != SQLITE_OK) {
    run(floor->db, "ROLLBACK");
    return code;
  }
  /* As often as the store does, so that all write to a log that has been written over. */
  return sequence % 200 == 0 ? run(floor->db, "PRAGMA wal_checkpoint(PASSIVE)") : SQLITE_OK;
}

void rig_floor_close(rig_floor *floor) {
  sqlite3_finalize(floor->begin);
  sqlite3_finalize(floor->update);
  sqlite3_finalize(floor->insert);
  sqlite3_finalize(floor->chain);
  sqlite3_finalize(floor->commit);
  for (int column = 0; column < OPERATION_COLUMNS; column++) sqlite3_value_free(floor->model[column]);
  sqlite3_close(floor->db);
  free(floor->heads);
  free(floor->item);
  free(floor);
}
