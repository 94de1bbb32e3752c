import Foundation
import Testing

@testable import PipCompose
@testable import PipPlan
@testable import PipRig
@testable import pip_compose

@Suite("Reports of a run")
struct RunReportTests {
    private static let report: RunReport = {
        var statistics = SessionStatistics()
        statistics.elapsed = .seconds(10)
        statistics.output.frames = 300
        statistics.output.missed = 2
        statistics.output.framesPerSecond = 29.987
        statistics.output.size = .hd720
        var drops = DropCounts()
        drops[.late] = 3
        drops[.sequenceGap] = 1
        statistics.sources = [
            SessionStatistics.Source(
                id: NodeID(), name: "camera:0", kind: .camera, device: "/dev/video0", format: "YUYV", size: .hd720,
                framesPerSecond: 30,
                delivered: 304, used: 300, drops: drops, state: .streaming, events: ["lost: gone", "frames come again"]),
            SessionStatistics.Source(
                id: NodeID(), name: "camera:1", kind: .camera, device: "/dev/video2", format: "MJPG", size: .hd720,
                framesPerSecond: 0,
                delivered: 10, used: 10, drops: DropCounts(), state: .lost, events: []),
        ]
        var output = OutputStatistics(name: "out.y4m")
        output.written = 298
        output.error = SinkError("out.y4m", "write frame 298", .failed, "No space left on device")
        statistics.sinks = [output]
        statistics.latency = SessionStatistics.Percentiles(
            p50: .milliseconds(12), p99: .microseconds(20500), max: .milliseconds(31))
        let usage = ResourceUsage(userSeconds: 1.5, systemSeconds: 0.75, peakMebibytes: 84.26)
        return RunReport(
            statistics: statistics, roles: ["main", "inset"], usage: usage,
            cost: RenderPlan.Cost(
                passes: 2, pixels: 57600, bytesUploaded: 1_382_400, bytesShared: 0, bytesReadBack: 86400,
                bytesBlitted: 7
            ),
            renderer: "llvmpipe", error: "something")
    }()

    @Test("faster than real time, it tells the speed and the time that is left")
    func fastProgress() {
        var report = Self.report
        report.making = (FrameRate(30), .seconds(60))
        report.statistics?.elapsed = .seconds(2)
        #expect(report.progress == "10.0 of 60.0 s  300 frames | 5.0× | 10 s left")
        report.making = (FrameRate(30), nil)
        #expect(report.progress == "10.0 s  300 frames | 5.0×")
    }

    @Test("the line of progress tells time, frames, rates, states and drops")
    func progress() {
        #expect(
            Self.report.progress
                == "10.0 s  300 frames | output 30.0 fps | main 30.0 fps | inset lost | 6 dropped")
    }

    @Test("the summary has a line for each source and output, and what it cost")
    func summary() {
        let lines = Self.report.summary.split(separator: "\n").map(String.init)
        #expect(lines.first == "300 frames of 1280x720 in 10.0 s: 30.0 fps, 2 missed")
        #expect(lines.contains { $0.contains("camera:0") && $0.contains("dropped: 3 late, 1 sequence-gap") })
        #expect(lines.contains { $0.contains("out.y4m") && $0.contains("298 written") })
        #expect(lines.contains("  latency 12.0 ms, for 99 % below 20.5 ms"))
        #expect(lines.contains("  CPU 1.5 s user, 0.8 s system, 7.5 ms a frame; at most 84 MiB of memory"))
        #expect(lines.last == "  drawn by llvmpipe: 2 passes, 57600 pixels, 1382 kB up and 86 kB back a frame")
    }

    @Test("the statistics have all promised members with their types")
    func document() throws {
        let object = try parsed(Self.report.document)
        let output = try #require(object["output"] as? [String: Any])
        #expect(output["frames"] as? Int == 300)
        #expect(output["fps"] as? Double == 29.99)
        #expect(output["size"] as? String == "1280x720")
        let sink = try #require((object["sinks"] as? [[String: Any]])?.first)
        #expect(sink["name"] as? String == "out.y4m")
        #expect(sink["written"] as? Int == 298)
        #expect((sink["dropped"] as? [String: Int]) == [:])
        #expect((sink["error"] as? String)?.contains("No space left") == true)
        let camera = try #require((object["cameras"] as? [[String: Any]])?.first)
        #expect(camera["name"] as? String == "camera:0")
        #expect(camera["device"] as? String == "/dev/video0")
        #expect(camera["format"] as? String == "YUYV")
        #expect(camera["size"] as? String == "1280x720")
        #expect(camera["fps"] as? Double == 30)
        #expect(camera["delivered"] as? Int == 304)
        #expect(camera["used"] as? Int == 300)
        let dropped = try #require(camera["dropped"] as? [String: Int])
        #expect(Set(dropped.keys) == Set(DropReason.allCases.map(\.rawValue)))
        #expect(dropped["late"] == 3)
        #expect(camera["events"] as? [String] == ["lost: gone", "frames come again"])
        #expect(object["latency_ms"] as? [String: Double] == ["p50": 12, "p99": 20.5, "max": 31])
        #expect(object["skew_ms"] is NSNull)
        #expect(object["cpu_seconds"] as? [String: Double] == ["user": 1.5, "system": 0.75])
        #expect(object["peak_rss_mib"] as? Double == 84.3)
        let plan = try #require(object["plan"] as? [String: Any])
        #expect(plan["passes"] as? Int == 2)
        #expect(plan["pixels_shaded"] as? Int == 57600)
        #expect(plan["bytes_uploaded"] as? Int == 1_382_400)
        #expect(plan["bytes_read_back"] as? Int == 86400)
        #expect(plan["renderer"] as? String == "llvmpipe")
        #expect((object["pressure"] as? [String: Any])?["events"] as? [String] == [])
        #expect(object["error"] as? String == "something")
    }

    @Test("the statistics of a run that never began have the same members")
    func emptyDocument() throws {
        let names = Set(try parsed(Self.report.document).keys).subtracting(["error"])
        #expect(Set(try parsed(RunReport().document).keys) == names)
    }

    private func parsed(_ document: JSON) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(document.pretty.utf8)) as? [String: Any])
    }
}

@Suite("JSON")
struct JSONTests {
    @Test(
        "values are written as RFC 8259 wants them",
        arguments: [
            (JSON.null, "null"), (.bool(true), "true"), (.integer(-3), "-3"), (.number(2, decimals: 2), "2.0"),
            (.number(1.0 / 3, decimals: 2), "0.33"), (.number(.nan), "null"), (.number(.infinity), "null"),
            (.string("a\"b\\c\n\t\u{1}é"), #""a\"b\\c\n\t\u0001é""#), (.array([]), "[]"), (.object([:]), "{}"),
            (.object(["b": 1, "a": [JSON.null]]), #"{"b": 1, "a": [null]}"#),
        ])
    func writes(_ value: JSON, _ text: String) {
        #expect(value.line == text)
    }

    @Test("the pretty form says the same")
    func prettyIsEqual() throws {
        let long = JSON.array((0..<60).map { .string("element \($0)") })
        let value = JSON.object(["list": long, "nested": JSON.object(["more": long, "text": "x"])])
        let both = try [value.line, value.pretty].map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
        }
        #expect(both[0] == both[1])
        #expect(value.pretty.split(separator: "\n").count > 100)
    }
}
