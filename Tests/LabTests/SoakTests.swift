import CPlatform
import Foundation
import PipCompose
import PipRig
import PipTestSupport
import Testing

extension CameraLab {
    /// A long run with two cameras and random faults in virtual time, in which waiting takes no real time and runs are
    /// reproducible.
    @Suite("A soak", .enabled(if: SoakDiary.hours > 0, "needs PIP_SOAK_HOURS: `make soak` runs the soak"))
    struct SoakTests {
        private static let seed = Int(ProcessInfo.processInfo.environment["PIP_SOAK_SEED"] ?? "") ?? 1
        private static let rate = FrameRate(2)

        @Test(
            """
            row 73: random faults for hours, with a panel open and a client that changes things, leave the output whole, \
            both cameras streaming, and nothing behind
            """)
        func soak() async throws {
            let frames = Int(SoakDiary.hours * 3600 * Self.rate.framesPerSecond)
            var diary = SoakDiary(frames: frames, rate: Self.rate)
            let panel = try SoakPanel(seed: Self.seed)
            let run = try await Vivid.withWebcams { nodes in
                var faults = SoakFaults(nodes, seed: Self.seed)
                let outputs = try SoakOutputs()
                defer { outputs.end() }
                let tap = FrameTap(.nv12, buffering: .newest(16))
                let attach = panel.attach
                let live = try await LiveRig(try SoakChanges.rig(nodes), options: Self.options) { picture in
                    func connect(_ picture: some FrameProducer) throws {
                        try outputs.connect(to: picture)
                        picture --> tap
                    }
                    try connect(picture)
                    attach(picture)
                }
                let inset = try #require(live.snapshot.sources["driver"] as? CameraSource)
                let run = try await panel.serving(live) {
                    try await SessionRun.watching(live.session, tap, frames: frames) { number, frame, session in
                        await diary.note(frame, number, session)
                        try outputs.play(number)
                        try await faults.play(number, session, inset)
                        try await panel.play(number)
                    }
                }
                panel.expectSound(live, frames: frames)
                return run
            }
            diary.expectSound(run)
            SoakOutputs.expectSound(run)
            FaultReport.record(
                row: 73,
                figures: """
                    \(SoakDiary.hours) h of camera time, seed \(Self.seed): \(diary.summary(run)), \(panel.summary)
                    """)
        }

        private static var options: SessionOptions {
            var options = SessionOptions()
            options.pressure.policy.timing.dwell = .seconds(5)
            options.pressure.policy.timing.cameraHold = .seconds(10)
            options.pressure.policy.timing.relapseHold = .seconds(10)
            options.pressure.policy.steps.removeAll { $0.mitigation == .stop }
            return options
        }
    }
}

/// Makes random faults, one at a time, and ends each after a while.
private struct SoakFaults {
    private enum Fault: String, CaseIterable {
        case flagged, refusedBuffer, failedStream, lossy, silent, unplugged, switchedOff, pressure
    }

    private let nodes: [VideoNode]
    private var dice: Dice
    private var next = 120
    private var undo: (number: Int, what: Fault, node: Int)?
    private var held: VideoNode.Held?

    init(_ nodes: [VideoNode], seed: Int) {
        self.nodes = nodes
        dice = Dice(seed)
    }

    /// Makes or ends a fault if the frame with this number is due for a change.
    mutating func play(_ number: Int, _ session: Session, _ inset: CameraSource) async throws {
        if let undo, number >= undo.number {
            try await end(undo.what, undo.node, session, inset)
            self.undo = nil
            next = number + Int.random(in: 40...160, using: &dice)
        }
        guard undo == nil, number >= next, let fault = Fault.allCases.randomElement(using: &dice) else { return }
        let node = Int.random(in: 0..<nodes.count, using: &dice)
        // A camera that is already off or lost is left alone, because a fault would not show.
        guard session.statistics.sources[node].state == .streaming else { return }
        try await begin(fault, node, session, inset)
        undo = (number + Int.random(in: 6...40, using: &dice), fault, node)
    }

    private mutating func begin(_ fault: Fault, _ node: Int, _ session: Session, _ inset: CameraSource) async throws {
        switch fault {
        case .flagged: try nodes[node].set("inject_v4l2_buf_flag_error")
        case .refusedBuffer: try nodes[node].set("inject_vidioc_qbuf_error")
        case .failedStream: try nodes[node].set("inject_fatal_streaming_error")
        case .lossy: try nodes[node].set("percentage_of_dropped_buffers", to: 30)
        case .silent: try nodes[node].set("percentage_of_dropped_buffers", to: 100)
        case .unplugged: held = try nodes[node].disconnect()
        case .switchedOff: try await session.setEnabled(false, inset)
        case .pressure: await session.pinPressure([.fair, .serious, .critical].randomElement(using: &dice))
        }
    }

