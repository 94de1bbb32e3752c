internal import Glibc
internal import PipConcurrency
package import PipFrames

/// A window of an X server, by its protocol.
///
/// Not by Xlib, which ends the process when the server is gone, and not by any library that waits for a server that
/// hangs. Pictures go through the connection, the next one when the server has dealt with the one before; so a server
/// on another machine is as good.
package final class XWindow: DisplaySurface {
    private let socket: DisplaySocket
    private let address: XAddress
    private let setup: XSetup
    private let window: UInt32
    private let context: UInt32
    private var atoms: Atoms
    private var canvas: [UInt8] = []
    /// Answers that say that a picture was dealt with, and have not come.
    private var unanswered = 0
    private var isMapped = false
    package private(set) var size: PixelSize
    package private(set) var needsPicture = false

    /// Atoms by which windows and their managers speak.
    ///
    /// Source: "Extended Window Manager Hints".
    private struct Atoms {
        static let names = [
            "UTF8_STRING", "WM_PROTOCOLS", "WM_DELETE_WINDOW", "_NET_WM_NAME", "_NET_WM_PID", "_NET_WM_STATE",
            "_NET_WM_STATE_FULLSCREEN",
        ]
        private let values: [UInt32]

        init(_ values: [UInt32]) { self.values = values }

        var utf8: UInt32 { values[0] }
        var protocols: UInt32 { values[1] }
        var deleteWindow: UInt32 { values[2] }
        var name: UInt32 { values[3] }
        var process: UInt32 { values[4] }
        var state: UInt32 { values[5] }
        var fullscreen: UInt32 { values[6] }
    }

    /// Opens a window.
    ///
    /// Blocks for some milliseconds; for three seconds where a server does not answer.
    ///
    /// - Parameters:
    ///   - display: As `DISPLAY` has it.
    ///   - title: The window's title.
    ///   - size: Its size, unless it takes the whole screen.
    ///   - isFullscreen: Whether it takes the whole screen, without a pointer.
    ///   - environment: Gives the value of a variable.
    /// - Throws: ``DisplayError`` when there is no such server, or it refuses.
    package init(
        display: String, title: String, size: PixelSize, isFullscreen: Bool, environment: (String) -> String?
    ) throws(DisplayError) {
        (socket, address, setup) = try Self.connect(to: display, environment)
        let first = setup.firstIdentifier
        (window, context) = (first, first + 1)
        self.size = isFullscreen ? setup.size : size
        atoms = Atoms([])
        do throws(DisplayLoss) {
            atoms = try Self.intern(socket)
            open(title, isFullscreen: isFullscreen, pixmap: first + 2, pixmapContext: first + 3, cursor: first + 4)
            try socket.flush()
        } catch {
            throw DisplayError("the X server at \(address.text) takes no window")
        }
    }

    /// Connects to a server, and lets it say what it has.
    static func connect(
        to display: String, _ environment: (String) -> String?
    ) throws(DisplayError) -> (DisplaySocket, XAddress, XSetup) {
        guard let address = XAddress(display) else {
            throw DisplayError("\(display) is no X display; they are named like :0 or host:0")
        }
        let socket = try address.connect()
        var name = utsname()
        _ = unsafe uname(&name)
        let hostName = unsafe withUnsafeBytes(of: &name.nodename) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let key = XAuthority.read(environment).key(of: address, hostName: hostName)
        return (socket, address, try XSetup(socket, address, key: key))
    }

    package var descriptor: Int32 { socket.descriptor }

    package var hasOutput: Bool { socket.hasOutput }

    package var isReady: Bool { isMapped && unanswered == 0 && !socket.hasOutput }

    private static func intern(_ socket: DisplaySocket) throws(DisplayLoss) -> Atoms {
        for name in Atoms.names { socket.send(XRequest.internAtom(name)) }
        let deadline = MonotonicClock().now.advanced(by: .seconds(3))
        let answers = 32 * Atoms.names.count
        let values = try socket.wait(until: deadline) { () throws(DisplayLoss) -> [UInt32]? in
            guard socket.received.count >= answers else { return nil }
            return stride(from: 8, to: answers, by: 32).map { socket.received.number32(at: $0) }
        }
        guard let values else { throw .lost("it does not answer") }
        socket.take(answers)
        return Atoms(values)
    }

    private func open(
        _ title: String, isFullscreen: Bool, pixmap: UInt32, pixmapContext: UInt32, cursor: UInt32
    ) {
        if isFullscreen {
            socket.send(XRequest.createPixmap(pixmap, on: setup.root))
            socket.send(XRequest.createContext(pixmapContext, for: pixmap))
            socket.send(XRequest.fillPixel(of: pixmap, by: pixmapContext))
            socket.send(XRequest.createCursor(cursor, of: pixmap))
        }
        socket.send(XRequest.createWindow(window, in: setup, size: size, cursor: isFullscreen ? cursor : nil))
        socket.send(XRequest.createContext(context, for: window))
        let text = Array(title.utf8)
        func set(_ property: UInt32, _ type: UInt32, _ text: [UInt8]) {
            socket.send(XRequest.setProperty(property, of: window, type: type, text: text))
        }
        func set(_ property: UInt32, _ type: UInt32, _ numbers: [UInt32]) {
            socket.send(XRequest.setProperty(property, of: window, type: type, numbers: numbers))
        }
        set(XRequest.Atom.name, atoms.utf8, text)
        set(atoms.name, atoms.utf8, text)
        set(XRequest.Atom.windowClass, XRequest.Atom.string, Array("pip-compose\0pip-compose\0".utf8))
        set(atoms.process, XRequest.Atom.cardinal, [UInt32(getpid())])
        set(atoms.protocols, XRequest.Atom.atom, [atoms.deleteWindow])
        if isFullscreen { set(atoms.state, XRequest.Atom.atom, [atoms.fullscreen]) }
        socket.send(XRequest.map(window))
    }

    // MARK: Events

    package func work() throws(DisplayLoss) {
        var end: DisplayLoss?
        do throws(DisplayLoss) { try socket.work() } catch { end = error }
        try readMessages()
        if case .lost(let reason) = end { throw .lost("the X server at \(address.text) is gone: \(reason)") }
    }

    private func readMessages() throws(DisplayLoss) {
        while socket.received.count >= 32 {
            let code = socket.received[0] & 0x7f
            // Replies, and events of extensions, tell how much follows.
            let more = [1, 35].contains(code) ? Int(socket.received.number32(at: 4)) * 4 : 0
            guard socket.received.count >= 32 + more else { return }
            let message = Array(socket.received[..<32])
            socket.take(32 + more)
            try handle(message, code)
        }
    }

    private func handle(_ message: [UInt8], _ code: UInt8) throws(DisplayLoss) {
        switch code {
        case 0: throw .lost("the X server at \(address.text) refuses request \(message[10]) with error \(message[1])")
        case 1: unanswered -= 1
        // The last of several areas that were uncovered.
        case 12 where message.number16(at: 16) == 0: (isMapped, needsPicture) = (true, true)
        case 17: throw .closed
        case 22:
            let size = PixelSize(message.number16(at: 20), message.number16(at: 22))
            guard size != self.size, size.width > 0, size.height > 0 else { return }
            (self.size, needsPicture) = (size, true)
        case 33:
            if message.number32(at: 8) == atoms.protocols, message.number32(at: 12) == atoms.deleteWindow {
                throw .closed
            }
        default: break
        }
    }

    // MARK: Pictures

    package func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss) {
        let stride = size.width * 4
        let count = stride * size.height
        if canvas.count != count { canvas = [UInt8](repeating: 0, count: count) }
        unsafe canvas.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe paint(start, stride) }
        }
        let most = max(1, (setup.requestLimit - XRequest.imageHeaderBytes) / stride)
        var row = 0
        while row < size.height {
            let rows = row..<min(row + most, size.height)
            socket.send(XRequest.putImage(into: window, by: context, setup, width: size.width, rows: rows))
            unsafe canvas.withUnsafeBytes { bytes in
                unsafe socket.send(
                    UnsafeRawBufferPointer(rebasing: bytes[rows.lowerBound * stride..<rows.upperBound * stride]))
            }
            row = rows.upperBound
        }
        // Its answer comes when the picture was dealt with.
        socket.send(XRequest.getInputFocus)
        unanswered += 1
        needsPicture = false
        do throws(DisplayLoss) { try socket.flush() } catch {
            throw .lost("the X server at \(address.text) is gone")
        }
    }
}
