internal import PipCodecs
internal import PipConcurrency
internal import PipFrames

/// The pictures of an animation, not decoded yet, and when each of them is shown.
struct Animation {
    private enum Content {
        case pictures([PictureFile])
        case webP(PictureFile, WebP.Header)

        var count: Int {
            switch self {
            case .pictures(let files): files.count
            case .webP(_, let header): header.durations.count
            }
        }
    }

    /// The properties that all pictures share.
    let description: SourceDescription
    let times: AnimationTimes
    private let content: Content

    /// Opens the files and reads their headers.
    ///
    /// - Throws: ``SourceError`` when a file is missing or no picture, when sizes differ, or when there are too many.
    init(_ path: String, rate: FrameRate?) throws(SourceError) {
        let first: PictureFile
        if PictureSequence.isOneFile(path) {
            (first, content) = try Self.one(path)
        } else {
            let pictures = try Self.several(path)
            (first, content) = (pictures[0], .pictures(pictures))
        }
        times =
            if let rate { .even(rate, count: content.count) } else {
                switch content {
                case .pictures(let pictures): .even(FrameRate(12), count: pictures.count)
                case .webP(_, let header): AnimationTimes(durations: header.durations)
                }
            }
        description = SourceDescription(
            name: path, layout: FrameLayout(first.format, first.size), colorimetry: first.colorimetry,
            orientation: first.orientation, rate: times.meanRate, length: .endless)
    }

    /// Decodes the pictures in order, each in memory of its own, until one is not taken.
    ///
    /// - Throws: ``SourceError`` when one is damaged; those before it have been handed on.
    func decode(take: (FrameBuffer) -> Bool) throws(SourceError) {
        switch content {
        case .webP(let file, let header): try file.decodeAll(header, take: take)
        case .pictures(let files):
            for file in files {
                let buffer = FrameBuffer(description.layout)
                try file.decode(into: buffer, description.layout)
                guard take(buffer) else { return }
            }
        }
    }

    private static func one(_ path: String) throws(SourceError) -> (PictureFile, Content) {
        let file = try PictureFile(path: path, isOverlay: true, interruption: Interruption())
        guard case .webP(let header) = file.header else {
            throw SourceError(
                path, "open", .invalidOptions,
                "it is one picture; name an animated WebP file, a folder, or files such as frames/%03d.png")
        }
        try check(bytes: header.durations.count * FrameLayout(file.format, file.size).byteCount, path)
        return (file, .webP(file, header))
    }

    private static func several(_ path: String) throws(SourceError) -> [PictureFile] {
        var files: [PictureFile] = []
        var bytes = 0
        for name in try PictureSequence.files(path) {
            let file = try PictureFile(path: name, isOverlay: true, interruption: Interruption())
            let first = files.first ?? file
            guard file.size == first.size, file.format == first.format else {
                throw SourceError(
                    name, "be shown", .invalidOptions,
                    "it is \(file.size) \(file.format), but the first picture is \(first.size) \(first.format): "
                        + "all must be alike")
            }
            bytes += FrameLayout(file.format, file.size).byteCount
            try check(bytes: bytes, path)
            files.append(file)
        }
        return files
    }

    /// Together they may take as much as one picture that lies over others.
    private static func check(bytes: Int, _ path: String) throws(SourceError) {
        let mostBytes = PictureFile.largestOverlay.bytes
        guard bytes <= mostBytes else {
            throw SourceError(
                path, "be shown", .invalidOptions,
                "its pictures take more than \(mostBytes >> 20) MB once decoded: make them smaller or fewer")
        }
    }
}
