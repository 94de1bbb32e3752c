internal import CPlatform

/// A netlink message of a little-endian machine.
///
/// Source: the kernel's "Introduction to Netlink".
struct NetlinkMessage: Equatable {
    /// A type-length-value attribute of a message.
    struct Attribute: Equatable {
        let type: Int
        let bytes: [UInt8]

        /// The nested attributes, if the attribute's contents are attributes.
        var nested: [Attribute] { Attribute.list(in: bytes[...]) }
        /// The contents as text, without the terminating zero byte.
        var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        /// The contents as an unsigned number; nil unless they are two or four bytes long.
        var number: UInt32? {
            switch bytes.count {
            case 2: UInt32(bytes.integer(at: 0) as UInt16)
            case 4: bytes.integer(at: 0) as UInt32
            default: nil
            }
        }

        static func list(in bytes: ArraySlice<UInt8>) -> [Attribute] {
            var rest = Array(bytes)[...]
            var found: [Attribute] = []
            while rest.count >= 4 {
                let field = Array(rest)
                let length = Int(field.integer(at: 0) as UInt16)
                guard length >= 4, length <= field.count else { break }
                // The two highest bits of the type are flags.
                let type = Int((field.integer(at: 2) as UInt16) & 0x3FFF)
                found.append(Attribute(type: type, bytes: Array(field[4..<length])))
                rest = rest.dropFirst(padded(length))
            }
            return found
        }
    }

    /// The ID of the message's generic netlink family, or the type of a control message.
    let type: Int
    let command: UInt8
    let attributes: [Attribute]

    private static let headerSize = 16
    private static let genericSize = 4

    /// Parses the messages from one read of a socket.
    ///
    /// Ignores a truncated message and the bytes after it.
    static func list(in bytes: [UInt8]) -> [NetlinkMessage] {
        var start = 0
        var found: [NetlinkMessage] = []
        while bytes.count - start >= headerSize {
            let length = Int(bytes.integer(at: start) as UInt32)
            guard length >= headerSize, length <= bytes.count - start else { break }
            let body = bytes[(start + headerSize)..<(start + length)]
            found.append(
                NetlinkMessage(
                    type: Int(bytes.integer(at: start + 4) as UInt16), command: body.first ?? 0,
                    attributes: Attribute.list(in: body.dropFirst(genericSize))))
            start += padded(length)
        }
        return found
    }

    /// The request for the IDs of a generic netlink family and of its multicast groups.
    static func question(family: String) -> [UInt8] {
        let name = Array(family.utf8) + [0]
        let field = little(UInt16(4 + name.count)) + little(UInt16(CTRL_ATTR_FAMILY_NAME)) + name
        let body: [UInt8] =
            [UInt8(CTRL_CMD_GETFAMILY), 1, 0, 0] + field + Array(repeating: 0, count: padded(field.count) - field.count)
        let header =
            little(UInt32(headerSize + body.count)) + little(UInt16(GENL_ID_CTRL)) + little(UInt16(NLM_F_REQUEST))
            + little(UInt32(1)) + little(UInt32(0))
        return header + body
    }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// Rounds a length up to a multiple of four.
private func padded(_ length: Int) -> Int { (length + 3) & ~3 }

extension [UInt8] {
    /// Reads the little-endian number at an index.
    fileprivate func integer<Number: FixedWidthInteger>(at index: Int) -> Number {
        (0..<Number.bitWidth / 8).reduce(0) { $0 | Number(truncatingIfNeeded: self[index + $1]) << (8 * $1) }
    }
}
