#if Media
public import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import PipSources

/// Joins movie files into one, without encoding them again.
///
/// Use a join for the files of a recording, and for the parts that `--shard` makes.
///
/// ```swift
/// let whole = try await MovieJoin(["part-0.mp4", "part-1.mp4"], to: "whole.mp4").run()
/// ```
///
/// The parts of a movie composed in parts (``MoviePart``) may come in any order, and none may be missing. Other files,
/// such as those of a recording, are joined in the order given.
///
/// All files must have the same compression. The join takes the first video and the first sound of each file. The new
/// file appears under its name once it is complete.
public struct MovieJoin: Sendable {
    /// A summary of the joined file.
    public struct Result: Sendable, Equatable {
        /// The number of files that were joined.
        public let parts: Int
        /// The number of pictures in the joined file.
        public let frames: Int
        /// The time from the first picture to the end of the last picture.
        public let duration: Duration
    }

    private let parts: [String]
    private let path: String
    private let overwrites: Bool
    private let span: Range<Duration>?

    /// Creates a join, which starts with ``run()``.
    ///
    /// - Parameters:
    ///   - parts: The paths of the files to join.
    ///   - path: The path of the new file, whose extension decides the container.
    ///   - overwrites: True to replace an existing file.
    ///   - span: The part of the joined pictures to write. Nil writes all. Players show MP4 and QuickTime files exactly
    ///     from its beginning on, other files from the key frame before.
    public init(_ parts: [String], to path: String, overwrites: Bool = false, span: Range<Duration>? = nil) {
        self.parts = parts
        self.path = path
        self.overwrites = overwrites
        self.span = span
    }

    /// Joins the files on a thread that this call starts.
    ///
    /// Cancelling the task stops the join.
    ///
    /// - Returns: A summary of the joined file.
    /// - Throws: ``/PipCompose/SessionError`` for a part that is missing, damaged, given twice, of another movie,
    ///   compressed differently or in an unsupported codec, for a file that cannot be written, and for a cancelled
    ///   task. No new file then remains.
    public func run() async throws(SessionError) -> Result {
        let interruption = Interruption()
        let outcome: Swift.Result<Result, SessionError> = await withTaskCancellationHandler {
            await onThread("pip-join") { join(until: interruption) }
        } onCancel: {
            interruption.raise()
        }
        return try outcome.get()
    }

    /// The error of a cancelled join.
    private var stopped: SinkError { SinkError(path, "join", .interrupted, "the join was stopped") }

    private func join(until interruption: Interruption) -> Swift.Result<Result, SessionError> {
        do {
            let file = try UnfinishedFile(path, overwrites: overwrites)
            do {
                let result = try write(to: file.temporaryPath, interruption)
                try file.finish()
                return .success(result)
            } catch {
                file.discard()
                throw error
            }
        } catch let error as SourceError {
            return .failure(.source(error))
        } catch let error as SinkError {
            // A wait for the disk reports the interruption in the words of a recording's end.
            return .failure(.sink(error.kind == .interrupted ? stopped : error))
        } catch {
            return .failure(.sink(SinkError(path, "join", .failed, "\(error)")))
        }
    }

    private func write(to temporaryPath: String, _ interruption: Interruption) throws -> Result {
        guard let container = MovieContainer(path: path) else {
            throw SinkError(path, "create", .invalidOptions, MovieContainer.unknownExtension)
        }
        let pieces = try JoinedPiece.inOrder(parts)
        guard let first = pieces.first else {
            throw SinkError(path, "join", .invalidOptions, "there is nothing to join: name at least one file")
        }
        guard let codec = first.format.videoCodec else {
            throw SourceError(
                first.path, "join", .invalidOptions,
                "its pictures are \(first.format.name); pictures that can be joined are H.264, H.265, AV1, VP8, VP9 "
                    + "and Motion JPEG")
        }
        guard container.holds(codec) else {
            throw SinkError(
                path, "create", .invalidOptions,
                "a .\(container.rawValue) file cannot hold \(codec.name) pictures; name a .mkv file")
        }
        let tags = MovieTags(
            container: container, title: first.title,
            start: (first.date ?? .now) - (.zero - (span?.lowerBound ?? .zero)), orientation: .identity)
        let tracks = MovieSegment.Tracks(codec: codec, format: first.format, others: first.sound.map { [$0] } ?? [])
        let segment = try MovieSegment(
            temporaryPath, overwrites: true, tracks: tracks, tags: tags,
            from: span.map { .zero.advanced(by: $0.lowerBound) })
        var copy = Copy(
            segment: segment, timeline: JoinedTime(rate: first.part == nil ? nil : first.format.rate),
            span: JoinedSpan(span ?? .zero..<Self.endless))
        for piece in pieces where !copy.span.isOver {
            try add(piece, to: &copy, interruption)
            try segment.check()
        }
        guard copy.frames > 0 else {
            throw SinkError(path, "join", .invalidOptions, "the files have no pictures from that time on")
        }
        try segment.finish(by: .distantFuture)
        return Result(
            parts: pieces.count, frames: copy.frames,
            duration: span == nil ? copy.timeline.end : segment.duration - copy.lead)
    }

    /// An end that no movie reaches.
    private static let endless = Duration.seconds(1 << 40)

    /// The joined file, and how far it is written.
    private struct Copy {
        let segment: MovieSegment
        var timeline: JoinedTime
        var span: JoinedSpan
        var frames = 0
        /// The time from the first picture of the file to the beginning of the span.
        var lead = Duration.zero

        mutating func add(_ item: JoinedSpan.Item, until interruption: Interruption) throws(SinkError) {
            for item in span.add(item) {
                switch item {
                case .picture(let packet):
                    let time = Timestamp.zero.duration(to: packet.time)
                    if frames == 0 { lead = max(.zero, span.times.lowerBound - time) }
                    try segment.write(packet, until: interruption)
                    frames += 1
                case .sound(let packet): segment.write(packet, track: 0)
                }
            }
        }
    }

    /// Appends the packets of a file to the joined file.
    private func add(_ piece: JoinedPiece, to copy: inout Copy, _ interruption: Interruption) throws {
        let reader = try PacketReader(piece.path)
        var isFirst = true
        copy.timeline.beginPart()
        while !copy.span.isOver, let picture = try reader.nextPicture() {
            guard !interruption.isRaised else { throw stopped }
            if isFirst, !picture.isKey {
                throw SourceError(piece.path, "join", .damaged, "it does not begin with a key frame")
            }
            isFirst = false
            try check(picture, piece.format, piece)
            try copy.add(.picture(copy.timeline.placed(picture)), until: interruption)
            while let sound = reader.nextSound() {
                try check(sound, piece.sound, piece)
                try copy.add(.sound(copy.timeline.placed(sound: sound)), until: interruption)
            }
        }
        if isFirst { throw SourceError(piece.path, "join", .damaged, "it has no pictures") }
        while !copy.span.isOver, piece.sound != nil, let sound = reader.lastSound() {
            try copy.add(.sound(copy.timeline.placed(sound: sound)), until: interruption)
        }
    }

    private func check(_ packet: Packet, _ format: PacketFormat?, _ piece: JoinedPiece) throws(SourceError) {
        guard let format, format.name != packet.format.name else { return }
        throw SourceError(
            piece.path, "join", .invalidOptions,
            "it changes from \(format.name) to \(packet.format.name), and a file has one codec")
    }
}
#endif
