#if Media
/// A failure of the media engine, before it becomes the error of an output or a source.
struct MediaError: Error, Equatable {
    /// The kind of failure, on which callers base their reaction.
    enum Kind {
        /// A plug-in is missing.
        case missing
        /// The disk is full, or the number of peers has reached its limit.
        case full
        /// A server refused the connection, or cannot be reached.
        case network
        /// The user or the desktop denies permission.
        case refused
        /// The other side does not accept the encoding.
        case unsupported
        case failed
    }

    let kind: Kind
    /// The reason, as a sentence without its full stop.
    let reason: String
}
#endif
