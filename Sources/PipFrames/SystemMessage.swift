internal import Glibc

/// The system's message for an `errno`, such as `No such file or directory`.
package func systemMessage(_ number: CInt) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}
