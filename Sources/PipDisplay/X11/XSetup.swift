internal import PipFrames

/// The properties of an X server and of one of its screens.
///
/// Source: "X Window System Protocol", version 11, chapter 8, "Connection Setup".
struct XSetup {
    /// The lowest identifier that this client may use for its objects.
    let firstIdentifier: UInt32
    /// The length of the longest request that the server accepts, in bytes.
    let requestLimit: Int
    let root: UInt32
    let visual: UInt32
    /// The screen's size in pixels.
    let size: PixelSize
    /// The number of significant bits in a pixel, which takes 32 bits.
    static let depth: UInt8 = 24

    /// Sends the connection setup to a server, and reads the server's properties.
    ///
    /// Blocks until the server has answered, for three seconds at most.
    ///
    /// - Parameters:
    ///   - socket: A new connection.
    ///   - address: The server's address.
    ///   - key: The key with which the server lets this client connect; nil to connect without a key.
    /// - Throws: ``DisplayError`` when the server refuses or does not answer, or when it lacks the screen or the screen
    ///   has another format of pixels.
    init(_ socket: DisplaySocket, _ address: XAddress, key: XAuthority.Key?) throws(DisplayError) {
        var hello: [UInt8] = [0x6c, 0]
        for number in [11, 0, key?.name.count ?? 0, key?.data.count ?? 0, 0] { hello.append16(number) }
        for part in [key?.name ?? [], key?.data ?? []] {
            hello += part
            hello.pad()
        }
        socket.send(hello[...])
        let answer: [UInt8]?
        do throws(DisplayLoss) {
            answer = try socket.wait(for: .seconds(3)) { () throws(DisplayLoss) in
                let count = 8 + 4 * socket.received.number16(at: 6)
                return socket.received.count >= count ? Array(socket.received[..<count]) : nil
            }
        } catch {
            throw DisplayError("\(address.server) has closed the connection")
        }
        guard let answer else { throw DisplayError("\(address.server) does not answer") }
        socket.take(answer.count)
        guard answer[0] == 1 else {
            // The answer "authenticate" (2) has no length of its reason, which is filled up to whole words.
            let text = answer[8...].prefix(answer[0] == 0 ? Int(answer[1]) : answer.count).prefix { $0 != 0 }
            let reason = String(decoding: text, as: UTF8.self)
            throw DisplayError(
                "\(address.server) refuses the connection: \(reason.split(whereSeparator: \.isNewline).first ?? "no reason given"); "
                    + "set XAUTHORITY to the file with the server's key, or allow yourself access with "
                    + "`xhost +si:localuser:$USER`, typed at that display")
        }
        guard let setup = Self(answer, screen: address.screen) else {
            throw DisplayError(
                "\(address.server) has no screen \(address.screen) with 24 bits per pixel, which windows need")
        }
        self = setup
    }

    /// Parses the server's answer.
    ///
    /// - Returns: Nil when the answer is cut off or lacks the screen, or when the screen's pixels have another form
    ///   than 32 bits in little-endian order with 8 bits each of red, green and blue.
    init?(_ answer: [UInt8], screen: Int) {
        guard screen < answer.number8(at: 28), answer.number8(at: 30) == 0 else { return nil }
        var place = 40 + (answer.number16(at: 24) + 3) & ~3
        let formats = (0..<answer.number8(at: 29)).map { place + 8 * $0 }
        place += 8 * formats.count
        for _ in 0..<screen { place = Self.visuals(ofScreenAt: place, in: answer).end }
        let (visuals, end) = Self.visuals(ofScreenAt: place, in: answer)
        let visual = answer.number32(at: place + 32)
        let depth = Int(Self.depth)
        guard end <= answer.count, answer.number8(at: place + 38) == depth,
            formats.contains(where: { answer.number8(at: $0) == depth && answer.number8(at: $0 + 1) == 32 }),
            let entry = visuals.first(where: { answer.number32(at: $0) == visual }),
            [8, 12, 16].map({ answer.number32(at: entry + $0) }) == [0xff0000, 0xff00, 0xff]
        else { return nil }
        firstIdentifier = answer.number32(at: 12)
        requestLimit = answer.number16(at: 26) * 4
        root = answer.number32(at: place)
        self.visual = visual
        size = PixelSize(answer.number16(at: place + 20), answer.number16(at: place + 22))
    }

    /// Finds the offsets of a screen's visuals, and the offset of the end of the screen's description.
    private static func visuals(ofScreenAt start: Int, in answer: [UInt8]) -> (visuals: [Int], end: Int) {
        var visuals: [Int] = []
        var place = start + 40
        for _ in 0..<answer.number8(at: start + 39) {
            let count = answer.number16(at: place + 2)
            visuals += (0..<count).map { place + 8 + 24 * $0 }
            place += 8 + 24 * count
        }
        return (visuals, place)
    }
}
