internal import PipFrames

/// Encodes requests to an X server.
///
/// Source: "X Window System Protocol", version 11, appendix B, "Protocol Encoding".
enum XRequest {
    /// The identifiers of atoms that every X server predefines.
    enum Atom {
        static let (atom, cardinal, string): (UInt32, UInt32, UInt32) = (4, 6, 31)
        static let (windowName, windowClass): (UInt32, UInt32) = (39, 67)
    }

    /// The value of a property: its type, and either bytes or 32-bit numbers.
    struct Property {
        let type: UInt32
        var text: [UInt8] = []
        var numbers: [UInt32] = []
    }

    /// Encodes a request; its length field includes the bytes of a picture that the caller sends after it.
    private static func make(
        _ code: UInt8, detail: UInt8 = 0, _ words: [UInt32], tail: [UInt8] = [], pictureBytes: Int = 0
    ) -> [UInt8] {
        var bytes = [code, detail, 0, 0]
        for word in words { bytes.append32(word) }
        bytes += tail
        bytes.pad()
        let length = (bytes.count + pictureBytes) / 4
        (bytes[2], bytes[3]) = (UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8))
        return bytes
    }

    private static func pair(_ first: Int, _ second: Int) -> UInt32 {
        UInt32(UInt16(truncatingIfNeeded: first)) | UInt32(UInt16(truncatingIfNeeded: second)) << 16
    }

    static func createWindow(_ window: UInt32, in setup: XSetup, size: PixelSize, cursor: UInt32?) -> [UInt8] {
        let (backgroundPixel, eventMask, cursorBit): (UInt32, UInt32, UInt32) = (0x2, 0x800, 0x4000)
        let (black, exposure, structure, inputOutput): (UInt32, UInt32, UInt32, Int) = (0, 0x8000, 0x20000, 1)
        let mask = backgroundPixel | eventMask | (cursor == nil ? 0 : cursorBit)
        let values = [black, exposure | structure] + (cursor.map { [$0] } ?? [])
        let place = [pair(0, 0), pair(size.width, size.height), pair(0, inputOutput)]
        return make(1, detail: XSetup.depth, [window, setup.root] + place + [setup.visual, mask] + values)
    }

    static func map(_ window: UInt32) -> [UInt8] { make(8, [window]) }

    static func internAtom(_ name: String) -> [UInt8] {
        make(16, [pair(name.utf8.count, 0)], tail: Array(name.utf8))
    }

    static func setProperty(_ property: UInt32, of window: UInt32, to value: Property) -> [UInt8] {
        let (bits, count) = value.numbers.isEmpty ? (8, value.text.count) : (32, value.numbers.count)
        return make(
            18, [window, property, value.type, UInt32(bits), UInt32(count)] + value.numbers, tail: value.text)
    }

    static let getInputFocus = make(43, [])

    /// Encodes the requests that create an invisible cursor, from a pixmap of one pixel that is 0.
    static func createHiddenCursor(_ cursor: UInt32, on root: UInt32, pixmap: UInt32, context: UInt32) -> [UInt8] {
        let pixel = pair(1, 1)
        return make(53, detail: 1, [pixmap, root, pixel]) + createContext(context, for: pixmap)
            + make(70, [pixmap, context, 0, pixel]) + make(93, [cursor, pixmap, pixmap, 0, 0, 0, 0])
    }

    static func createContext(_ context: UInt32, for drawable: UInt32) -> [UInt8] {
        make(55, [context, drawable, 0])
    }

    /// The length of the header of a `PutImage` request, in bytes.
    static let imageHeaderBytes = 24

    /// Encodes the header of a `PutImage` request; the caller sends the rows of the picture after the header.
    static func putImage(into window: UInt32, by context: UInt32, width: Int, rows: Range<Int>) -> [UInt8] {
        let pixmap: UInt8 = 2
        return make(
            72, detail: pixmap,
            [window, context, pair(width, rows.count), pair(0, rows.lowerBound), UInt32(XSetup.depth) << 8],
            pictureBytes: 4 * width * rows.count)
    }
}
