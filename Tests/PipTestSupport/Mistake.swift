/// The description of the error that a function throws; empty if it throws none.
package func mistake<E: Error & CustomStringConvertible>(_ parse: () throws(E) -> Void) -> String {
    do throws(E) {
        try parse()
        return ""
    } catch {
        return error.description
    }
}
