package import PipConcurrency
package import PipFrames

/// The behaviour of a source after the last picture of an animation or of a sequence of files.
public enum PictureEnding: Sendable, Hashable {
    /// The pictures start again.
    case loops
    /// The last picture stays.
    case holds
    /// The source ends.
    case ends
}

/// Reads pictures: a still, an animation, or a sequence of files.
///
/// The reader supports PNG, APNG, JPEG, WebP, GIF, BMP, TIFF, AVIF and HEIC. The content, not the name, determines the
/// format. JPEG pictures become I420 or grey when their samples match, and RGB otherwise. Other formats become RGBA
/// with premultiplied alpha. The decoded pictures are kept if all of them take at most 64 MB; larger animations and
/// sequences are decoded again in each round.
package final class PictureReader: FrameSupply {
    /// The picture files, in the order in which they are shown.
    private enum Files {
        case one(PictureFile)
        case several([String])
    }

    package let description: SourceDescription
    package let interruption = Interruption()
    private let files: Files
    private let times: AnimationTimes
    private let ending: PictureEnding
    private let isOverlay: Bool
    /// The decoded pictures so far, from index 0 without a gap; nil when they are too large to keep.
    private var kept: [Frame]? = []
    private var keptBytes = 0
    private var pool: FramePool
    /// The animation's decoder, and the index of the picture that the decoder returns next.
    private var decoder: (next: (FrameBuffer, FrameLayout) throws(SourceError) -> Bool, index: Int)?

    /// The most bytes of decoded pictures to keep.
    private static let mostKept = 64 << 20
    /// The most pooled buffers: for frames that are read ahead, shown, or kept by consumers.
    private static let buffers = 12
    /// The interval at which the last picture is delivered again with ``PictureEnding/holds``.
    private static let hold = Duration.seconds(3600)

    /// Opens a file, or the first file of a sequence, and reads its header.
    ///
    /// - Parameters:
    ///   - path: A file; a folder, for all pictures in it, sorted by name with numbers by value; or a path with a field
    ///     for a number, such as `frames/%03d.png`.
    ///   - isOverlay: True for overlays, which are limited to 8192 pixels a side and 64 MB decoded.
    ///   - rate: The rate of pictures; nil uses an animation's own times, and 12 pictures a second for a sequence.
    ///   - ending: The behaviour after the last picture.
    /// - Throws: ``SourceError`` when the file cannot be read, is not a supported picture or is too large, or when a
    ///   sequence has no files, too many files or a gap.
    package init(
        path: String, isOverlay: Bool = false, rate: FrameRate? = nil, ending: PictureEnding = .loops
    ) throws(SourceError) {
        let files: Files
        let first: PictureFile
        if PictureSequence.isOneFile(path) {
            first = try PictureFile(path: path, isOverlay: isOverlay, interruption: interruption)
            files = .one(first)
        } else {
            let names = try PictureSequence.files(path)
            first = try PictureFile(path: names[0], isOverlay: isOverlay, interruption: interruption)
            files = .several(names)
        }
        (self.files, self.ending, self.isOverlay) = (files, ending, isOverlay)
        let durations = first.durations
        times =
            switch files {
            case .several(let names): .even(rate ?? FrameRate(12), count: names.count)
            case .one: rate.map { .even($0, count: max(1, durations.count)) } ?? AnimationTimes(durations: durations)
            }
        let info = first.info
        let isStill = if case .one = files { durations.isEmpty } else { false }
        pool = FramePool(info.layout, limit: Self.buffers)
        var description = SourceDescription(
            name: path, layout: info.layout, colorimetry: info.colorimetry, orientation: info.orientation,
            rate: isStill ? FrameRate(30) : times.meanRate,
            length: ending == .ends && !isStill ? .frames(times.count) : .endless, isStill: isStill)
        description.isTimed = !isStill
        self.description = description
    }

    package func skip(to time: Duration) -> Int {
        let index = times.index(at: time)
        return ending == .loops ? index : min(index, times.count - 1)
    }

    package func next(index: Int) throws(SourceError) -> Frame? {
        if interruption.isRaised { return nil }
        if description.isStill { return try picture(0) }
        let isOver = ending != .loops && index >= times.count
        if isOver, ending == .ends { return nil }
        let shown = try picture(isOver ? times.count - 1 : index % times.count)
        let time =
            isOver ? times.start(of: times.count - 1) + Self.hold * (index - times.count + 1) : times.start(of: index)
        var info = shown.info
        info.timestamp = Timestamp(nanoseconds: time.nanoseconds)
        info.sequence = UInt64(index)
        return Frame(info: info, buffer: shown.buffer)
    }

    package func close() {}

    /// Returns the picture at an index within a round of the animation; decodes the picture unless it is kept.
    private func picture(_ index: Int) throws(SourceError) -> Frame {
        if let kept, kept.indices.contains(index) { return kept[index] }
        let frame = try decoded(index)
        guard kept?.count == index else { return frame }
        keptBytes += frame.layout.byteCount
        if keptBytes <= Self.mostKept { kept?.append(frame) } else { kept = nil }
        return frame
    }

    private func decoded(_ index: Int) throws(SourceError) -> Frame {
        switch files {
        case .several(let names):
            let file = try PictureFile(path: names[index], isOverlay: isOverlay, interruption: interruption)
            let frame = memory(for: file.info)
            try file.decode(into: frame.buffer, frame.layout)
            return frame
        case .one(let file):
            let frame = memory(for: file.info)
            guard !file.durations.isEmpty else {
                try file.decode(into: frame.buffer, frame.layout)
                return frame
            }
            if (decoder?.index ?? .max) > index { decoder = (try file.animation(), 0) }
            while let decoder, decoder.index <= index {
                guard try decoder.next(frame.buffer, frame.layout) else {
                    throw SourceError(
                        file.name, "read", .damaged, "it has \(decoder.index) pictures, but claims \(times.count)")
                }
                self.decoder?.index += 1
            }
            return frame
        }
    }

    /// Returns a frame whose memory is still to be filled.
    private func memory(for info: FrameInfo) -> Frame {
        if pool.layout != info.layout { pool = FramePool(info.layout, limit: Self.buffers) }
        return Frame(
            info: info, buffer: kept == nil ? pool.next() ?? FrameBuffer(info.layout) : FrameBuffer(info.layout))
    }
}
