import Glibc
import Logging
import PipCompose
import PipRig
import Synchronization

/// Runs a composition, from the request to the exit status.
struct CompositionRun {
    private let reporting: ReportOptions
    private let interrupts: InterruptWatch
    private let console: Console
    private let service = ServiceNotifier()

    init(_ reporting: ReportOptions, _ interrupts: InterruptWatch) {
        self.reporting = reporting
        self.interrupts = interrupts
        console = Console(reporting)
        console.takeEngineMessages()
    }

    /// Runs the composition to its end, and reports errors, the summary and the statistics.
    ///
    /// - Parameters:
    ///   - path: The path of the statistics file, or `-` for standard output; nil writes none.
    ///   - request: Makes the request. The run reports the closure's errors, too.
    /// - Returns: The exit status for the process.
    func run(statistics path: String?, _ request: (Console) throws -> RunRequest) async -> Int32 {
        var report = RunReport()
        let statistics: StatisticsFile?
        do {
            statistics = try path.map { path throws(CommandError) in try StatisticsFile(path) }
        } catch {
            return fail(error, &report)
        }
        var status = ExitStatus.success.rawValue
        var advice: String? = "to wait, add --wait"
        do {
            let request = try request(console)
            advice = request.missingCameraAdvice
            try await compose(request, &report)
            // A caller that expects files must see a signal before the first frame as a failure.
            if report.frames == 0 { status = interrupts.exitStatus ?? status }
        } catch SessionError.sink(let error) where error.endsByReader {
            // The reader of a pipe, such as `head`, or the user who closed the window ended the run. The event was
            // reported, and the run did not fail.
        } catch {
            status = fail(error, &report, advice)
        }
        report.usage = .current
        if report.frames > 0 { console.writePlain(report.summary) }
        do { try statistics?.write(report.document) } catch { status = fail(error, &report) }
        return status
    }

    private func fail(_ error: any Error, _ report: inout RunReport, _ missingCameraAdvice: String? = nil) -> Int32 {
        let failure = CommandError(error)
        var sentence = failure.description
        if case SessionError.camera(let error) = error, error.kind == .notFound, let missingCameraAdvice {
            sentence += "; \(missingCameraAdvice)"
        }
        report.error = sentence
        console.writeError(sentence, event: "failed")
        return failure.status.rawValue
    }

    private func compose(_ request: RunRequest, _ report: inout RunReport) async throws {
        report.roles = request.file.rig.roles
        let environment = RunEnvironment(
            pressure: request.file.pressure.options, pace: request.pace,
            waitsForCameras: request.waitsForCameras ?? service.isManaged,
            logger: console.logger(reporting.level), service: service)
        let reloading = Reloading(request.origin, console)
        let running = RunningRig()
        var reload: (@Sendable () async throws -> Void)?
        if reloading.hasConfiguration {
            reload = { if let live = running.live { try await reloading.read(live) } }
        }
        let panel = try request.file.panel.map { [reload] settings in try PanelRun(settings, reload: reload) }
        let broker = try request.file.broker.map { [console] in try BrokerRun($0, console) }
        let shard = try ShardRun(request)
        if let shard, shard.sharded.isDone {
            console.writePlain(
                "shard \(shard.sharded.shard): made already: \(shard.sharded.paths.joined(separator: ", "))")
            return
        }
        defer { shard?.sharded.discard() }
        let rig = shard?.sharded.rig ?? request.file.rig
        guard let live = try await open(rig, environment.options, panel, &report) else { return }
        running.set(live)
        let part = try shard?.extent(in: live.session)
        report.cost = live.session.plan.cost
        report.renderer = live.session.renderer.description
        if live.session.isOffline { report.making = (live.session.outputRate, request.length(of: live.session)) }
        let job = Job(
            request: request, shard: shard, part: part, panel: panel, broker: broker, reloading: reloading)
        try await run(job, live, &report)
    }

    /// The values that stay the same during a run.
    private struct Job: Sendable {
        let request: RunRequest
        let shard: ShardRun?
        let part: ShardedRig.Extent?
        let panel: PanelRun?
        let broker: BrokerRun?
        let reloading: Reloading
    }

    private func run(_ job: Job, _ live: LiveRig, _ report: inout RunReport) async throws {
        let session = live.session
        interrupts.onFirstSignal { [service] in
            service.isStopping()
            session.stop()
        }
        async let events: Void = tell(live, job)
        do {
            // These tasks are cancelled at the end of this scope.
            async let _ = showProgress(of: live, report)
            async let _ = job.reloading.follow(interrupts, live)
            async let _ = followEffects(of: live)
            async let _ = split(live)
            async let _ = takeStills(of: live)
            async let _ = followTriggers(of: live)
            async let _ = followTelemetry(of: live)
            async let _ = job.broker?.follow(live)
            defer {
                (report.statistics, report.sound) = (session.statistics, live.sound?.report)
                if let shard = job.shard, let part = job.part { report.note(shard, part) }
            }
            try await makeFrames(job, live)
            if let shard = job.shard, let part = job.part {
                try shard.finish(part, session.statistics, isInterrupted: interrupts.exitStatus != nil)
            }
        } catch let failure as NotServed {
            // The session was never started, so the stream of its events would not end.
            throw failure.reason
        } catch {
            await events
            console.endProgress()
            throw error
        }
        await events
        console.endProgress()
    }

