#if Control
#if Media
internal import PipCompose
internal import PipRecordings
#endif

/// The recordings that clients of a panel may find and play, and whether they may change them.
public struct PanelRecordings: Sendable, Equatable {
    /// The path of the folder of recordings.
    public let folder: String
    /// True when clients may lock, unlock and delete recordings.
    public let allowsChanges: Bool

    /// Parses `FOLDER` or `FOLDER?changes=off`, and looks for the folder.
    ///
    /// - Throws: ``PanelError`` for another option, for a folder that does not exist or cannot be read, and in a
    ///   program that was built without media.
    public init(_ text: String) throws(PanelError) {
        let mark = text.lastIndex(of: "?") ?? text.endIndex
        switch text[mark...] {
        case "", "?changes=on": allowsChanges = true
        case "?changes=off": allowsChanges = false
        case let option:
            throw PanelError("the panel's recordings: \(option.dropFirst()) is no option; write FOLDER?changes=off")
        }
        folder = String(text[..<mark])
        #if Media
        do throws(SourceError) { _ = try Recordings(folder) } catch {
            throw PanelError("the panel's recordings: \(error)")
        }
        #else
        throw PanelError("the panel's recordings need the media engine, without which this program was built")
        #endif
    }
}
#endif