    private mutating func end(_ fault: Fault, _ node: Int, _ session: Session, _ inset: CameraSource) async throws {
        switch fault {
        case .flagged, .refusedBuffer, .failedStream: break
        case .lossy, .silent: try nodes[node].set("percentage_of_dropped_buffers", to: 0)
        case .unplugged: held = nil
        case .switchedOff: try await session.setEnabled(true, inset)
        case .pressure: await session.pinPressure(nil)
        }
    }
}

/// Records the resources of the process at intervals during a soak.
struct SoakDiary {
    /// The length of the soak in hours, from `PIP_SOAK_HOURS`; 0 runs no soak.
    static let hours = Double(ProcessInfo.processInfo.environment["PIP_SOAK_HOURS"] ?? "") ?? 0

    private struct Entry {
        var descriptors: Int
        var threads: Int
        var objects: Int
        var residentKibibytes: Int
        /// The allocated memory, in KiB.
        ///
        /// The resident memory also contains code, stacks, and gaps between allocations.
        var usedKibibytes: Int
    }

    private let rate: FrameRate
    private let interval: Int
    /// The number of entries that belong to the warm-up.
    private let warmUp: Int
    private var entries: [Entry] = []
    private var longestGap = Duration.zero
    private var last: Timestamp?
    private var goesBack = 0

    /// Prepares a diary for a soak of `frames` output frames.
    ///
    /// The warm-up lasts about forty minutes, but at least an eighth of the soak. The allocator then has the memory
    /// that all threads need at the same time.
    init(frames: Int, rate: FrameRate) {
        self.rate = rate
        interval = max(1, frames / 16)
        warmUp = max(2, Int((rate.framesPerSecond * 2400).rounded()) / interval)
    }

    /// True if the soak after the warm-up is at least as long as the warm-up.
    ///
    /// A shorter soak shows only how memory use grows during the warm-up.
    private var tellsOfMemory: Bool { entries.count >= 2 * warmUp }

    mutating func note(_ frame: Frame, _ number: Int, _ session: Session) async {
        if let last {
            if frame.timestamp <= last { goesBack += 1 }
            longestGap = max(longestGap, last.duration(to: frame.timestamp))
        }
        last = frame.timestamp
        guard number % interval == interval - 1 else { return }
        func count(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let entry = Entry(
            descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"),
            objects: await session.objectCounts.total,
            residentKibibytes: resident.flatMap { Int($0.filter(\.isNumber)) } ?? 0, usedKibibytes: Self.usedKibibytes)
        entries.append(entry)
        // The progress goes to standard error, so that it is known even if the soak is aborted.
        let hours = Double(number + 1) / rate.framesPerSecond / 3600
        FileHandle.standardError.write(Data("soak: after \(hours) h: \(entry), longest gap \(longestGap)\n".utf8))
    }

    /// The memory of all allocations, in KiB.
    private static var usedKibibytes: Int { Int(pip_allocated_bytes()) / 1024 }

    /// Expects that the output continued, and that resources hardly grew after the warm-up.
    ///
    /// Descriptors, threads and objects of a short soak are compared from the third entry on.
    func expectSound(_ run: SessionRun) {
        #expect(goesBack == 0)
        #expect(longestGap <= rate.interval * 3, "\(longestGap)")
        for source in run.statistics.sources { run.expectAccounted(source) }
        #expect(run.statistics.pressure.events.flatMap(\.taken).count > 0)
        guard let last = entries.last else {
            Issue.record("the soak was too short to tell anything")
            return
        }
        // A connected stream has more descriptors than a stream without its server, so the test compares maxima.
        let settled = entries.dropFirst(tellsOfMemory ? warmUp : 2)
        let (before, after) = (settled.dropLast(entries.count / 3), entries.suffix(entries.count / 3))
        for value in [\Entry.descriptors, \Entry.threads] {
            #expect((after.map { $0[keyPath: value] }.max() ?? 0) <= (before.map { $0[keyPath: value] }.max() ?? 0) + 2)
        }
        #expect(last.objects <= (settled.map(\.objects).dropLast().max() ?? 0))
        guard tellsOfMemory, let first = settled.min(by: { $0.residentKibibytes < $1.residentKibibytes }) else {
            return
        }
        func mean(_ entries: some Collection<Entry>) -> Int {
            entries.reduce(0) { $0 + $1.usedKibibytes } / max(1, entries.count)
        }
        // The allocated memory fluctuates by up to 512 KiB, and gaps between allocations may grow for a while.
        #expect(mean(after) - mean(before) <= 512, "\(entries)")
        #expect(last.residentKibibytes - first.residentKibibytes <= 4096, "\(entries)")
    }

    func summary(_ run: SessionRun) -> String {
        let statistics = run.statistics
        let growth = (entries.last?.residentKibibytes ?? 0) - (entries.dropFirst(warmUp).first?.residentKibibytes ?? 0)
        let faults = statistics.sources.reduce(0) { $0 + $1.events.count }
        return "\(statistics.output.frames) frames, \(statistics.output.missed) missed, "
            + "\(statistics.pressure.events.count) changes of pressure, \(faults) camera events"
            + (tellsOfMemory ? ", memory \(growth) kB more" : "")
    }
}
