#if Media
/// The length of the clips that a recording writes around each marked moment.
///
/// The recording keeps the encoded packets of the last seconds in memory, and writes no file until a moment is marked
/// (`Session.mark`). A clip grows while further moments are marked within it.
public struct ClipWindow: Hashable, Sendable {
    /// The length before the moment.
    public var before: Duration
    /// The length after the moment.
    public var after: Duration
    /// The most memory for packets, in bytes.
    ///
    /// Clips begin later when the memory is less than `before` needs, and the session says so. The packets since the
    /// latest key frame are kept in any case.
    public var memory: Int
    /// The largest size of all locked recordings of the folder in bytes; nil to lock no clip.
    ///
    /// A complete clip is moved into the folder `locked`, where no retention deletes it, unless the clips there have
    /// this size already.
    public var locked: Int?

    /// The longest time before a moment, and the longest time after it.
    static let longest = Duration.seconds(3600)

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - before: The length before the moment, at most an hour.
    ///   - after: The length after the moment, at most an hour.
    ///   - memory: The most memory for packets, in bytes.
    ///   - locked: The largest size of all locked recordings of the folder in bytes. Nil locks no clip.
    public init(before: Duration, after: Duration, memory: Int = 256_000_000, locked: Int? = nil) {
        (self.before, self.after, self.memory, self.locked) = (before, after, memory, locked)
    }

    /// The sentence about the first invalid value; nil when all are valid.
    package var mistake: String? {
        let range = Duration.zero...Self.longest
        guard range.contains(before), range.contains(after), before + after > .zero else {
            return "a clip's length before and after its moment must be from 0 s to 1 h, and not both 0"
        }
        if let locked, locked < 1_000_000 { return "the size of locked clips must be at least 1 MB" }
        return memory < 1_000_000 ? "the memory of a recording of clips must be at least 1 MB" : nil
    }
}
#endif
