#if Control
package import PipCompose
package import PipRig
internal import PipText

/// A broker's state as a sentence.
package enum BrokerReport: Sendable, Equatable {
    case connected(String)
    case missing(String)
    case back(String)
    /// A command that makes no sense, or that cannot be performed.
    case ignored(String)
}

/// Reports a running composition to an MQTT broker, and takes commands from there.
///
/// One thread holds the connection, and makes it again whenever it breaks. The composition never waits for the broker.
package final class Broker: Sendable {
    /// The longest wait for the thread at the end, which may look up a host's name.
    private static let patience = Duration.seconds(3)

    private let argument: BrokerArgument
    private let program: String
    private let tell: @Sendable (BrokerReport) -> Void
    private let outbox = BrokerOutbox()

    /// - Parameters:
    ///   - argument: The broker's address with its options.
    ///   - program: The name and version of the program.
    ///   - tell: Takes sentences about the connection, and about commands that are ignored.
    package init(
        _ argument: BrokerArgument, program: String, tell: @escaping @Sendable (BrokerReport) -> Void
    ) {
        (self.argument, self.program, self.tell) = (argument, program, tell)
    }

    /// Publishes a moment that was marked.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - live: The composition in which it was marked.
    package func tell(_ moment: Moment, of live: LiveRig) {
        let time = WallTime(of: moment.time, by: live.telemetry.clock)
        outbox.add(BrokerState.Mark(moment.name, reason: moment.reason, at: time))
    }

    /// Reports a composition until the current task is cancelled.
    package func run(_ live: LiveRig) async {
        if let obstacle = BrokerClient.obstacle { return tell(.missing("\(argument.label): \(obstacle)")) }
        let (scenes, asked) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(4))
        let composition = self.composition(of: live, asked)
        let interruption = Interruption()
        let thread = WorkerThread(name: "pip-mqtt") { [argument, program, outbox] in
            var link = BrokerLink(argument, program: program, outbox, composition)
            link.run(until: interruption)
        }
        await withDiscardingTaskGroup { group in
            if let interval = argument.thumbnailInterval {
                group.addTask { await self.sendThumbnails(of: live, every: interval) }
            }
            // The stream ends with the task.
            for await name in scenes { await show(name, in: live) }
            group.cancelAll()
        }
        interruption.raise()
        // The present task is cancelled, and a task of its own is not.
        _ = await Task { await thread.joined(within: Self.patience) }.value
    }

    private func composition(
        of live: LiveRig, _ scenes: AsyncStream<String>.Continuation
    ) -> BrokerLink.Composition {
        let facts = PanelFacts(program: program, preview: "", root: nil, recordings: "none")
        return BrokerLink.Composition(
            state: { [outbox] in BrokerState(StateDocument(live, facts).json, lastMoment: outbox.lastMoment) },
            perform: { command in
                switch command {
                case .mark(let name): live.session.mark(name, reason: "MQTT")
                case .show(let scene): scenes.yield(scene)
                case .announce: break
                }
            }, tell: tell)
    }

    private func show(_ scene: String, in live: LiveRig) async {
        do { try await live.change { rig in try rig.show(scene: scene) } } catch {
            tell(.ignored("\(argument.label): \(error)"))
        }
    }

    // MARK: Thumbnails

    /// The width of thumbnails in pixels.
    private static let thumbnailWidth = 320

    /// Hands small pictures to the outbox until the current task is cancelled.
    private func sendThumbnails(of live: LiveRig, every interval: Duration) async {
        guard let size = await Self.pictureSize(of: live), let encoder = try? PictureEncoder() else { return }
        let tap = PictureEncoder.tap(size: Self.thumbnailSize(of: size), name: "mqtt")
        let rate = FrameRate(1000, per: max(1, Int(interval.nanoseconds / 1_000_000)))
        let output = await live.attach(tap, at: rate)
        defer { output.remove() }
        for await frame in tap.frames {
            if let picture = try? encoder.jpeg(of: frame) { outbox.add(thumbnail: picture) }
        }
    }

    /// The size of the composed picture, which its first frame tells; nil at the end of the session.
    private static func pictureSize(of live: LiveRig) async -> PixelSize? {
        let tap = PictureEncoder.tap(size: nil, name: "mqtt")
        let output = await live.attach(tap, at: FrameRate(1))
        defer { output.remove() }
        for await frame in tap.frames { return frame.size }
        return nil
    }

    /// The size of the thumbnail of a picture, with the picture's shape and even sides.
    static func thumbnailSize(of size: PixelSize) -> PixelSize {
        guard size.width > thumbnailWidth else { return size }
        let height = size.height * thumbnailWidth / size.width
        return PixelSize(thumbnailWidth, max(2, height / 2 * 2))
    }
}
#endif
