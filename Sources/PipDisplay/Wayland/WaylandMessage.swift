/// A request to a compositor, or an event from it.
///
/// Source: "The Wayland Protocol", chapter 4, "Wayland Protocol and Model of Operation", "Wire Format".
struct WaylandMessage {
    /// The identifier of the object that the request is for, or that the event is from.
    let object: UInt32
    /// The opcode of the request or event in the object's interface.
    let code: Int
    private(set) var arguments: [UInt8] = []

    init(_ object: UInt32, _ code: Int, _ numbers: [UInt32] = []) {
        self.object = object
        self.code = code
        for number in numbers { arguments.append32(number) }
    }

    /// Parses the first message in `bytes`; returns nil when `bytes` hold only a part of the message.
    init?(_ bytes: [UInt8]) {
        let length = max(8, bytes.number16(at: 6))
        guard bytes.count >= length else { return nil }
        object = bytes.number32(at: 0)
        code = bytes.number16(at: 4)
        arguments = Array(bytes[8..<length])
    }

    /// The length of the whole message in bytes.
    var length: Int { 8 + arguments.count }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append32(object)
        bytes.append16(code)
        bytes.append16(length)
        return bytes + arguments
    }

    /// Returns the message with one more argument, a text.
    func with(_ text: String) -> WaylandMessage {
        var message = with(UInt32(text.utf8.count + 1))
        message.arguments += Array(text.utf8) + [0]
        message.arguments.pad()
        return message
    }

    /// Returns the message with one more argument, a number.
    func with(_ number: UInt32) -> WaylandMessage {
        var message = self
        message.arguments.append32(number)
        return message
    }

    /// Reads the number at an index; all arguments before it must be numbers.
    func number(_ index: Int) -> UInt32 { arguments.number32(at: 4 * index) }

    /// Reads the text at an index, and the number after it; all arguments before the text must be numbers.
    ///
    /// Returns an empty text and 0 if the message is too short.
    func text(_ index: Int) -> (text: String, next: UInt32) {
        let place = 4 * index
        let count = Int(number(index))
        guard count > 0, place + 4 + count <= arguments.count else { return ("", 0) }
        let text = String(decoding: arguments[place + 4..<place + 3 + count], as: UTF8.self)
        return (text, arguments.number32(at: place + 4 + (count + 3) & ~3))
    }
}

/// The opcodes of requests, grouped by interface.
///
/// Source: `wayland.xml`, `xdg-shell.xml`, `xdg-decoration-unstable-v1.xml`.
enum WaylandRequest {
    enum Display { static let (sync, getRegistry) = (0, 1) }
    enum Registry { static let bind = 0 }
    enum Compositor { static let createSurface = 0 }
    enum Memory { static let createPool = 0 }
    enum Pool { static let (createBuffer, destroy) = (0, 1) }
    enum Buffer { static let destroy = 0 }
    enum Surface { static let (attach, damage, frame, commit) = (1, 2, 3, 6) }
    enum Seat { static let getPointer = 0 }
    enum Pointer { static let setCursor = 0 }
    enum Shell { static let (getShellSurface, pong) = (2, 3) }
    enum ShellSurface { static let (getWindow, acknowledge) = (1, 4) }
    enum Window { static let (setTitle, setApplication, setFullscreen) = (2, 3, 11) }
    enum DecorationManager { static let getDecoration = 1 }
    enum Decoration { static let setMode = 1 }
}
