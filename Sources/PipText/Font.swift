/// The font of a text: the system's, an installed one or a file.
public struct Font: Sendable, Hashable, CustomStringConvertible {
    enum Choice: Hashable {
        case standard
        case name(String)
        case file(String, face: Int)
    }

    let choice: Choice

    /// The system's sans-serif font.
    public static let `default` = Font(choice: .standard)

    /// An installed font by its family, with or without its style: `DejaVu Sans`, `DejaVu Sans Bold`.
    public static func named(_ name: String) -> Font { Font(choice: .name(name)) }

    /// A font file: TrueType, OpenType or any other that FreeType can scale.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - face: The index of the face, from 0, in a file that holds several.
    /// - Returns: The font, which is opened with the source that uses it.
    public static func file(_ path: String, face: Int = 0) -> Font { Font(choice: .file(path, face: face)) }

    /// True for a font that is given as a file.
    var isFile: Bool {
        if case .file = choice { true } else { false }
    }

    public var description: String {
        switch choice {
        case .standard: "the default font"
        case .name(let name): "font \(name)"
        case .file(let path, _): path
        }
    }
}
