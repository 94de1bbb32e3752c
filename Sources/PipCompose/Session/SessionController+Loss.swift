internal import Synchronization

extension SessionController {
    /// So many resets of the GPU within so long are more than bad luck.
    private static let mostLosses = 3
    private static let lossPeriod = Duration.seconds(60)

    /// Makes everything that draws anew whenever the GPU was reset; cameras and files go on meanwhile.
    ///
    /// When that does not help, the session ends, with its files finished.
    func replaceContexts(
        _ losses: AsyncStream<Void>, of loop: RenderLoop, _ wiring: Wiring, ended: StopSignal
    ) async {
        for await _ in losses {
            let lost = options.time.now
            do throws(SessionError) {
                try await replaceContext(of: loop, wiring, lost: lost)
            } catch {
                failures.withLock { $0.fatal = error }
                ended.raise()
                return
            }
            events.yield(.contextReplaced(after: lost.duration(to: options.time.now)))
            loop.begin()
        }
    }

    private func replaceContext(of loop: RenderLoop, _ wiring: Wiring, lost: Timestamp) async throws(SessionError) {
        await hold()
        defer { release() }
        losses.removeAll { $0.duration(to: lost) > Self.lossPeriod }
        losses.append(lost)
        guard losses.count < Self.mostLosses else {
            throw .gpu(GLError("go on drawing", call: "glGetGraphicsResetStatus", reason: .contextLost))
        }
        do throws(GLError) {
            gpu = try await RenderContext(log: nil, resetStatus: options.resetStatus, clock: options.time)
        } catch {
            throw .gpu(error)
        }
        loop.move(to: gpu)
        installed = nil
        try await update(to: wiring.graph)
    }
}
