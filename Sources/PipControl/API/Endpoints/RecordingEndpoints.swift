#if Control && Media
internal import PipCompose
internal import PipConcurrency
internal import PipRecordings
internal import PipRig

/// The endpoints that list, lock, unlock and delete recordings.
struct RecordingEndpoints {
    let context: PanelContext

    static let base = "/api/v1/recordings"
    /// The length limit of a recording's name, in Unicode scalars.
    private static let longestName = 512

    var routes: [Route] {
        [
            Route(
                method: "GET", path: Self.base, summary: "Recordings, the newest first.",
                query: [
                    ("from", Self.time), ("to", Self.time), ("find", Schema.text()), ("moments", Schema.flag()),
                    ("locked", Schema.flag()), ("limit", Schema.integer(1...1000)),
                    ("offset", Schema.integer(0...1_000_000_000)),
                ], further: ["500"],
                answer: AnswerSchema.record(["recordings": AnswerSchema.list(AnswerSchema.reference("recording"))]),
                handler: list),
            Route(
                method: "GET", path: "\(Self.base)/days", summary: "The days with recordings, the newest first.",
                query: [("from", Self.time), ("to", Self.time)], further: ["500"],
                answer: AnswerSchema.record(["days": AnswerSchema.list(AnswerSchema.recordingDay)]), handler: days),
            Route(
                method: "POST", path: "\(Self.base)/lock",
                summary: "Locks a recording, so that it is not deleted to make room.", body: Self.choice,
                further: ["500"], answer: AnswerSchema.reference("recording"),
                handler: { request in try await change(request) { try $0.lock($1) } }),
            Route(
                method: "POST", path: "\(Self.base)/unlock", summary: "Unlocks a recording.", body: Self.choice,
                further: ["500"], answer: AnswerSchema.reference("recording"),
                handler: { request in try await change(request) { try $0.unlock($1) } }),
            Route(
                method: "DELETE", path: "\(Self.base)/file", summary: "Deletes a recording that is not locked.",
                query: [("name", Schema.text(most: Self.longestName))], status: 204, further: ["500"],
                handler: delete),
        ] + RecordingFileEndpoints(recordings: self).routes
    }

    static let time = Schema.number(0...1e11)

    private static var choice: JSON {
        Schema.object(["name": Schema.text(most: longestName)], required: ["name"])
    }

    // MARK: What endpoints of recordings share

    /// The recordings of the panel.
    ///
    /// - Throws: ``Problem`` with 404 for a panel without recordings.
    var archive: PanelArchive {
        get throws(Problem) {
            guard let archive = context.archive else {
                throw Problem(
                    404,
                    "the panel shows no recordings: name their folder (--panel-recordings DIR, or the panel's key "
                        + "recordings)")
            }
            return archive
        }
    }

    /// Works with the recordings, on a thread that may wait for the disk.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (Recordings) throws -> Value
    ) async throws -> Value {
        let archive = try archive
        do { return try await PanelArchive.waiting { try body(archive.recordings) } } catch let error as SourceError {
            throw archive.problem(error)
        }
    }

    /// The name of a recording in a request's query.
    func name(_ request: PanelRequest) throws(Problem) -> String {
        guard let name = request.query["name"], !name.isEmpty else { throw Problem(422, "name is missing") }
        guard name.unicodeScalars.count <= Self.longestName else {
            throw Problem(422, "name has more than \(Self.longestName) characters")
        }
        return name
    }

    // MARK: Handlers

    private func list(_ request: PanelRequest) async throws -> PanelResponse {
        var query = RecordingQuery()
        (query.from, query.to) = (try request.time("from"), try request.time("to"))
        query.text = request.query["find"].flatMap { $0.isEmpty ? nil : String($0.prefix(Fields.longestText)) }
        query.hasMoments = try request.flag("moments") ?? false
        query.isLocked = try request.flag("locked")
        query.limit = try request.integer("limit", in: 1...1000) ?? query.limit
        query.offset = try request.integer("offset", in: 0...1_000_000_000) ?? 0
        let found = try await work { [query] in try $0.list(query) }
        return .json(.object(["recordings": JSON.array(found.map(\.json))]), headers: ["Cache-Control": "no-store"])
    }

    private func days(_ request: PanelRequest) async throws -> PanelResponse {
        let from = try request.time("from") ?? WallTime(sinceEpoch: .zero)
        let to = try request.time("to") ?? WallTime(sinceEpoch: .seconds(100_000_000_000))
        let days = try await work { try $0.days(from: from, to: to) }
        return .json(.object(["days": JSON.array(days.map(\.json))]), headers: ["Cache-Control": "no-store"])
    }

    private func change(
        _ request: PanelRequest, _ body: @escaping @Sendable (Recordings, String) throws -> Recording
    ) async throws -> PanelResponse {
        try checkChanges()
        let name = try request.fields.needed("name", most: Self.longestName)
        return .json(try await work { try body($0, name) }.json)
    }

    private func delete(_ request: PanelRequest) async throws -> PanelResponse {
        try checkChanges()
        let name = try name(request)
        try await work { try $0.delete(name) }
        return PanelResponse(status: 204)
    }

    private func checkChanges() throws(Problem) {
        guard try archive.allowsChanges else {
            throw Problem(403, "recordings may not be changed through this panel: its option says changes=off")
        }
    }
}

extension RecordingDay {
    /// The day as the API shows it; its beginning and end are in seconds since 1970.
    fileprivate var json: JSON {
        let start = WallTime(local: date)
        // The middle of the next day, which may begin an hour earlier or later than usual.
        let next = start.map { WallTime(sinceEpoch: $0.sinceEpoch + .seconds(36 * 3600)) }
        let end = next.flatMap { WallTime(local: $0.text("%Y-%m-%d")) }
        let times = [start, end].compactMap { $0.map { Int($0.sinceEpoch.components.seconds) } }
        let offsets = times.count == 2 ? WallTime.localOffsets(of: times[0]..<max(times[0] + 1, times[1])) : []
        return .object([
            "date": date, "from": times.first, "to": times.count == 2 ? times[1] : nil,
            "offsets": JSON.array(offsets.map { .object(["from": $0.from, "seconds": $0.seconds]) }),
            "count": count, "bytes": bytes, "clips": clips,
        ])
    }
}

extension PanelRequest {
    /// The time in a value of the query, in seconds since 1970; nil for a missing or empty value.
    func time(_ key: String) throws(Problem) -> WallTime? {
        guard let text = query[key], !text.isEmpty else { return nil }
        guard let seconds = Double(text), (0...1e11).contains(seconds) else {
            throw Problem(422, "\(key) must be a time in seconds since 1970")
        }
        return WallTime(sinceEpoch: .microseconds(Int64(seconds * 1e6)))
    }

    /// The value `true` or `false` of the query; nil for a missing or empty value.
    fileprivate func flag(_ key: String) throws(Problem) -> Bool? {
        guard let text = query[key], !text.isEmpty else { return nil }
        guard let value = Bool(text) else { throw Problem(422, "\(key) must be true or false") }
        return value
    }

    /// The integer in a value of the query; nil for a missing or empty value.
    fileprivate func integer(_ key: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = query[key], !text.isEmpty else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw Problem(422, "\(key) must be \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}
#endif
