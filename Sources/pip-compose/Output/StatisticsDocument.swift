import PipCompose
import PipRig

extension RunReport {
    /// The JSON document that `--stats` writes.
    var document: JSON {
        var document = JSON.object([
            "output": output, "sinks": (statistics?.sinks ?? []).map(sink),
            "cameras": (statistics?.sources ?? []).enumerated().map { camera($1, role($0)) },
            "latency_ms": percentiles(statistics?.latency), "skew_ms": percentiles(statistics?.skew),
            "cpu_seconds": JSON.object([
                "user": JSON.number(usage.userSeconds, decimals: 3),
                "system": JSON.number(usage.systemSeconds, decimals: 3),
            ]),
            "peak_rss_mib": JSON.number(usage.peakMebibytes, decimals: 1), "plan": plan,
            "pressure": statistics?.pressure.document,
            "elapsed_seconds": JSON.number(statistics?.elapsed.seconds ?? 0, decimals: 3),
            "cpu_ms_per_frame": cpuMillisecondsPerFrame.map { JSON.number($0, decimals: 3) }, "version": Version.text,
        ])
        if let (shard, extent) = shard {
            document.add(
                "shard", JSON.object(["index": shard.index, "count": shard.count, "first_frame": extent.first]))
        }
        if let sound { document.add("audio", sound.document) }
        if let error { document.add("error", error) }
        return document
    }

    private var output: JSON {
        let output = statistics?.output
        return .object([
            "frames": frames, "fps": JSON.number(output?.framesPerSecond ?? 0, decimals: 2),
            "size": output?.size.description, "missed": output?.missed ?? 0, "thinned": output?.thinned ?? 0,
            "shared_planes": output?.sharedPlanes ?? 0,
        ])
    }

    private func sink(_ sink: OutputStatistics) -> JSON {
        let reasons = DropReason.allCases.filter { sink.drops[$0] > 0 }
        var document = JSON.object([
            "name": sink.name, "written": sink.written, "dropped": dropped(sink.drops, reasons),
        ])
        if let encoder = sink.encoder { document.add("encoder", encoder) }
        if sink.connections > 0 {
            document.add("connections", sink.connections)
            document.add("bit_rate_share", JSON.number(sink.bitRateShare, decimals: 2))
        }
        if sink.repeated > 0 { document.add("repeated", sink.repeated) }
        if let error = sink.error { document.add("error", error.description) }
        return document
    }

    private func camera(_ source: SessionStatistics.Source, _ role: String) -> JSON {
        .object([
            "name": source.name, "device": source.device, "format": source.format, "size": source.size.description,
            "fps": JSON.number(source.framesPerSecond, decimals: 2), "delivered": source.delivered, "used": source.used,
            "dropped": dropped(source.drops, DropReason.allCases), "events": source.events, "role": role,
            "kind": source.kind.rawValue, "state": source.state?.rawValue,
        ])
    }

    private func dropped(_ counts: DropCounts, _ reasons: [DropReason]) -> JSON {
        .object(reasons.map { JSON.Member($0.rawValue, counts[$0]) })
    }

    private func percentiles(_ percentiles: SessionStatistics.Percentiles?) -> JSON {
        guard let percentiles else { return .null }
        return .object([
            "p50": JSON.number(percentiles.p50.milliseconds, decimals: 3),
            "p99": JSON.number(percentiles.p99.milliseconds, decimals: 3),
            "max": JSON.number(percentiles.max.milliseconds, decimals: 3),
        ])
    }

    private var plan: JSON {
        .object([
            "passes": cost?.passes ?? 0, "pixels_shaded": cost?.pixels ?? 0, "bytes_uploaded": cost?.bytesUploaded ?? 0,
            "bytes_read_back": cost?.bytesReadBack ?? 0, "bytes_blitted": cost?.bytesBlitted ?? 0, "renderer": renderer,
        ])
    }
}
