internal import PipFrames

/// Reads the orientation tag of EXIF.
///
/// Source: JEITA CP-3451C (Exif 2.3), 4.5.2 and 4.6.4 A "Orientation"; TIFF 6.0, section 2.
enum EXIF {
    /// The orientation in a TIFF block; the identity when the block has no valid orientation tag.
    static func orientation(ofTIFF bytes: RawSpan) -> Orientation {
        let isLittleEndian = bytes.has("II", at: 0)
        guard isLittleEndian || bytes.has("MM", at: 0),
            bytes.uint16(at: 2, isLittleEndian: isLittleEndian) == 42,
            let directory = bytes.uint32(at: 4, isLittleEndian: isLittleEndian),
            let count = bytes.uint16(at: directory, isLittleEndian: isLittleEndian)
        else { return .identity }
        for entry in 0..<count {
            let offset = directory + 2 + 12 * entry
            guard let tag = bytes.uint16(at: offset, isLittleEndian: isLittleEndian) else { return .identity }
            // The orientation tag 0x0112 has the type SHORT, whose value is stored in the entry itself.
            guard tag == 0x0112, bytes.uint16(at: offset + 2, isLittleEndian: isLittleEndian) == 3 else { continue }
            return orientation(ofValue: bytes.uint16(at: offset + 8, isLittleEndian: isLittleEndian) ?? 1)
        }
        return .identity
    }

    /// The orientation for an EXIF value from 1 to 8; the identity for other values.
    ///
    /// A value states on which sides of the picture the first stored row and the first stored column lie.
    static func orientation(ofValue value: Int) -> Orientation {
        switch value {
        case 2: .mirrored
        case 3: Orientation(quarterTurns: 2)
        case 4: .flipped
        case 5: Orientation(quarterTurns: 3, mirrored: true)
        case 6: Orientation(quarterTurns: 1)
        case 7: Orientation(quarterTurns: 1, mirrored: true)
        case 8: Orientation(quarterTurns: 3)
        default: .identity
        }
    }
}
