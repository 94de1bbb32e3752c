#if Media
internal import PipConcurrency
internal import PipSources

/// A file to join with others, and the properties in which all files must agree.
struct JoinedPiece {
    let path: String
    /// The file's mark as a part of a movie composed in parts; nil for any other file.
    let part: MoviePart?
    let format: PacketFormat
    let sound: PacketFormat?
    /// The file's title; nil for a file without a title.
    let title: String?
    /// The time of the file's first picture; nil when the file does not state it.
    let date: WallTime?

    /// Reads the properties of the file at `path`.
    private init(_ path: String) throws(SourceError) {
        let reader = try PacketReader(path)
        guard let first = try reader.nextPicture() else {
            throw SourceError(path, "join", .damaged, "it has no pictures")
        }
        self.path = path
        (format, title, date) = (first.format, reader.title, reader.date)
        sound = try reader.findSoundFormat()
        part = reader.comment.flatMap { MoviePart(comment: $0) }
    }

    /// Reads the files and sorts them into the order of joining.
    ///
    /// - Throws: ``PipSources/SourceError`` when a file cannot be read, or when the files cannot be joined.
    static func inOrder(_ paths: [String]) throws(SourceError) -> [JoinedPiece] {
        var pieces: [JoinedPiece] = []
        for path in paths { pieces.append(try JoinedPiece(path)) }
        guard let first = pieces.first else { return [] }
        if let part = pieces.compactMap(\.part).first {
            try check(pieces, have: part)
            pieces.sort { ($0.part?.index ?? 0) < ($1.part?.index ?? 0) }
        }
        for piece in pieces.dropFirst() { try piece.check(beside: first) }
        return pieces
    }

    /// Checks that the files are all the parts of one movie, each part once.
    private static func check(_ pieces: [JoinedPiece], have whole: MoviePart) throws(SourceError) {
        let marked = pieces.first { $0.part != nil }?.path ?? ""
        var found: [Int: String] = [:]
        for piece in pieces {
            guard let part = piece.part else {
                throw SourceError(
                    piece.path, "join", .invalidOptions, "it was not made with --shard, but \(marked) was")
            }
            guard part.count == whole.count, part.whole == whole.whole else {
                throw SourceError(
                    piece.path, "join", .invalidOptions,
                    "it is part \(part.index)/\(part.count) of another movie than \(marked): composed from other "
                        + "files, with other options, or in another number of parts")
            }
            if let other = found.updateValue(piece.path, forKey: part.index) {
                throw SourceError(piece.path, "join", .invalidOptions, "\(other) is part \(part.index), too")
            }
        }
        let missing = (0..<whole.count).filter { found[$0] == nil }
        guard let first = missing.first, let path = pieces.first?.path else { return }
        throw SourceError(
            path, "join", .notFound,
            "\(missing.count == 1 ? "part \(first)" : "\(missing.count) parts, such as part \(first),") of "
                + "\(whole.count) \(missing.count == 1 ? "is" : "are") missing: "
                + "make part \(first) with --shard \(first)/\(whole.count)"
        )
    }

    private func check(beside first: JoinedPiece) throws(SourceError) {
        guard format.isEqual(to: first.format) else {
            let names = format.differences(from: first.format).map { $0 == "codec_data" ? "encoder settings" : $0 }
            throw SourceError(
                path, "join", .invalidOptions,
                "it is compressed differently from \(first.path) (different: \(names.joined(separator: ", "))); "
                    + "make both with the same options")
        }
        guard (sound == nil) == (first.sound == nil) else {
            throw SourceError(
                path, "join", .invalidOptions,
                sound == nil
                    ? "it has no sound, but \(first.path) has sound" : "it has sound, but \(first.path) has none")
        }
        if let sound, let other = first.sound, !sound.isEqual(to: other) {
            throw SourceError(
                path, "join", .invalidOptions,
                "its sound is compressed differently from \(first.path)'s; make both with the same options")
        }
    }
}
#endif
