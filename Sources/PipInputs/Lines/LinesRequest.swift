internal import PipFrames

/// A source of lines of text, such as a GPS receiver.
package struct LinesRequest: Hashable, Sendable {
    /// The place from which lines come.
    package enum Place: Hashable, Sendable {
        /// A serial port, a named pipe, or a file to which a program appends. Units: baud.
        case file(String, baud: Int)
        case server(host: String, port: UInt16)
    }

    package let place: Place
    /// The text that a server is sent first.
    package let greeting: String

    package init(_ place: Place, greeting: String = "") { (self.place, self.greeting) = (place, greeting) }

    /// The place as a user knows it.
    package var name: String {
        switch place {
        case .file(let path, _): path
        case .server(let host, let port): Authority.text(host, Int(port))
        }
    }
}
