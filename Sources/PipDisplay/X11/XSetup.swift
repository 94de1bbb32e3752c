internal import PipConcurrency
internal import PipFrames

/// What an X server says of itself at the beginning.
///
/// Source: "X Window System Protocol", version 11, chapter 8, "Connection Setup".
struct XSetup {
    /// The first number for what we make.
    let firstIdentifier: UInt32
    /// The longest request, in bytes.
    let requestLimit: Int
    let root: UInt32
    let visual: UInt32
    let depth: UInt8
    /// Of the whole screen.
    let size: PixelSize

    /// Says hello.
    ///
    /// - Parameters:
    ///   - socket: A new connection.
    ///   - address: Where it leads.
    ///   - key: Proves that we may; nil where that needs no proof.
    /// - Throws: ``DisplayError`` when the server refuses, or shows pictures that we cannot make.
    init(_ socket: DisplaySocket, _ address: XAddress, key: XAuthority.Key?) throws(DisplayError) {
        var hello: [UInt8] = [0x6c, 0]
        for number in [11, 0, key?.name.count ?? 0, key?.data.count ?? 0, 0] { hello.append16(number) }
        for part in [key?.name ?? [], key?.data ?? []] {
            hello += part
            hello.pad()
        }
        socket.send(hello)
        let deadline = MonotonicClock().now.advanced(by: .seconds(3))
        let answer: [UInt8]?
        do throws(DisplayLoss) {
            answer = try socket.wait(until: deadline) { () throws(DisplayLoss) in
                let count = 8 + 4 * socket.received.number16(at: 6)
                return socket.received.count >= 8 && socket.received.count >= count
                    ? Array(socket.received[..<count]) : nil
            }
        } catch {
            throw DisplayError("the X server at \(address.text) has closed the connection")
        }
        guard let answer else { throw DisplayError("the X server at \(address.text) does not answer") }
        socket.take(answer.count)
        guard answer[0] == 1 else {
            let reason = String(decoding: answer[8...].prefix(Int(answer[1])), as: UTF8.self)
            let said = reason.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
            throw DisplayError(
                "the X server at \(address.text) refuses: \(said); XAUTHORITY is to name the file with its key, and "
                    + "`xhost +si:localuser:$USER`, typed at that display, lets you in without one")
        }
        guard let setup = Self(answer, screen: address.screen) else {
            throw DisplayError(
                "the X server at \(address.text) has no screen \(address.screen) of 24 bits a pixel, which is what is "
                    + "shown there")
        }
        self = setup
    }

    /// Nil when the screen is not there, or is not of 32-bit pixels with 8 bits of red, green and blue.
    init?(_ answer: [UInt8], screen: Int) {
        firstIdentifier = answer.number32(at: 12)
        requestLimit = answer.number16(at: 26) * 4
        let screens = Int(answer.count > 29 ? answer[28] : 0)
        let formats = Int(answer.count > 29 ? answer[29] : 0)
        guard screen < screens, answer.count > 30, answer[30] == 0 else { return nil }
        var place = 40 + (answer.number16(at: 24) + 3) & ~3
        var pixelBits: [UInt8: UInt8] = [:]
        for _ in 0..<formats where place + 8 <= answer.count {
            pixelBits[answer[place]] = answer[place + 1]
            place += 8
        }
        for index in 0...screen {
            guard place + 40 <= answer.count else { return nil }
            let start = place
            let root = answer.number32(at: start + 32)
            var isPlain = false
            place += 40
            for _ in 0..<Int(answer[start + 39]) where place + 8 <= answer.count {
                let visuals = answer.number16(at: place + 2)
                place += 8
                for _ in 0..<visuals where place + 24 <= answer.count {
                    let masks = [8, 12, 16].map { answer.number32(at: place + $0) }
                    if answer.number32(at: place) == root { isPlain = masks == [0xff0000, 0xff00, 0xff] }
                    place += 24
                }
            }
            guard index == screen else { continue }
            let depth = answer[start + 38]
            guard depth == 24, pixelBits[depth] == 32, isPlain else { return nil }
            self.root = answer.number32(at: start)
            visual = root
            self.depth = depth
            size = PixelSize(answer.number16(at: start + 20), answer.number16(at: start + 22))
            return
        }
        return nil
    }
}
