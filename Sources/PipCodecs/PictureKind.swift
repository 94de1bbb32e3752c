/// The format of a picture file, recognized by the file's first bytes.
package enum PictureKind: Sendable, CaseIterable {
    case png, jpeg, webP, gif, bmp, tiff, avif, heif

    package init?(of bytes: RawSpan) {
        let found = Self.allCases.first { kind in kind.signatures.contains { bytes.has($0.text, at: $0.offset) } }
        guard let found else { return nil }
        self = found
    }

    /// The signatures of the format, each with its offset in the file; one of them must match.
    ///
    /// Sources: PNG, 5.2; JPEG, B.2.1; RFC 9649; GIF89a, 17; TIFF 6.0, section 2; ISO/IEC 23008-12, 10.2; AV1 Image
    /// File Format, 9.1.
    private var signatures: [(text: [UInt8], offset: Int)] {
        func named(_ names: String..., after start: String = "", at offset: Int) -> [(text: [UInt8], offset: Int)] {
            names.map { (Array((start + $0).utf8), offset) }
        }
        return switch self {
        case .png: [([0x89] + Array("PNG".utf8), 0)]
        case .jpeg: [([0xff, 0xd8], 0)]
        case .webP: named("WEBP", at: 8)
        case .gif: named("GIF87a", "GIF89a", at: 0)
        case .bmp: named("BM", at: 0)
        case .tiff: named("II*\0", "MM\0*", at: 0)
        case .avif: named("avif", "avis", after: "ftyp", at: 4)
        case .heif: named("heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1", after: "ftyp", at: 4)
        }
    }

    /// The names of all formats, for messages.
    package static let names = "PNG, JPEG, WebP, GIF, BMP, TIFF, AVIF or HEIC"
}

extension RawSpan {
    fileprivate func has(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.indices.allSatisfy { byte(at: offset + $0) == bytes[$0] }
    }
}
