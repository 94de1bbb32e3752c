/// The text of one GLSL file, with the name by which errors refer to it.
public struct ShaderSource: Sendable, Hashable {
    /// The file's name, such as `Vignette.frag`.
    public let name: String
    /// The GLSL text.
    public let text: String

    /// A text with the name by which errors refer to it.
    public init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    /// A number that stands for the text, whatever its name: its 64-bit FNV-1a hash.
    package var identity: UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The text of an embedded file.
    init(_ name: String, _ bytes: [UInt8]) {
        self.init(name, String(decoding: bytes, as: UTF8.self))
    }
}
