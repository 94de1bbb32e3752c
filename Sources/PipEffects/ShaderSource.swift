internal import PipFrames

/// The text of one GLSL file, and the name of the file in errors.
public struct ShaderSource: Sendable, Hashable {
    /// The file's name, such as `Vignette.frag`.
    public let name: String
    /// The GLSL text, without a `#version` line.
    public let text: String

    /// Creates a source from the file's name in errors and its text.
    public init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    /// A hash of the text alone, which identifies the CPU's compiled vector code for the text.
    package var identity: UInt64 { fnv1a(text.utf8) }

    /// Creates a source from the bytes of an embedded file.
    init(_ name: String, _ bytes: [UInt8]) {
        self.init(name, String(decoding: bytes, as: UTF8.self))
    }
}