    /// Opens the sources and outputs of a composition.
    ///
    /// - Returns: The opened composition; nil if a signal interrupted the opening.
    /// - Throws: The error of a device, a file or the composition.
    private func open(
        _ rig: Rig, _ options: SessionOptions, _ panel: PanelRun?, _ report: inout RunReport
    ) async throws -> LiveRig? {
        do {
            return try await interrupts.cancelling {
                try await LiveRig(rig, options: options) { panel?.attach(to: $0) }
            }
        } catch {
            guard interrupts.exitStatus != nil else { throw error }
            service.isStopping()
            report.error = CommandError(error).description
            return nil
        }
    }

    /// Reloads effects from GLSL files whenever the files change, and reports each reload.
    private func followEffects(of live: LiveRig) async {
        await live.followFiles { change in
            switch change {
            case .success(let path): console.write("\(path): reloaded", .info, event: "effect-reloaded")
            case .failure(let error):
                console.write(
                    "\(CommandError(error)); the effect stays as it was", .error, event: "effect-rejected")
            }
        }
    }

    /// Starts a new segment of every segmented recording, and marks a moment for every recording of clips, at each
    /// SIGUSR1.
    private func split(_ live: LiveRig) async {
        for await _ in interrupts.splits() {
            if live.rig.outputs.contains(where: \.sink.hasClips) { live.session.mark("signal") }
            // `split()` throws for an output without segments and for an ended output, which is no error here.
            for output in live.snapshot.outputs.values { try? output.split() }
        }
    }

    /// Takes the composition's stills at each SIGUSR2.
    private func takeStills(of live: LiveRig) async {
        for await _ in interrupts.stills() {
            let stills = live.rig.stills
            if stills.isEmpty {
                console.write(
                    "SIGUSR2: no picture is taken: add --still FILE, or the key stills", .warning, event: "no-still")
            }
            for still in stills {
                do throws(SessionError) {
                    console.write("\(try await live.take(still)): taken", .info, event: "still")
                } catch {
                    console.write("\(error)", .warning, event: "still-failed")
                }
            }
        }
    }

    /// Follows the composition's triggers, and reports their actions.
    private func followTriggers(of live: LiveRig) async {
        await TriggerWatch(live, lines: InputLines.stream) { [console] in console.write($0) }.run()
    }

    /// Reads the composition's sources of values.
    private func followTelemetry(of live: LiveRig) async {
        await TelemetryWatch(live) { [console] in console.write($0) }.run()
    }

    /// Runs the session and, if requested, the panel.
    ///
    /// If the panel cannot listen, the session does not start.
    private func makeFrames(_ job: Job, _ live: LiveRig) async throws {
        let session = live.session
        let makeFrames: @Sendable () async throws -> Void = {
            if let part = job.part { return try await session.run(frames: part.count, from: part.first) }
            try await session.run(for: job.request.file.run.duration, frames: job.request.file.run.frames)
        }
        guard let panel = job.panel else { return try await makeFrames() }
        let (listening, told) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { told.finish() }
                try await panel.serve(live) { [console] address in
                    console.writePlain("panel: \(address.hasPrefix("unix:") ? address : "http://\(address)/")")
                    told.yield()
                }
            }
            var isListening = false
            for await _ in listening {
                isListening = true
                break
            }
            // The panel's task has ended with the reason why it cannot listen.
            guard isListening else {
                do { try await group.waitForAll() } catch { throw NotServed(reason: error) }
                return
            }
            group.addTask { try await makeFrames() }
            defer { group.cancelAll() }
            // Whichever ends first, the session or the panel, ends the other one.
            try await group.next()
            session.stop()
        }
    }

    private func tell(_ live: LiveRig, _ job: Job) async {
        let session = live.session
        var picture = ""
        for await event in session.events {
            console.write(event)
            await job.panel?.tell(event)
            job.broker?.tell(event, of: live)
            switch event {
            case .started:
                picture = "\(session.statistics.output.size) at \(session.outputRate) frames a second"
                service.isReady(picture)
            case .stopped: service.isStopping()
            // After the first frame, the status begins with the size and the rate, followed by the latest event.
            default: service.tell(picture.isEmpty ? event.description : "\(picture); \(event.description)")
            }
        }
    }

    private func showProgress(of live: LiveRig, _ start: RunReport) async {
        guard console.showsProgress else { return }
        while !Task.isCancelled {
            var report = start
            (report.statistics, report.sound) = (live.session.statistics, live.sound?.report)
            console.showProgress(report.progress)
            try? await Task.sleep(for: .milliseconds(250))
        }
    }
}

/// Holds the running composition for the panel's reload, or nil before the session is opened.
private final class RunningRig: Sendable {
    private let rig = Mutex<LiveRig?>(nil)

    var live: LiveRig? { rig.withLock { $0 } }

    func set(_ live: LiveRig) { rig.withLock { $0 = live } }
}

/// The error of a panel that could not listen, so that the session was not started.
private struct NotServed: Error {
    let reason: any Error
}
