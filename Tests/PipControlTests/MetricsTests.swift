import Foundation
import PipCapture
import PipCompose
import PipPanelSupport
import PipTestSupport
import Synchronization
import Testing

@testable import PipRig

/// Tests the exposition of metrics against the rules of `promtool check metrics`.
///
/// Source: Prometheus, "Exposition formats".
@Suite("Metrics", .timeLimit(.minutes(2)))
struct MetricsTests {
    private static let rig = """
        canvas: {size: 320x180, fps: 30}
        cameras: {road: {source: "pattern:ramp", size: 320x180}, driver: {source: /dev/video0}}
        """

    /// The metrics of a composition with a camera and an output.
    private static func exposition() async throws -> String {
        let text = Mutex("")
        try await FakeKernel.delivering("/dev/video0", PageCameraTests.camera) { kernel in
            try await RunningPanel.run(rig, cameras: CameraDirectory(calls: kernel)) { panel in
                let answer = try await panel.send("POST", "/api/v1/outputs", #"{"to": "out.y4m"}"#)
                #expect(answer.status == 201)
                try await panel.wait(for: "a latency") { $0["output"]?["latency_ms"] != .null }
                let metrics = try await panel.send("GET", "/metrics")
                #expect(metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
                text.withLock { $0 = metrics.text }
            }
        }
        return text.withLock { $0 }
    }

    @Test("metrics have a HELP and a TYPE line before each family, and valid names")
    func format() async throws {
        var kinds: [String: String] = [:]
        var seen: Set<String> = []
        let text = try await Self.exposition()
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# HELP (pip_compose_[a-z_]+) (\S.*)/) {
                #expect(kinds[String(match.1)] == nil, "\(match.1) comes twice")
            } else if let match = line.wholeMatch(of: /# TYPE (pip_compose_[a-z_]+) (counter|gauge|histogram)/) {
                kinds[String(match.1)] = String(match.2)
                #expect((match.2 == "counter") == match.1.hasSuffix("_total"), "\(match.1)")
            } else if let match = line.wholeMatch(
                of: /(pip_compose_[a-z_]+)(\{[a-z_]+="(?:[^"\\]|\\.)*"(?:,[a-z_]+="(?:[^"\\]|\\.)*")*\})? ([0-9.e+-]+)/)
            {
                let name = String(match.1)
                let family = name.replacing(/_(bucket|sum|count)$/, with: "")
                #expect(kinds[name] != nil || kinds[family] == "histogram", "\(name) has no type")
                #expect(!line.contains("quantile="))
                #expect(seen.insert("\(name)\(match.2 ?? "")").inserted, "\(line) comes twice")
                #expect(Double(match.3) != nil)
            } else {
                Issue.record("\(line) is not a valid line of an exposition")
            }
        }
        #expect(kinds["pip_compose_latency_seconds"] == "histogram" && kinds.count > 10)
    }

    @Test("latencies are a histogram whose buckets add up")
    func histogram() async throws {
        let lines = try await Self.exposition().split(separator: "\n").filter {
            $0.hasPrefix("pip_compose_latency_seconds")
        }
        let buckets = lines.compactMap { $0.wholeMatch(of: /.*_bucket\{le="(.+)"\} ([0-9]+)/) }
        let bounds = buckets.dropLast().compactMap { Double($0.1) }
        #expect(bounds == bounds.sorted() && bounds.count == LatencyHistogram.bounds.count)
        let counts = buckets.compactMap { Int($0.2) }
        #expect(counts == counts.sorted() && buckets.last?.1 == "+Inf")
        #expect(lines.last == "pip_compose_latency_seconds_count \(counts.last ?? -1)")
        #expect(counts.last ?? 0 > 0)
    }
}
