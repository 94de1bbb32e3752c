#if Control
internal import PipCompose
internal import PipRig
internal import PipText

/// The endpoints of the values that texts show and triggers compare.
struct TelemetryEndpoints {
    let context: PanelContext

    private static let path = "/api/v1/telemetry"

    var routes: [Route] {
        [
            Route(
                method: "GET", path: Self.path, summary: "The values of sensors and programs.",
                answer: AnswerSchema.record(["values": AnswerSchema.list(AnswerSchema.reference("value"))]),
                handler: list),
            Route(
                method: "POST", path: Self.path, summary: "Sets values, for the time valid= or until the next ones.",
                body: Schema.object(
                    ["values": Schema.anyObject(), "valid": Schema.duration], required: ["values"]),
                answer: AnswerSchema.record(["values": AnswerSchema.integer]), handler: set),
        ]
    }

    private func list(_ request: PanelRequest) async throws -> PanelResponse {
        .json(.object(["values": context.live.telemetry.document]))
    }

    private func set(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        let validity = try fields.duration("valid")
        guard let document = fields["values"], let values = ValueLine.values(document) else {
            throw Problem(422, "values must be a JSON object such as {\"speed\": 87}")
        }
        if let name = values.keys.filter({ !ValueLine.isName($0) }).min() {
            throw Problem(422, "\(name.prefix(64)) names no value: use letters, digits, _, - and full stops")
        }
        context.live.telemetry.take(values, lasting: validity)
        return .json(.object(["values": values.count]))
    }
}

extension Telemetry {
    /// The values as clients read them, in alphabetic order; `present` is false for a value that is too old.
    var document: JSON {
        let (readings, now) = (readings.all.sorted { $0.key < $1.key }, clock.now)
        return .array(
            readings.map { name, reading in
                .object(["name": name, "value": reading.value.json, "present": reading.overdue(at: now) == nil])
            })
    }
}
#endif
