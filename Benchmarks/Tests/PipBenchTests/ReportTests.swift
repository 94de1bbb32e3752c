import Foundation
import Testing

@testable import pip_bench

@Suite("Reports and targets")
struct ReportTests {
    private static func spread(_ value: Double) -> Spread { Spread(median: value, lowest: value, highest: value) }

    private static func result(_ name: String, _ cost: Double, nv12: Double? = nil, i420: Double? = nil) -> Result {
        var ratios: [String: Spread] = [:]
        if let nv12 { ratios[Name.oursNV12] = spread(nv12) }
        if let i420 { ratios[Name.oursI420] = spread(i420) }
        return Result(
            name: name, way: "w", command: "c", lengths: RunLengths(short: 1, long: 2), cpuMilliseconds: spread(cost),
            wallMilliseconds: spread(cost), peakMebibytes: cost, steadyMebibytes: cost, ratios: ratios,
            quietMilliseconds: cost, trials: [])
    }

    private static let workload = WorkloadReport(
        id: "W1", title: "plain <&>", size: .hd720,
        results: [
            result(Name.oursNV12, 1), result(Name.oursI420, 2), result(Name.ffmpeg, 4, nv12: 4, i420: 2),
            result(Name.gstreamer, 1.5, nv12: 1.5, i420: 0.75),
        ], absent: [Absentee(name: "Movit", reason: "not packaged")], floorMilliseconds: 0.5)

    private static let scaling = ScalingReport(
        id: "S1", title: "sources", axis: "megapixels",
        series: [
            .init(
                name: "nv12",
                points: [1.0, 2, 4].map { .init(label: "\($0)", x: $0, cpuMilliseconds: spread($0 * 2)) })
        ])

    private static var report: Report {
        Report(
            machine: Machine(processor: "p", cores: 2, memoryMebibytes: 1, system: "s", kernel: "k", load: 0),
            effort: .quick, versions: ["v"], workloads: [workload], scalings: [scaling])
    }

    @Test(
        "a ratio is that of the format in which pip-compose does worse",
        arguments: [(Name.ffmpeg, 2.0), (Target.best, 0.75)])
    func worseFormat(peer: String, ratio: Double) { #expect(Self.workload.ratio(against: peer) == ratio) }

    @Test("the halves of a recording are no peer, but have a ratio of their own")
    func apart() {
        var workload = Self.workload
        workload.results.append(Self.result(Name.apart, 0.25, nv12: 0.25, i420: 0.125))
        #expect(workload.ratio(against: Name.apart) == 0.125)
        #expect(workload.ratio(against: Target.best) == 0.75)
    }

    @Test("a peer that took no part has no ratio, and leaves the verdict open")
    func missingPeer() {
        let target = Target(figure: .ratio, against: Name.openCV, least: 1)
        let thresholds = Thresholds(targets: [target], reason: "")
        #expect(thresholds.verdicts(on: Self.workload) == [Verdict(target: target, value: nil, outcome: .unknown)])
    }

    @Test(
        "a value on a bound keeps it; beyond, it misses",
        arguments: [(1.0, Verdict.Outcome.kept), (2, .kept), (0.99, .missed), (2.01, .missed)])
    func bounds(value: Double, outcome: Verdict.Outcome) {
        #expect(Target(figure: .ratio, least: 1, most: 2).verdict(value).outcome == outcome)
    }

    @Test("growth is the highest cost over the first, and points on a line do not deviate")
    func growth() throws {
        let series = try #require(Self.scaling.series.first)
        #expect(series.growth == 4)
        #expect(try #require(series.deviation) < 1e-9)
    }

    @Test("a missed target fails the check; an open one does not")
    func check() {
        var report = Self.report
        report.workloads[0].verdicts = [Target(figure: .ratio, least: 1).verdict(nil)]
        #expect(report.keepsThresholds)
        report.workloads[0].verdicts.append(Target(figure: .ratio, least: 1).verdict(0.5))
        #expect(!report.keepsThresholds)
    }

    @Test("the report reads back from its JSON")
    func json() throws {
        let report = try JSONDecoder().decode(Report.self, from: Self.report.json())
        #expect(report.workloads.first?.results.map(\.name) == Self.workload.results.map(\.name))
        #expect(report.scalings.first?.series.first?.points.count == 3)
    }

    @Test("Markdown has a row a program, who was absent, and each value")
    func markdown() {
        let text = Markdown(report: Self.report).text
        #expect(
            text.contains(
                "| FFmpeg | **4.00** (4.00 – 4.00) | 4.00 | **4.00** (4.00 – 4.00) | **2.00** (2.00 – 2.00) | 8.00 |"))
        #expect(text.contains("Movit takes no part: not packaged."))
        #expect(text.contains("| nv12, 4.0 | 4.00 | **8.00** (8.00 – 8.00) | 0.00 % |"))
    }

