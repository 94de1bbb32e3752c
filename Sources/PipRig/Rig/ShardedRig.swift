package import PipCompose
internal import PipFrames
internal import PipSinks

#if Media
internal import PipMedia
#endif

/// One part of a sharded composition, which is composed on its own and joined with the other parts later.
package struct ShardedRig: Sendable {
    package let shard: Shard
    /// The composition that writes the part.
    ///
    /// The composition's outputs are temporary files, which ``finish()`` renames.
    package let rig: Rig
    /// True when all files of the part exist already, complete and from the same composition.
    ///
    /// False for outputs that overwrite files.
    package let isDone: Bool
    private let files: [UnfinishedFile]

    /// The range of frames that a part holds.
    package struct Extent: Sendable, Equatable {
        /// The index of the part's first frame in the whole composition.
        package let first: Int
        /// The number of frames; nil for all frames up to the end of the sources.
        package let count: Int?
    }

    #if Media
    /// Prepares a part of a composition.
    ///
    /// - Parameters:
    ///   - shard: The index of the part, and the number of parts.
    ///   - rig: The whole composition.
    ///   - limit: The time or frame limit of the whole composition as the user typed it. Parts with different limits
    ///     cannot be joined.
    /// - Throws: ``UsageError`` for a composition that cannot be sharded, and ``PipCompose/SinkError`` for a file that
    ///   exists already, unless the file holds the same part or the output has `overwrite`.
    package init(_ shard: Shard, of rig: Rig, limit: String) throws {
        try Self.check(rig)
        self.shard = shard
        var part = rig
        part.clock = .maximum
        let mark = MoviePart(shard.index, of: shard.count, whole: Self.whole(of: rig, limit))
        if let track = rig.telemetry.first(where: { $0.track != nil }) {
            throw UsageError(
                "\(track.text): --shard has no tracks of old drives: a way driven would differ from the whole")
        }
        var files: [UnfinishedFile] = []
        var done = 0
        for (index, output) in rig.outputs.enumerated() {
            guard case .movie(let movie) = output.sink.kind else { throw Self.noPart(output.sink.text) }
            let path = try Self.path(movie.destination, shard)
            let isThere = !movie.overwrites && FileStamp(path) != nil && MoviePart(ofFile: path) == mark
            if isThere { done += 1 }
            let file = try UnfinishedFile(path, overwrites: movie.overwrites || isThere)
            guard let sink = output.sink.holding(mark, at: file.temporaryPath) else {
                throw Self.noPart(output.sink.text)
            }
            files.append(file)
            part.outputs[index].sink = sink
        }
        (self.rig, self.files) = (part, files)
        isDone = done == files.count
    }

    /// The path of a part's file: the output's pattern with the part's index filled in.
    private static func path(_ destination: String, _ shard: Shard) throws -> String {
        let names = try FileNames(destination)
        guard !names.hasTime else {
            throw UsageError("\(destination): a part's name may have its index, as %05d, but no fields of the time")
        }
        return names.hasFields ? names.path(number: shard.index, at: 0) : destination
    }
    #else
    package init(_ shard: Shard, of rig: Rig, limit: String) throws {
        throw UsageError("--shard is for movies, which this pip-compose was built without")
    }
    #endif

    /// Returns the frames that the part holds.
    ///
    /// The session must have opened the files.
    ///
    /// - Parameters:
    ///   - session: The session of ``rig``.
    ///   - limit: The frame limit of the whole composition; nil for no limit.
    /// - Returns: The range of frames.
    /// - Throws: ``UsageError`` for a composition that cannot be sharded, or has fewer frames than parts.
    package func extent(in session: Session, limit: Int?) throws(UsageError) -> Extent {
        let effects = session.temporalEffects
        guard effects.isEmpty else {
            throw UsageError(
                "--shard \(shard): \(effects.joined(separator: " and ")) would make the parts differ from the whole, "
                    + "as each frame depends on earlier frames; leave effects of this kind out, or compose without "
                    + "--shard")
        }
        guard session.isOffline else {
            throw UsageError(
                "--shard \(shard): a composition in real time cannot be divided into parts; use files as sources, "
                    + "without a panel and a real-time option, and limit looping files by a duration or a number of "
                    + "frames")
        }
        let length = session.fileLength.map { session.outputRate.index(at: $0) }
        guard let total = [length, limit].compactMap(\.self).min() else {
            throw UsageError(
                "--shard \(shard): the length of the whole composition is unknown; add a limit (--duration or "
                    + "--frames, or the section run of a configuration)")
        }
        guard shard.count <= total else {
            throw UsageError("--shard \(shard): the number of parts must be at most the number of frames, \(total)")
        }
        let frames = shard.frames(of: total)
        // The length in a movie's header may be off by some frames, so the last part runs to the end or to the limit.
        guard shard.isLast else { return Extent(first: frames.lowerBound, count: frames.count) }
        return Extent(first: frames.lowerBound, count: limit.map { $0 - frames.lowerBound })
    }

    /// Gives the complete files their final names.
    ///
    /// - Throws: ``PipCompose/SinkError`` for a file that cannot be renamed.
    package func finish() throws(SinkError) { for file in files { try file.finish() } }

    /// Deletes the temporary files of a part that was not finished.
    package func discard() { for file in files { file.discard() } }

    /// The final paths of the part's files.
    package var paths: [String] { files.map(\.path) }

    /// The final paths of the files, keyed by their temporary paths.
    package var names: [String: String] {
        Dictionary(files.map { ($0.temporaryPath, $0.path) }) { first, _ in first }
    }
}

extension ShardedRig {
    /// Checks that the parts of a composition can be composed independently of each other.
    private static func check(_ rig: Rig) throws(UsageError) {
        guard rig.clock == nil || rig.clock == .maximum else {
            throw UsageError("--shard: parts have the rate of the main picture; leave the rate (--fps) out")
        }
        guard rig.sound.isEmpty else {
            throw UsageError("--shard: parts have no sound; leave all sources of sound (--audio) out")
        }
        guard !rig.outputs.isEmpty else { throw UsageError("--shard: there is no output; add one such as part.mp4") }
        for picture in rig.pictures where picture.camera != nil || picture.source.readsStandardInput {
            throw UsageError("--shard: \(picture.source.text) cannot be divided into parts; use files as sources")
        }
        for output in rig.outputs where output.sink.frameRate != nil {
            throw UsageError("\(output.sink.text): a part takes every frame; leave fps out")
        }
    }

    private static func noPart(_ output: String) -> UsageError {
        UsageError(
            "\(output): --shard writes parts of movies: .mp4, .mov, .mkv or .webm files, without segment, keep and every"
        )
    }

    /// A fingerprint of the whole composition, equal for all of its parts.
    private static func whole(of rig: Rig, _ limit: String) -> String {
        var file = RigFile()
        file.rig = rig
        file.rig.outputs = []
        var text = RigFileWriter.text(of: file) + limit
        for picture in rig.pictures {
            // Only the size counts, because copies on other machines have other modification times.
            guard let path = picture.source.filePath, let stamp = FileStamp(path) else { continue }
            text += " \(stamp.size)"
        }
        return String(fnv1a(text.utf8), radix: 16)
    }
}
