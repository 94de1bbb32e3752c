#if Control && Media
internal import PipFrames
internal import PipMedia
internal import PipRecordings

/// Answers that send files of recordings, in pieces.
extension RecordingFile {
    /// The number of bytes that are read at once.
    private static let piece = 65_536

    /// Sends a range of bytes.
    ///
    /// - Throws: The error of a failed read, also when the file has become shorter; the connection then closes.
    func send(_ range: Range<Int>, _ write: PanelResponse.Writer) async throws {
        var position = range.lowerBound
        while position < range.upperBound {
            let (start, count) = (position, min(Self.piece, range.upperBound - position))
            let bytes = try await PanelArchive.waiting { [self] in try read(count, at: start) }
            try await write(bytes)
            position += bytes.count
        }
    }

    /// Answers a request with the file, or with the part that the header `Range` asks for.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - name: The name under which browsers save the file.
    ///   - isComplete: False for a file that grows, whose answers have no tag: a player goes on as the file grows.
    /// - Returns: The answer, which has the file's type, name and length.
    /// - Throws: ``Problem`` with 416 for a part behind the end of the file.
    func response(to request: PanelRequest, name: String, isComplete: Bool) throws(Problem) -> PanelResponse {
        var headers = Self.headers(name)
        headers["Accept-Ranges"] = "bytes"
        if isComplete { headers["ETag"] = "\"\(tag)\"" }
        let isSame = request.headers["if-range"].map { $0 == headers["ETag"] } ?? true
        var (status, range) = (200, 0..<size)
        switch ByteRange(isSame ? request.headers["range"] : nil, of: size) {
        case .whole: break
        case .unsatisfiable:
            throw Problem(416, "the file has \(size) bytes", headers: ["Content-Range": "bytes */\(size)"])
        case .part(let part):
            (status, range) = (206, part)
            headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
        }
        headers["Content-Length"] = "\(range.count)"
        return PanelResponse(
            status: status, headers: headers, body: .stream { [self, range] in try await send(range, $0) })
    }

    /// The headers of an answer with a movie file.
    ///
    /// Source: RFC 6266 for the file's name, RFC 8187 for its letters beyond ASCII.
    static func headers(_ name: String) -> [String: String] {
        let plain = name.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 && !"\"\\%".unicodeScalars.contains($0) }
        let ascii = zip(name.unicodeScalars, plain).map { $1 ? String($0) : "_" }.joined()
        return [
            "Content-Type": type(of: name), "Cache-Control": "no-cache",
            "Content-Disposition": "attachment; filename=\"\(ascii)\"; filename*=UTF-8''\(name.percentEncoded)",
        ]
    }

    private static func type(of name: String) -> String {
        switch MovieContainer(path: name) {
        case .mp4: "video/mp4"
        case .mov: "video/quicktime"
        case .mkv: "video/x-matroska"
        case .webm: "video/webm"
        case .ts: "video/mp2t"
        case nil: "application/octet-stream"
        }
    }
}
#endif
