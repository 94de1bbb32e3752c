#pragma once
#include <sqlite3.h>

// Binds a text, which SQLite copies.
static inline int pip_bind_text(sqlite3_stmt *statement, int index, const char *text) {
    return sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}
