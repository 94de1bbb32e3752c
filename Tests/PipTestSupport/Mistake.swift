/// The description of the error that a function throws; empty if the function throws no error.
package func mistake<E: Error & CustomStringConvertible>(_ parse: () throws(E) -> Void) -> String {
    do throws(E) {
        try parse()
        return ""
    } catch {
        return error.description
    }
}
