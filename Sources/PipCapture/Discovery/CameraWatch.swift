internal import PipConcurrency
internal import Synchronization

/// The arrival or departure of a camera.
public enum CameraChange: Hashable, Sendable {
    /// The camera is present, and can be opened.
    case connected(CameraDevice)
    /// The camera is gone, or cannot be opened any more.
    case disconnected(CameraDevice)
}

/// Lists the cameras again whenever a device node changes, and reports the differences.
final class CameraWatch: Sendable {
    /// The interval between listings on machines where neither udev nor inotify works.
    private static let interval = Duration.seconds(2)

    private let directory: CameraDirectory
    private let continuation: AsyncStream<CameraChange>.Continuation
    private let wakeUp: CInt
    /// True once the stream of changes is released, as long as the wake-up descriptor is open.
    ///
    /// Nil after the thread has closed the wake-up descriptor.
    private let isStopping = Mutex<Bool?>(false)

    /// The cameras at the start, so that no change before the thread's first listing is missed.
    private let first: [CameraDevice]

    init?(_ directory: CameraDirectory, _ continuation: AsyncStream<CameraChange>.Continuation) {
        guard let wakeUp = try? directory.calls.makeWakeUp() else { return nil }
        (self.directory, self.continuation, self.wakeUp) = (directory, continuation, wakeUp)
        first = directory.cameras()
    }

    func start() { _ = WorkerThread(name: "pip-cameras", clock: directory.calls.clock) { self.run() } }

    /// Stops the watch's thread.
    ///
    /// Thread: any.
    func stop() {
        isStopping.withLock { state in
            guard state != nil else { return }
            state = true
            directory.calls.wake(wakeUp)
        }
    }

    private var isRunning: Bool { isStopping.withLock { $0 == false } }

    private func run() {
        reportChanges()
        isStopping.withLock { state in
            directory.calls.close(wakeUp)
            state = nil
        }
    }

    private func reportChanges() {
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
