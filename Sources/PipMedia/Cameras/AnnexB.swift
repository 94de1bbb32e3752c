#if Media
internal import PipFrames

/// A video byte stream of NAL units, each of which begins with the start code 00 00 01.
///
/// Source: ITU-T H.264 and H.265, Annex B.
enum AnnexB {
    case h264
    case h265

    /// Creates the byte stream of a driver's pixel format; nil for a format other than H.264 and HEVC.
    init?(_ format: FourCC) {
        switch format {
        case FourCC("H264"): self = .h264
        case FourCC("HEVC"): self = .h265
        default: return nil
        }
    }

    var name: String { self == .h264 ? "h264" : "h265" }

    var codec: VideoCodec { self == .h264 ? .h264 : .h265 }

    /// True for a picture from which a decoder can start: the picture is a key picture, or sequence parameters precede
    /// it.
    func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var next = 0
        while let unit = unsafe Self.unit(in: bytes, from: next) {
            if beginsKey(unit.header) { return true }
            next = unit.code.upperBound
        }
        return false
    }

    /// Copies a picture's parameter sets (SPS, PPS, VPS) with their start codes; empty for a picture without parameter
    /// sets.
    func parameters(in bytes: [UInt8]) -> [UInt8] {
        var (found, start, next): ([UInt8], Int?, Int) = ([], nil, 0)
        while let unit = unsafe bytes.withUnsafeBytes({ unsafe Self.unit(in: $0, from: next) }) {
            if let start { found += bytes[start..<unit.code.lowerBound] }
            next = unit.code.upperBound
            start = isParameter(unit.header) ? next - 3 : nil
        }
        if let start { found += bytes[start...] }
        return found
    }

    /// Finds the next NAL unit from `start` on.
    ///
    /// - Returns: The range of the start code, with all zeros before it, and the unit's first byte; nil at the end of
    ///   the bytes.
    private static func unit(
        in bytes: UnsafeRawBufferPointer, from start: Int
    ) -> (code: Range<Int>, header: UInt8)? {
        var zeros = 0
        for index in start..<max(start, bytes.count - 1) {
            let byte = unsafe bytes[index]
            if byte == 1, zeros >= 2 { return unsafe (index - zeros..<index + 1, bytes[index + 1]) }
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return nil
    }

    private func isParameter(_ header: UInt8) -> Bool {
        switch self {
        case .h264: [7, 8].contains(header & 0x1f)
        case .h265: (32...34).contains(header >> 1 & 0x3f)
        }
    }

    /// True for the first byte of a NAL unit that holds a key picture or sequence parameters.
    private func beginsKey(_ header: UInt8) -> Bool {
        switch self {
        case .h264: [5, 7].contains(header & 0x1f)
        case .h265: (16...21).contains(header >> 1 & 0x3f) || header >> 1 & 0x3f == 33
        }
    }
}
#endif
