#if Media
/// A failure of the media engine, before it is told as one of an output or a source.
struct MediaError: Error, Equatable {
    /// The kind of failure, by which a caller decides.
    enum Kind {
        /// A plug-in is missing.
        case missing
        /// The disk is full, or there are as many peers as may be.
        case full
        /// A server refused, or cannot be reached.
        case network
        /// The user, or the desktop, does not permit it.
        case refused
        /// The other side does not take what is sent.
        case unsupported
        case failed
    }

    let kind: Kind
    /// The reason, as a sentence without its full stop.
    let reason: String
}
#endif
