internal import PipFrames

/// Requests to an X server.
///
/// Source: "X Window System Protocol", version 11, appendix B, "Protocol Encoding".
enum XRequest {
    /// Atoms that every server has.
    enum Atom {
        static let atom: UInt32 = 4
        static let cardinal: UInt32 = 6
        static let string: UInt32 = 31
        static let name: UInt32 = 39
        static let windowClass: UInt32 = 67
    }

    /// A request, its length filled in.
    private static func make(
        _ code: UInt8, detail: UInt8 = 0, _ words: [UInt32], tail: [UInt8] = []
    ) -> [UInt8] {
        var bytes = [code, detail, 0, 0]
        for word in words { bytes.append32(word) }
        bytes += tail
        bytes.pad()
        let length = bytes.count / 4
        (bytes[2], bytes[3]) = (UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8))
        return bytes
    }

    private static func pair(_ first: Int, _ second: Int) -> UInt32 {
        UInt32(UInt16(truncatingIfNeeded: first)) | UInt32(UInt16(truncatingIfNeeded: second)) << 16
    }

    static func createWindow(
        _ window: UInt32, in setup: XSetup, size: PixelSize, cursor: UInt32?
    ) -> [UInt8] {
        let inputOutput = 1
        // Black behind pictures; the moments when it is uncovered, and when it changes its size.
        var mask: UInt32 = 0x2 | 0x800
        var values: [UInt32] = [0, 0x8000 | 0x20000]
        if let cursor { (mask, values) = (mask | 0x4000, values + [cursor]) }
        return make(
            1, detail: setup.depth,
            [
                window, setup.root, pair(0, 0), pair(size.width, size.height), pair(0, inputOutput), setup.visual,
                mask,
            ] + values)
    }

    static func map(_ window: UInt32) -> [UInt8] { make(8, [window]) }

    static func internAtom(_ name: String) -> [UInt8] {
        make(16, [pair(name.utf8.count, 0)], tail: Array(name.utf8))
    }

    /// Sets a property: text, or numbers of 32 bits.
    static func setProperty(_ property: UInt32, of window: UInt32, type: UInt32, text: [UInt8]) -> [UInt8] {
        make(18, [window, property, type, 8, UInt32(text.count)], tail: text)
    }

    static func setProperty(_ property: UInt32, of window: UInt32, type: UInt32, numbers: [UInt32]) -> [UInt8] {
        make(18, [window, property, type, 32, UInt32(numbers.count)] + numbers)
    }

    static let getInputFocus = make(43, [])

    static func createPixmap(_ pixmap: UInt32, on root: UInt32) -> [UInt8] {
        make(53, detail: 1, [pixmap, root, pair(1, 1)])
    }

    static func createContext(_ context: UInt32, for drawable: UInt32) -> [UInt8] {
        make(55, [context, drawable, 0])
    }

    static func fillPixel(of drawable: UInt32, by context: UInt32) -> [UInt8] {
        make(70, [drawable, context, pair(0, 0), pair(1, 1)])
    }

    /// A pointer of which nothing is seen.
    static func createCursor(_ cursor: UInt32, of pixmap: UInt32) -> [UInt8] {
        make(93, [cursor, pixmap, pixmap, 0, 0, 0, 0])
    }

    /// Bytes before the rows of a picture.
    static let imageHeaderBytes = 24

    /// The beginning of a request that puts rows of a picture into a window.
    static func putImage(
        into window: UInt32, by context: UInt32, _ setup: XSetup, width: Int, rows: Range<Int>
    ) -> [UInt8] {
        let pixmap: UInt8 = 2
        var bytes = make(
            72, detail: pixmap,
            [window, context, pair(width, rows.count), pair(0, rows.lowerBound), UInt32(setup.depth) << 8])
        let length = imageHeaderBytes / 4 + width * rows.count
        (bytes[2], bytes[3]) = (UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8))
        return bytes
    }
}