    @Test("the table has a line a workload, with the smaller ratio, and what was missed")
    func table() {
        var report = Self.report
        report.workloads[0].verdicts = [Target(figure: .ratio, against: Target.best, least: 1).verdict(0.75)]
        let text = Table(report: report).text
        #expect(text.contains("4.00 (2.00×)"))
        #expect(text.contains("missed: W1 720p ratio against the best ≥ 1.0, is 0.75"))
    }

    @Test("bars are as long as the values are large, and words are escaped")
    func bars() throws {
        let text = Plots.bars([Self.workload], title: "t")
        #expect(text.contains("plain &lt;&amp;&gt;"))
        let widths = text.matches(of: /width="([0-9.]+)" height="14"/).compactMap { Double($0.output.1) }
        #expect(widths.count == 4)
        #expect(abs(widths[2] / widths[0] - 4) < 0.01)
        _ = try XMLDocumentCheck(text)
    }

    @Test("lines have a point a value, all within the picture")
    func lines() throws {
        let text = Plots.lines(Self.scaling)
        let centres = text.matches(of: /cx="([0-9.]+)" cy="([0-9.]+)"/).compactMap { Double($0.output.2) }
        #expect(centres.count == 4)  // Three values and the legend's marker.
        #expect(centres.allSatisfy { $0 > 0 && $0 < 360 })
        _ = try XMLDocumentCheck(text)
    }

    @Test("ticks are round and few", arguments: [0.37, 1, 7.3, 99, 1234])
    func ticks(most: Double) {
        let ticks = Format.ticks(most)
        #expect((4...9).contains(ticks.count))
        #expect(ticks.allSatisfy { $0 <= most })
    }

    @Test("every workload has its thresholds, and they name contenders that exist", arguments: Fixture.ids)
    func thresholds(id: String) throws {
        let thresholds = try Thresholds.load(id, from: Fixture.folder + "/Thresholds")
        #expect(!thresholds.targets.isEmpty)
        #expect(!thresholds.reason.isEmpty)
        let peers = Fixture.workloads.first { $0.id == id }.map { $0.peers.map(\.name) + $0.absent.map(\.name) } ?? []
        for target in thresholds.targets {
            #expect(target.against.map { $0 == Target.best || peers.contains($0) } ?? (target.figure != .ratio))
        }
    }
}

/// A check that the tags of an XML document are closed in the right order.
private struct XMLDocumentCheck {
    struct Unbalanced: Error { var tag: Substring }

    init(_ text: String) throws {
        var open: [Substring] = []
        for tag in text.matches(of: /<(\/?)([a-z]+)[^<>]*?(\/?)>/) {
            if !tag.output.3.isEmpty { continue }
            if tag.output.1.isEmpty {
                open.append(tag.output.2)
            } else if open.popLast() != tag.output.2 {
                throw Unbalanced(tag: tag.output.2)
            }
        }
        if let tag = open.last { throw Unbalanced(tag: tag) }
    }
}
