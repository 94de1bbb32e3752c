import PipCompose
import PipRig

extension RunReport {
    /// The document that `--stats` writes.
    var document: JSON {
        var members: [JSON.Member] = [
            .init(key: "output", value: output),
            .init(key: "sinks", value: .array((statistics?.sinks ?? []).map(sink))),
            .init(key: "cameras", value: .array((statistics?.sources ?? []).enumerated().map { camera($1, role($0)) })),
            .init(key: "latency_ms", value: percentiles(statistics?.latency)),
            .init(key: "skew_ms", value: percentiles(statistics?.skew)),
            .init(
                key: "cpu_seconds",
                value: .object([
                    "user": .number(usage.userSeconds, decimals: 3),
                    "system": .number(usage.systemSeconds, decimals: 3),
                ])),
            .init(key: "peak_rss_mib", value: .number(usage.peakMebibytes, decimals: 1)),
            .init(key: "plan", value: plan),
            .init(key: "pressure", value: statistics?.pressure.document ?? .null),
            .init(key: "elapsed_seconds", value: .number(statistics?.elapsed.seconds ?? 0, decimals: 3)),
            .init(key: "cpu_ms_per_frame", value: cpuMillisecondsPerFrame.map { .number($0, decimals: 3) } ?? .null),
            .init(key: "version", value: .string(Version.text)),
        ]
        if let (shard, extent) = shard {
            members.append(
                .init(
                    key: "shard",
                    value: .object([
                        "index": .integer(shard.index), "count": .integer(shard.count),
                        "first_frame": .integer(extent.first),
                    ])))
        }
        if let sound { members.append(.init(key: "audio", value: sound.document)) }
        if let error { members.append(.init(key: "error", value: .string(error))) }
        return .object(members)
    }

    private var output: JSON {
        let output = statistics?.output
        return .object([
            "frames": .integer(frames), "fps": .number(output?.framesPerSecond ?? 0, decimals: 2),
            "size": .string(output?.size.description), "missed": .integer(output?.missed ?? 0),
            "thinned": .integer(output?.thinned ?? 0), "shared_planes": .integer(output?.sharedPlanes ?? 0),
        ])
    }

    private func sink(_ sink: OutputStatistics) -> JSON {
        let reasons = DropReason.allCases.filter { sink.drops[$0] > 0 }
        var members: [JSON.Member] = [
            .init(key: "name", value: .string(sink.name)), .init(key: "written", value: .integer(sink.written)),
            .init(key: "dropped", value: dropped(sink.drops, reasons)),
        ]
        if let encoder = sink.encoder { members.append(.init(key: "encoder", value: .string(encoder))) }
        if sink.connections > 0 {
            members.append(.init(key: "connections", value: .integer(sink.connections)))
            members.append(.init(key: "bit_rate_share", value: .number(sink.bitRateShare, decimals: 2)))
        }
        if sink.repeated > 0 { members.append(.init(key: "repeated", value: .integer(sink.repeated))) }
        if let error = sink.error { members.append(.init(key: "error", value: .string(error.description))) }
        return .object(members)
    }

    private func camera(_ source: SessionStatistics.Source, _ role: String) -> JSON {
        .object([
            "name": .string(source.name), "device": .string(source.device), "format": .string(source.format),
            "size": .string(source.size.description), "fps": .number(source.framesPerSecond, decimals: 2),
            "delivered": .integer(source.delivered), "used": .integer(source.used),
            "dropped": dropped(source.drops, DropReason.allCases), "events": .array(source.events.map { .string($0) }),
            "role": .string(role), "kind": .string(source.kind.rawValue), "state": .string(source.state?.rawValue),
        ])
    }

    private func dropped(_ counts: DropCounts, _ reasons: [DropReason]) -> JSON {
        .object(reasons.map { JSON.Member(key: $0.rawValue, value: .integer(counts[$0])) })
    }

    private func percentiles(_ percentiles: SessionStatistics.Percentiles?) -> JSON {
        guard let percentiles else { return .null }
        return .object([
            "p50": .number(percentiles.p50.milliseconds, decimals: 3),
            "p99": .number(percentiles.p99.milliseconds, decimals: 3),
            "max": .number(percentiles.max.milliseconds, decimals: 3),
        ])
    }

    private var plan: JSON {
        .object([
            "passes": .integer(cost?.passes ?? 0), "pixels_shaded": .integer(cost?.pixels ?? 0),
            "bytes_uploaded": .integer(cost?.bytesUploaded ?? 0),
            "bytes_read_back": .integer(cost?.bytesReadBack ?? 0), "bytes_blitted": .integer(cost?.bytesBlitted ?? 0),
            "renderer": .string(renderer),
        ])
    }
}
