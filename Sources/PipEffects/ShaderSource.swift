internal import PipFrames

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

    /// A hash of the text, whatever its name.
    ///
    /// It identifies the CPU's vector code.
    package var identity: UInt64 { fnv1a(text.utf8) }

    /// The text of an embedded file.
    init(_ name: String, _ bytes: [UInt8]) {
        self.init(name, String(decoding: bytes, as: UTF8.self))
    }
}
