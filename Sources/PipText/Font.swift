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

    /// An installed font, by its family with or without a style, such as `DejaVu Sans` or `DejaVu Sans Bold`.
    public static func named(_ name: String) -> Font { Font(choice: .name(name)) }

    /// A font file: TrueType, OpenType or any other that FreeType can scale.
    ///
    /// - Parameters:
    ///   - path: The font file.
    ///   - face: The index of the face, from 0, in a file that contains several faces.
    /// - Returns: The font. This function does not open the file.
    public static func file(_ path: String, face: Int = 0) -> Font { Font(choice: .file(path, face: face)) }

    /// True if the font is given as a file.
    var isFile: Bool {
        if case .file = choice { true } else { false }
    }

    public var description: String {
        switch choice {
        case .standard: "the default font"
        case .name(let name): name.isEmpty ? "font \"\"" : "font \(name)"
        case .file(let path, _): path
        }
    }
}
