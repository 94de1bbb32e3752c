#if Media
internal import CSQLite

/// The error of an SQLite database.
struct DatabaseError: Error {
    /// SQLite's result code, without its extension.
    let code: Int32
    let message: String

    /// True when the file is damaged, or is no database.
    var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
}

/// A connection to an SQLite database.
///
/// Thread: one thread at a time.
@safe final class Database: @unchecked Sendable {
    /// A value of a column or a parameter.
    enum Value: Equatable {
        case none
        case number(Int64)
        case text(String)
    }

    /// The longest wait for another process that writes.
    private static let patience: Int32 = 5000

    private let connection: OpaquePointer

    /// Opens a database, and creates the file if it does not exist.
    ///
    /// - Parameter path: The path of the file; `:memory:` for a database without a file.
    /// - Throws: ``DatabaseError`` when the file cannot be opened or created.
    init(_ path: String) throws(DatabaseError) {
        var made: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &made, flags, nil)
        guard code == SQLITE_OK, let made = unsafe made else {
            unsafe sqlite3_close_v2(made)
            throw DatabaseError(code: code, message: unsafe String(cString: sqlite3_errstr(code)))
        }
        unsafe connection = unsafe made
        unsafe sqlite3_busy_timeout(connection, Self.patience)
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    /// Runs a statement, once for each row of parameters.
    func run(_ statement: String, _ rows: [[Value]] = [[]]) throws(DatabaseError) {
        for row in rows { _ = try self.rows(of: statement, row) }
    }

    /// Runs a query.
    ///
    /// - Parameters:
    ///   - query: The query, with `?` for each parameter.
    ///   - parameters: The parameters.
    /// - Returns: The rows, with the values of their columns.
    /// - Throws: ``DatabaseError`` when the query or its parameters are invalid, or the file cannot be read or written.
    func rows(of query: String, _ parameters: [Value] = []) throws(DatabaseError) -> [[Value]] {
        var prepared: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(connection, query, -1, &prepared, nil) == SQLITE_OK else { throw failure }
        defer { unsafe sqlite3_finalize(prepared) }
        for (index, value) in parameters.enumerated() {
            let number = Int32(index + 1)
            let code =
                switch value {
                case .none: unsafe sqlite3_bind_null(prepared, number)
                case .number(let value): unsafe sqlite3_bind_int64(prepared, number, value)
                case .text(let text): unsafe pip_bind_text(prepared, number, text)
                }
            guard code == SQLITE_OK else { throw failure }
        }
        var rows: [[Value]] = []
        while true {
            switch unsafe sqlite3_step(prepared) {
            case SQLITE_ROW:
                rows.append(unsafe (0..<sqlite3_column_count(prepared)).map { unsafe Self.value(prepared, $0) })
            case SQLITE_DONE: return rows
            default: throw failure
            }
        }
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: unsafe .number(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT: unsafe .text(sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? "")
        default: .none
        }
    }

    private var failure: DatabaseError {
        unsafe DatabaseError(
            code: sqlite3_errcode(connection) & 0xff, message: String(cString: sqlite3_errmsg(connection)))
    }
}
#endif
