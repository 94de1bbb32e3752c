#if Control && Media
internal import Glibc
internal import PipCompose
internal import PipMedia
internal import PipRecordings
internal import PipRig

/// The endpoints that send the files of recordings, whole, in ranges and cut to a span of time, and their thumbnails.
struct RecordingFileEndpoints {
    let recordings: RecordingEndpoints

    var routes: [Route] {
        let name: (name: String, schema: JSON) = ("name", Schema.text(most: 512))
        return [
            Route(
                method: "GET", path: "\(RecordingEndpoints.base)/file",
                summary: "The file of a recording, or a range of its bytes.", query: [name],
                further: ["206", "500"], responseType: "video/*", handler: file),
            Route(
                method: "GET", path: "\(RecordingEndpoints.base)/export",
                summary: "A span of a recording and of its other parts as one file, without encoding anew.",
                query: [name, ("from", RecordingEndpoints.time), ("to", RecordingEndpoints.time)],
                further: ["500"], responseType: "video/*", handler: export),
            Route(
                method: "GET", path: "\(RecordingEndpoints.base)/thumbnail",
                summary: "A small picture of a recording, which is made on request.", query: [name],
                further: ["304", "500"], responseType: "image/jpeg", handler: thumbnail),
        ]
    }

    private func file(_ request: PanelRequest) async throws -> PanelResponse {
        _ = try recordings.archive
        let name = try recordings.name(request)
        let (recording, file) = try await recordings.work { try $0.open(name) }
        return try file.response(to: request, name: recording.fileName, isComplete: recording.state != .recording)
    }

    private func thumbnail(_ request: PanelRequest) async throws -> PanelResponse {
        let archive = try recordings.archive
        let name = try recordings.name(request)
        let recording = try await recordings.work { try $0.recording(name) }
        let headers = ["ETag": "\"\(RecordingThumbnails.tag(recording))\"", "Cache-Control": "no-cache"]
        if let known = request.headers["if-none-match"], known == headers["ETag"] {
            return PanelResponse(status: 304, headers: headers)
        }
        do {
            let path = archive.recordings.path(of: recording.name)
            let picture = try await archive.thumbnails.picture(of: recording, at: path)
            return PanelResponse(
                status: 200, headers: headers.merging(["Content-Type": "image/jpeg"]) { $1 }, body: .bytes(picture))
        } catch let error as SourceError { throw archive.problem(error) }
    }

    private func export(_ request: PanelRequest) async throws -> PanelResponse {
        let archive = try recordings.archive
        let name = try recordings.name(request)
        let (from, to) = (try request.time("from"), try request.time("to"))
        let (span, first) = try await recordings.work { all in
            let span = try all.span(of: name, from: from, to: to)
            return (span, try all.recording(span.names.first ?? name))
        }
        let ending = first.fileName.lastIndex(of: ".") ?? first.fileName.endIndex
        let saved = "\(first.fileName[..<ending])-part\(first.fileName[ending...])"
        if request.method == "HEAD" {
            return PanelResponse(status: 200, headers: RecordingFile.headers(saved))
        }
        guard archive.exports.enter() else {
            throw Problem(
                429, "\(archive.exports.limit) exports are running, the limit: try later",
                headers: ["Retry-After": "5"])
        }
        let place = Lease { archive.exports.leave() }
        let path = archive.exportPath(like: first.fileName)
        // The name goes at once; the content goes with the last reader.
        defer { _ = unsafe unlink(path) }
        let file: RecordingFile
        do {
            let parts = span.names.map(archive.recordings.path(of:))
            _ = try await MovieJoin(parts, to: path, span: span.times).run()
            file = try await PanelArchive.waiting { try RecordingFile(path) }
        } catch { throw Problem(409, "the span cannot be written: \(archive.withoutFolder("\(error)"))") }
        var headers = RecordingFile.headers(saved)
        headers["Content-Length"] = "\(file.size)"
        return PanelResponse(
            status: 200, headers: headers,
            body: .stream { write in
                defer { withExtendedLifetime(place) {} }
                try await file.send(0..<file.size, write)
            })
    }
}
#endif
