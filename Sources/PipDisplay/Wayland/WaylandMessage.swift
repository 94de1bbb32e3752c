/// A request to a compositor, or an event of it.
///
/// Source: "The Wayland Protocol", chapter 4, "Wayland Protocol and Model of Operation", "Wire Format".
struct WaylandMessage {
    /// The object that it is of.
    let object: UInt32
    let code: Int
    private(set) var arguments: [UInt8]

    init(_ object: UInt32, _ code: Int, _ numbers: [UInt32] = []) {
        self.object = object
        self.code = code
        arguments = []
        for number in numbers { arguments.append32(number) }
    }

    /// Reads the first message of bytes; nil when it has not come as a whole.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        let length = max(8, bytes.number16(at: 6))
        guard bytes.count >= length else { return nil }
        object = bytes.number32(at: 0)
        code = bytes.number16(at: 4)
        arguments = Array(bytes[8..<length])
    }

    /// Bytes of the whole message.
    var length: Int { 8 + arguments.count }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append32(object)
        bytes.append16(code)
        bytes.append16(length)
        return bytes + arguments
    }

    /// Appends a text.
    func with(_ text: String) -> WaylandMessage {
        var message = self
        message.arguments.append32(UInt32(text.utf8.count + 1))
        message.arguments += Array(text.utf8) + [0]
        message.arguments.pad()
        return message
    }

    /// Appends a number.
    func with(_ number: UInt32) -> WaylandMessage {
        var message = self
        message.arguments.append32(number)
        return message
    }

    /// The number of an argument, where only numbers come before it.
    func number(_ index: Int) -> UInt32 { arguments.number32(at: 4 * index) }

    /// The text that is an argument, where only numbers come before it; and the number behind it.
    func text(_ index: Int) -> (text: String, next: UInt32) {
        let place = 4 * index
        let count = Int(number(index))
        guard count > 0, place + 4 + count <= arguments.count else { return ("", 0) }
        let text = String(decoding: arguments[place + 4..<place + 3 + count], as: UTF8.self)
        return (text, arguments.number32(at: place + 4 + (count + 3) & ~3))
    }
}
