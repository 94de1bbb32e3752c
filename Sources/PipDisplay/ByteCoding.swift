/// Reads and writes the little-endian numbers of Wayland, X11 and the kernel's events.
extension [UInt8] {
    /// Appends the low 16 bits of a number, little-endian.
    mutating func append16(_ value: Int) {
        append(contentsOf: [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)])
    }

    /// Appends a 32-bit number, little-endian.
    mutating func append32(_ value: UInt32) {
        append16(Int(value & 0xffff))
        append16(Int(value >> 16))
    }

    /// Appends zeros up to a multiple of four bytes.
    mutating func pad() { while count % 4 != 0 { append(0) } }

    /// Returns the byte at an offset, or 0 past the end.
    func number8(at offset: Int) -> Int { indices.contains(offset) ? Int(self[offset]) : 0 }

    /// Returns the little-endian 16-bit number at an offset; bytes past the end count as 0.
    func number16(at offset: Int) -> Int { number8(at: offset) | number8(at: offset + 1) << 8 }

    /// Returns the little-endian 32-bit number at an offset; bytes past the end count as 0.
    func number32(at offset: Int) -> UInt32 {
        UInt32(number16(at: offset)) | UInt32(number16(at: offset + 2)) << 16
    }
}
