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

    /// The cameras at the start, so that none is missed that comes or goes before the thread looks.
    private let first: [CameraDevice]

    init?(_ directory: CameraDirectory, _ continuation: AsyncStream<CameraChange>.Continuation) {
        guard let wakeUp = try? directory.calls.makeWakeUp() else { return nil }
        (self.directory, self.continuation, self.wakeUp) = (directory, continuation, wakeUp)
        first = directory.cameras()
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

    private var isRunning: Bool { isStopping.withLock { $0 == false } }

    private func run() {
        tell()
        isStopping.withLock { state in
            directory.calls.close(wakeUp)
            state = nil
        }
    }

    private func tell() {
        let watch = directory.calls.watchDevices()
        var known = first
        while isRunning {
            let present = directory.cameras()
            for camera in known where !present.contains(where: camera.isTheSame) {
                continuation.yield(.disconnected(camera))
            }
            for camera in present where !known.contains(where: camera.isTheSame) {
                continuation.yield(.connected(camera))
            }
            known = present
            waitForChange(watch)
        }
    }

    private func waitForChange(_ watch: (any DeviceWatch)?) {
        let timeout = watch == nil ? Self.interval : nil
        while isRunning {
            let ready = directory.calls.wait(device: watch?.descriptor, wakeUp: wakeUp, timeout: timeout)
            guard let watch else { return }
            if ready.contains(.readable), watch.drain() { return }
        }
    }
}
