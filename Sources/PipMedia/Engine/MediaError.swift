#if Media
/// A failure of the media engine, which callers turn into the error of an output or a source.
struct MediaError: Error, Equatable {
    /// The kind of failure, from which callers choose their reaction.
    enum Kind {
        /// A GStreamer plug-in is missing, or cannot do what is requested.
        case missing
        /// The disk is full, or the number of peers has reached its limit.
        case full
        /// A server, device or file cannot be reached, or refuses to be opened.
        case network
        /// The user or the desktop denied permission.
        case refused
        /// The peer does not accept the encoding.
        case unsupported
        case failed
    }

    let kind: Kind
    /// The reason for the failure, as a sentence without its full stop.
    let reason: String
}
#endif
