internal import PipConcurrency
internal import Synchronization

/// A camera that has come or gone.
public enum CameraChange: Hashable, Sendable {
    /// It is there, and can be opened.
    case connected(CameraDevice)
    /// It is not there any more, or cannot be opened any more.
    case disconnected(CameraDevice)
}

/// Looks at the cameras whenever a device node has changed.
final class CameraWatch: Sendable {
    /// From one look to the next where nothing tells of devices.
    private static let interval = Duration.seconds(2)

    private let directory: CameraDirectory
    private let continuation: AsyncStream<CameraChange>.Continuation
    private let wakeUp: CInt
    /// True once nobody reads, with the wake-up still open; nil after the thread has closed it.
    private let isStopping = Mutex<Bool?>(false)

    init?(_ directory: CameraDirectory, _ continuation: AsyncStream<CameraChange>.Continuation) {
        guard let wakeUp = try? directory.calls.makeWakeUp() else { return nil }
        (self.directory, self.continuation, self.wakeUp) = (directory, continuation, wakeUp)
    }

    func start() { _ = WorkerThread(name: "pip-cameras", clock: directory.calls.clock) { self.run() } }

    /// From any thread.
    func stop() {
        isStopping.withLock { state in
            guard state != nil else { return }
            state = true
            directory.calls.wake(wakeUp)
        }
    }

    private func run() {
        let watch = directory.calls.watchDevices()
        var known = directory.cameras()
        while isStopping.withLock({ $0 == false }) {
            let timeout = watch == nil ? Self.interval : nil
            let ready = directory.calls.wait(device: watch?.descriptor, wakeUp: wakeUp, timeout: timeout)
            if let watch, !ready.contains(.readable) || !watch.drain() { continue }
            let present = directory.cameras()
            for camera in known where !present.contains(camera) { continuation.yield(.disconnected(camera)) }
            for camera in present where !known.contains(camera) { continuation.yield(.connected(camera)) }
            known = present
        }
        isStopping.withLock { state in
            directory.calls.close(wakeUp)
            state = nil
        }
    }
}
