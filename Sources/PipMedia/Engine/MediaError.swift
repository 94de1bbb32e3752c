#if Media
/// A failure of the media engine, which callers turn into the error of an output or a source.
struct MediaError: Error, Equatable {
    /// The kind of failure, from which callers choose their reaction.
    enum Kind {
        /// A plug-in, an encoder or a microphone is missing, has failed, or cannot do what is requested.
        case missing
        /// The disk is full, or the number of peers has reached its limit.
        case full
        /// A server, device or file cannot be reached or opened, or the connection to it has ended.
        case network
        /// The user or the desktop did not give permission.
        case refused
        /// The peer does not accept the encoding, or the mixer cannot use the sound.
        case unsupported
        case failed
    }

    let kind: Kind
    /// The reason for the failure, as a sentence without its full stop.
    let reason: String
}
#endif
