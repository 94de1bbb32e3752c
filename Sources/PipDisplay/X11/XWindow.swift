internal import Glibc
internal import PipConcurrency
package import PipFrames

/// A window of an X server.
///
/// Pictures are sent through the connection, so that the server may be on another machine. The next picture is sent
/// when the server has drawn the previous picture.
package final class XWindow: DisplaySurface {
    private let socket: DisplaySocket
    private let setup: XSetup
    private let window: UInt32
    private let context: UInt32
    private var atoms: [Atom: UInt32] = [:]
    private var canvas: [UInt8] = []
    /// True while the server draws a picture: until it has answered the request after the picture.
    private var isDrawing = false
    private var isMapped = false
    package private(set) var size: PixelSize
    package private(set) var needsPicture = false

    /// The names of the atoms that windows and window managers use.
    ///
    /// Source: "Extended Window Manager Hints".
    private enum Atom: String, CaseIterable {
        case utf8 = "UTF8_STRING"
        case protocols = "WM_PROTOCOLS"
        case deleteWindow = "WM_DELETE_WINDOW"
        case name = "_NET_WM_NAME"
        case process = "_NET_WM_PID"
        case state = "_NET_WM_STATE"
        case fullscreen = "_NET_WM_STATE_FULLSCREEN"
    }

    /// The messages from the server that the window handles; the raw value is the code in the first byte.
    private enum Message: UInt8 {
        case failure = 0
        case reply = 1
        case expose = 12
        case destroyNotify = 17
        case configureNotify = 22
        case clientMessage = 33
    }

    /// Opens a window.
    ///
    /// Blocks for some milliseconds, or for some seconds when the server does not answer.
    ///
    /// - Parameters:
    ///   - opening: The window's title and properties.
    ///   - display: The server's address in the form of `DISPLAY`.
    ///   - size: The window's size, unless the window fills the screen.
    /// - Throws: ``DisplayError`` when `display` is not an address, no server listens or answers, or the server refuses
    ///   the connection or lacks a suitable screen.
    package init(_ opening: WindowOpening, on display: String, _ size: PixelSize) throws(DisplayError) {
        (socket, setup) = try Self.connect(to: display, opening.environment)
        (window, context) = (setup.firstIdentifier, setup.firstIdentifier + 1)
        self.size = opening.isFullscreen ? setup.size : size
        do throws(DisplayLoss) {
            try internAtoms()
            open(opening)
            try socket.flush()
        } catch {
            throw DisplayError(error, of: socket.server)
        }
    }

    /// Connects to a server, and reads the server's properties.
    static func connect(
        to display: String, _ environment: (String) -> String?
    ) throws(DisplayError) -> (DisplaySocket, XSetup) {
        guard let address = XAddress(display) else {
            throw DisplayError("\(display) is not an X display; X displays are named like :0 or host:0")
        }
        let socket = try address.connect()
        var name = utsname()
        _ = unsafe uname(&name)
        let hostName = unsafe withUnsafeBytes(of: &name.nodename) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let key = XAuthority(environment).key(of: address, hostName: hostName)
        return (socket, try XSetup(socket, address, key: key))
    }

    package var descriptor: Int32 { socket.descriptor }

    package var hasOutput: Bool { socket.hasOutput }

    package var isReady: Bool { isMapped && !isDrawing && !socket.hasOutput }

    private func atom(_ atom: Atom) -> UInt32 { atoms[atom] ?? 0 }

    private func internAtoms() throws(DisplayLoss) {
        for atom in Atom.allCases { socket.send(XRequest.internAtom(atom.rawValue)[...]) }
        let bytes = 32 * Atom.allCases.count
        let answers = try socket.wait(for: .seconds(3)) { () throws(DisplayLoss) in
            socket.received.count >= bytes ? socket.received : nil
        }
        guard let answers else { throw .lost("\(socket.server) does not answer") }
        for (index, atom) in Atom.allCases.enumerated() { atoms[atom] = answers.number32(at: 32 * index + 8) }
        socket.take(bytes)
    }

    private func open(_ opening: WindowOpening) {
        let (pixmap, pixmapContext, cursor) = (window + 2, window + 3, window + 4)
        var requests: [UInt8] = []
        if opening.isFullscreen {
            requests += XRequest.createHiddenCursor(cursor, on: setup.root, pixmap: pixmap, context: pixmapContext)
        }
        requests += XRequest.createWindow(window, in: setup, size: size, cursor: opening.isFullscreen ? cursor : nil)
        requests += XRequest.createContext(context, for: window)
        let name = XRequest.Property(type: atom(.utf8), text: Array(opening.title.utf8))
        let program = XRequest.Property(type: XRequest.Atom.string, text: Array("pip-compose\0pip-compose\0".utf8))
        var properties = [
            (XRequest.Atom.windowName, name), (atom(.name), name), (XRequest.Atom.windowClass, program),
            (atom(.process), XRequest.Property(type: XRequest.Atom.cardinal, numbers: [UInt32(getpid())])),
            (atom(.protocols), XRequest.Property(type: XRequest.Atom.atom, numbers: [atom(.deleteWindow)])),
        ]
        if opening.isFullscreen {
            properties.append((atom(.state), .init(type: XRequest.Atom.atom, numbers: [atom(.fullscreen)])))
        }
        for (property, value) in properties { requests += XRequest.setProperty(property, of: window, to: value) }
        requests += XRequest.map(window)
        socket.send(requests[...])
    }

    // MARK: Events

    package func work() throws(DisplayLoss) {
        try socket.exchange { () throws(DisplayLoss) in
            while socket.received.count >= 32 {
                let code = socket.received[0] & 0x7f
                // Replies and generic events state the length of the data after the first 32 bytes, in four-byte units.
                let more = [1, 35].contains(code) ? Int(socket.received.number32(at: 4)) * 4 : 0
                guard socket.received.count >= 32 + more else { return }
                let message = Array(socket.received[..<32])
                socket.take(32 + more)
                try handle(message, code)
            }
        }
    }

    private func handle(_ message: [UInt8], _ code: UInt8) throws(DisplayLoss) {
        switch Message(rawValue: code) {
        case .failure: throw .lost("\(socket.server) refuses X request \(message[10]) with X error \(message[1])")
        case .reply: isDrawing = false
        // A count of 0 marks the last of several uncovered areas.
        case .expose where message.number16(at: 16) == 0: (isMapped, needsPicture) = (true, true)
        case .destroyNotify: throw .closed
        case .configureNotify:
            let size = PixelSize(message.number16(at: 20), message.number16(at: 22))
            guard size != self.size, size.width > 0, size.height > 0 else { return }
            (self.size, needsPicture) = (size, true)
        case .clientMessage where message.number32(at: 8) == atom(.protocols):
            if message.number32(at: 12) == atom(.deleteWindow) { throw .closed }
        default: break
        }
    }

    // MARK: Pictures

    package func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss) {
        let stride = size.width * 4
        if canvas.count != stride * size.height { canvas = [UInt8](repeating: 0, count: stride * size.height) }
        unsafe canvas.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe paint(start, stride) }
        }
        let rowLimit = max(1, (setup.requestLimit - XRequest.imageHeaderBytes) / stride)
        for first in Swift.stride(from: 0, to: size.height, by: rowLimit) {
            let rows = first..<min(first + rowLimit, size.height)
            socket.send(XRequest.putImage(into: window, by: context, width: size.width, rows: rows)[...])
            socket.send(canvas[rows.lowerBound * stride..<rows.upperBound * stride])
        }
        // The server answers this request after it has drawn the picture.
        socket.send(XRequest.getInputFocus[...])
        (isDrawing, needsPicture) = (true, false)
        try socket.flush()
    }
}
