/// The kind of a picture file, told by its first bytes.
package enum PictureKind: Sendable {
    case png, jpeg, webP

    package init?(of bytes: RawSpan) {
        if bytes.byte(at: 0) == 0x89, bytes.has("PNG", at: 1) {
            self = .png
        } else if bytes.byte(at: 0) == 0xff, bytes.byte(at: 1) == 0xd8 {
            self = .jpeg
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            self = .webP
        } else {
            return nil
        }
    }
}
