/// Reads numbers and characters from untrusted bytes, never beyond the end: a number that extends beyond it is nil.
extension RawSpan {
    func byte(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < byteCount else { return nil }
        return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// The number in two bytes, in big-endian order unless `isLittleEndian`.
    func uint16(at offset: Int, isLittleEndian: Bool = false) -> Int? {
        guard let first = byte(at: offset), let second = byte(at: offset + 1) else { return nil }
        return isLittleEndian ? Int(second) << 8 | Int(first) : Int(first) << 8 | Int(second)
    }

    /// The number in four bytes, in big-endian order unless `isLittleEndian`.
    func uint32(at offset: Int, isLittleEndian: Bool = false) -> Int? {
        guard
            let first = uint16(at: offset, isLittleEndian: isLittleEndian),
            let second = uint16(at: offset + 2, isLittleEndian: isLittleEndian)
        else { return nil }
        return isLittleEndian ? second << 16 | first : first << 16 | second
    }

    /// True when the bytes at `offset` are the given characters.
    func has(_ characters: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= byteCount, characters.utf8CodeUnitCount <= byteCount - offset else { return false }
        for index in 0..<characters.utf8CodeUnitCount {
            let expected = unsafe characters.utf8Start[index]
            if byte(at: offset + index) != expected { return false }
        }
        return true
    }

    /// The first bytes in hexadecimal, for messages: `ff d8 ff e0`.
    package func hexadecimal(prefix: Int) -> String {
        var text = ""
        for offset in 0..<Swift.min(prefix, byteCount) {
            guard let byte = byte(at: offset) else { break }
            text += (text.isEmpty ? "" : " ") + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
