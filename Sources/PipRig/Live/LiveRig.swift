public import PipCompose
public import PipText
internal import Synchronization

/// A composition that a session draws, and that can be changed while the session runs.
///
/// A change edits a copy of the composition's value. The session then draws the difference as one transaction from one
/// frame on, or refuses the whole change. Changes that arrive while the session applies another change are batched.
///
/// Thread: any.
public actor LiveRig {
    /// The session that draws the composition.
    ///
    /// Call ``/PipCompose/Session/run(for:frames:from:)`` to start the session.
    public nonisolated let session: Session
    /// The configuration that was last applied; nil for a composition that was not read from a file.
    var file: RigFile?
    /// The mixer whose sound the outputs receive; nil for a composition without sound.
    package nonisolated let sound: RigSound?
    /// The values that texts show and triggers compare.
    ///
    /// The sources of the composition set values, and so may the app.
    public nonisolated let telemetry: Telemetry
    /// The directory in which the session finds cameras.
    package nonisolated let cameras: CameraDirectory
    private nonisolated let published: Mutex<Snapshot>
    private var nodes: RigNodes
    private var waiting: [Request] = []
    private var isBusy = false
    private let interval: Duration

    /// The state of the running composition at one moment.
    package struct Snapshot: Sendable {
        package fileprivate(set) var rig: Rig
        /// The version number of the composition, which every change increases.
        package fileprivate(set) var revision = 1
        /// The outputs, keyed by their identifiers.
        package fileprivate(set) var outputs: [String: Output]
        /// The node of the composed picture, after its effects.
        package fileprivate(set) var whole: any FrameProducer
        /// The source nodes, keyed by the names of their pictures.
        package fileprivate(set) var sources: [String: any FrameProducer]
        /// The handles of the layers, keyed by the names of their pictures.
        package fileprivate(set) var layers: [String: LayerHandle]
    }

    /// An animation that moves layers to their new places and looks.
    public struct Motion: Sendable, Equatable {
        /// The length of the animation, in output time.
        public var duration: Duration
        /// The transition of layers that appear or disappear.
        public var transition: Transition

        /// - Parameters:
        ///   - duration: The length of the animation, in output time.
        ///   - transition: The transition of layers that appear or disappear.
        public init(_ duration: Duration, _ transition: Transition = .fade) {
            self.duration = duration
            self.transition = transition
        }
    }

    /// A requested change, whose caller waits for the result.
    private struct Request {
        let revision: Int?
        let motion: Motion?
        let edit: (inout Rig) throws -> Void
        let done: CheckedContinuation<Void, any Error>
    }

    /// Opens a composition.
    ///
    /// To start the composition, call ``/PipCompose/Session/run(for:frames:from:)`` of ``session``.
    ///
    /// - Parameters:
    ///   - rig: The composition.
    ///   - options: The session options that a composition cannot set.
    ///   - cameras: The directory in which the session finds cameras.
    ///   - attach: Receives the composed picture before the session opens, and may connect further outputs.
    /// - Throws: ``RigError`` for a mistake in the composition, ``UsageError`` for an output or a sound that does not
    ///   fit its picture, ``/PipCompose/SessionError`` and ``/PipCompose/SoundError`` for unusable devices and files,
    ///   and the errors of `attach`. The sound of a camera that does not exist throws `CaptureError`.
    package init(
        _ rig: Rig, options: SessionOptions, cameras: CameraDirectory = CameraDirectory(),
        attach: (any FrameProducer) throws -> Void = { _ in }
    ) async throws {
        try rig.check()
        guard !rig.pictures.isEmpty else { throw RigError(.invalid, "there is no picture to compose") }
        // Creates the outputs after the sources, because the sound of an output may come from a source.
        var silent = rig
        silent.outputs = []
        let telemetry = Telemetry(clock: options.time, recorded: try RecordedValues(rig))
        let sources = try RigNodes(canvas: rig.canvas, telemetry).changed(from: Rig(), to: silent, sound: nil)
        self.cameras = cameras
        self.telemetry = telemetry
        sound = try RigSound(rig, rig.pictures.map { sources.producer(of: $0.name) })
        let nodes = try sources.changed(from: silent, to: rig, sound: sound)
        try attach(nodes.whole)
        session = try await Session(nodes.compositor, options: rig.options(options), cameras: cameras)
        self.nodes = nodes
        published = Mutex(Snapshot(rig, nodes))
        interval = .seconds(1 / max(session.outputRate.framesPerSecond, 1))
    }

    /// The present composition, its revision and its handles.
    ///
    /// Safe to read from any thread.
    package nonisolated var snapshot: Snapshot { published.withLock { $0 } }

    /// The present composition, which every change replaces.
    package nonisolated var rig: Rig { snapshot.rig }

    // MARK: Changes

    /// Changes the composition, and waits until the session has accepted the change.
    ///
    /// - Parameters:
    ///   - revision: The revision that the caller has read; the change fails if another change came first. Nil skips
    ///     this check.
    ///   - motion: The animation of the layers to their new places; nil moves them at once.
    ///   - edit: Edits the composition's value; may be called more than once.
    /// - Returns: The result of `edit`.
    /// - Throws: Errors of `edit`, ``RigError`` for another revision and for a composition that is inconsistent or
    ///   needs a restart, and ``/PipCompose/SessionError`` for a composition that cannot be drawn. After an error the
    ///   composition is unchanged.
    @discardableResult
    package func change<R: Sendable>(
        expecting revision: Int? = nil, by motion: Motion? = nil, _ edit: @escaping @Sendable (inout Rig) throws -> R
    ) async throws -> R {
        let outcome = Mutex<R?>(nil)
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            waiting.append(
                Request(
                    revision: revision, motion: motion,
                    edit: { rig in
                        let result = try edit(&rig)
                        outcome.withLock { $0 = result }
                    }, done: done))
            if !isBusy { Task { await self.makeChanges() } }
            isBusy = true
        }
        guard let result = outcome.withLock({ $0 }) else { throw RigError(.conflict, "the change was not made") }
        return result
    }

    /// Makes all waiting changes, at most one batch for each frame.
    private func makeChanges() async {
        while !waiting.isEmpty {
            let batch = waiting
            waiting = []
            await make(batch)
            // Waits for one frame's duration before the next batch.
            try? await Task.sleep(for: interval)
        }
        isBusy = false
    }

    private func make(_ batch: [Request]) async {
        var (rig, revision) = { ($0.rig, $0.revision) }(snapshot)
        var accepted: [Request] = []
        for request in batch {
            do {
                rig = try Self.edited(rig, by: request, revision)
                revision += 1
                accepted.append(request)
            } catch {
                request.done.resume(throwing: error)
            }
        }
        guard !accepted.isEmpty else { return }
        do {
            // The first animation applies to the whole batch.
            try await draw(rig, by: accepted.compactMap(\.motion).first, changes: accepted.count)
            for request in accepted { request.done.resume() }
        } catch {
            guard accepted.count > 1 else { return accepted[0].done.resume(throwing: error) }
            // Only one change may be at fault, so each change of the batch is tried by itself.
            for request in accepted { await make([request]) }
        }
    }

    private static func edited(_ rig: Rig, by request: Request, _ revision: Int) throws -> Rig {
        if let expected = request.revision, expected != revision {
            throw RigError(
                .conflict, "the composition has changed meanwhile: read its state again, then repeat the change")
        }
        var changed = rig
        try request.edit(&changed)
        try changed.check()
        return changed
    }

    /// Makes the session draw a composition from the next frame on, and publishes the composition.
    private func draw(_ rig: Rig, by motion: Motion?, changes: Int) async throws {
        let old = self.rig
        try rig.checkReachable(from: old)
        let change = { [nodes, sound] in try nodes.changed(from: old, to: rig, sound: sound) }
        if let motion {
            nodes = try await session.configure(over: motion.duration, transition: motion.transition, change)
        } else {
            nodes = try await session.configure(change)
        }
        let nodes = nodes
        published.withLock { published in
            let revision = published.revision
            published = Snapshot(rig, nodes)
            published.revision = revision + changes
        }
    }

    /// Connects a picture to a sink outside the composition, from the next frame on.
    ///
    /// - Parameters:
    ///   - sink: The sink.
    ///   - picture: The picture whose source is connected. Nil for the composed picture.
    ///   - rate: The highest frame rate of the output.
    /// - Returns: The output. The caller must remove it.
    package func attach(_ sink: some Sink, to picture: String? = nil, at rate: FrameRate) -> Output {
        func connect(_ producer: some FrameProducer) -> Output { producer --> sink.limited(to: rate) }
        return connect(nodes.producer(of: picture))
    }

    // MARK: Files of effects

    /// Reloads effects whose GLSL files change, until the current task is cancelled.
    ///
    /// - Parameter tell: Receives the path of each reloaded file, or the error of a file that cannot be read or drawn.
    ///   After an error the old effect stays.
    package nonisolated func followFiles(tell: @Sendable (Result<String, any Error>) -> Void) async {
        var watch = FileEffectWatch()
        while !Task.isCancelled {
            try? await Task.sleep(for: FileEffectWatch.interval)
            for change in watch.changes(of: rig) {
                switch change {
                case .failure(let error): tell(.failure(error))
                case .success(let fresh):
                    do {
                        try await self.change { rig in rig.replaceFile(with: fresh) }
                        tell(.success(fresh.path))
                    } catch {
                        if let problem = watch.refused(fresh, because: error) { tell(.failure(problem)) }
                    }
                }
            }
        }
    }

    // MARK: Stills

    /// Takes a still picture, and writes it to a file.
    ///
    /// - Parameter still: The picture to take, the file's path and format, and whether the flash fires.
    /// - Returns: The path of the written file.
    /// - Throws: ``/PipCompose/SessionError`` when no frame arrives, or the file cannot be written.
    package nonisolated func take(_ still: StillArgument) async throws(SessionError) -> String {
        let snapshot = snapshot
        let name = still.picture.flatMap { $0 == .output ? nil : $0.index }
            .flatMap { snapshot.rig.pictures.indices.contains($0) ? snapshot.rig.pictures[$0].name : nil }
        let producer = name.flatMap { snapshot.sources[$0] } ?? snapshot.whole
        let taken =
            switch producer as? CameraSource {
            case let camera? where still.isLargest:
                try await session.largestStill(of: camera, as: still.format, flash: still.flash)
            case let camera?: try await session.still(of: camera, as: still.format, flash: still.flash)
            case nil: try await session.still(of: producer, as: still.format)
            }
        return try taken.write(to: still.path)
    }

    /// Takes the next frame of a picture's source, or of the composed picture if `picture` is nil.
    ///
    /// - Throws: ``RigError`` for an unknown picture, and ``/PipCompose/SessionError`` when no frame arrives.
    package nonisolated func still(of picture: String?, as format: Still.Format) async throws -> Still {
        let snapshot = snapshot
        if let picture { try snapshot.rig.checkPicture(picture, for: "a still") }
        let producer = picture.flatMap { snapshot.sources[$0] } ?? snapshot.whole
        return try await session.still(of: producer, as: format)
    }
}

extension LiveRig.Snapshot {
    fileprivate init(_ rig: Rig, _ nodes: RigNodes) {
        self.init(
            rig: rig, outputs: nodes.outputs, whole: nodes.whole, sources: nodes.pictures.mapValues(\.source),
            layers: nodes.pictures.mapValues(\.layer))
    }
}
