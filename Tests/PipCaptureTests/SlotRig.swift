import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

/// A scripted camera in a slot of its own.
struct SlotRig {
    static let path = "/dev/video0"

    let kernel: FakeKernel
    let directory: CameraDirectory
    let slot: CameraSlot
    let events = EventRecorder()

    /// A USB camera, which has a serial number unless `serial` is nil.
    static func webcam(_ serial: String? = "A1", port: String = "1") -> FakeCamera {
        var camera = FakeCamera()
        camera.usb = FakeCamera.USB(serial: serial)
        camera.busInfo = "usb-0000:00:14.0-\(port)"
        camera.sysfsLink = "../../devices/pci0000:00/0000:00:14.0/usb1/1-\(port)/1-\(port):1.0/video4linux/video0"
        return camera
    }

    init(
        _ fake: FakeCamera? = Self.webcam(), wish: CameraWish = CameraWish(), kernel: FakeKernel = FakeKernel(),
        in directory: CameraDirectory? = nil, path: String = Self.path, waits: Bool = false,
        wantsSharedBuffers: Bool = false
    ) throws {
        self.kernel = kernel
        if let fake { kernel.add(path, fake) }
        self.directory = directory ?? CameraDirectory(calls: kernel)
        slot = try CameraSlot(
            .path(path), wish: wish, in: self.directory, waits: waits, wantsSharedBuffers: wantsSharedBuffers,
            onEvent: events.report)
    }

    /// Starts the slot, and delivers the first frame.
    func start() throws {
        try slot.start()
        // The slot's thread may not have begun yet.
        _ = kernel.waitForPause()
        produce()
    }

    /// Advances the clock by 33 ms, and delivers a frame whose bytes all have `value`.
    func produce(_ value: UInt8 = 0, at path: String = Self.path) {
        kernel.advance(by: .milliseconds(33))
        kernel.produce(path, FakeFrame(.fill(value)))
        kernel.settle()
    }

    /// Delivers a frame one period later in virtual time, and waits until all threads have reacted.
    func deliver(_ value: UInt8 = 0, at path: String = Self.path) async throws {
        try await kernel.clock.sleep(for: .milliseconds(33))
        kernel.produce(path, FakeFrame(.fill(value)))
        // Time passes only once all threads wait.
        try await kernel.clock.sleep(for: .nanoseconds(1))
    }

    /// Advances the clock in steps of 50 ms, and after each step waits until all threads have reacted.
    func pass(_ duration: Duration) {
        for _ in 0..<max(1, Int(duration / .milliseconds(50))) {
            kernel.advance(by: .milliseconds(50))
            kernel.settle()
        }
    }

    /// Unplugs the camera, and waits until `waiting` slots wait for their cameras.
    func unplug(_ path: String = Self.path, waiting: Int = 1) {
        kernel.unplug(path)
        kernel.waitForWatches(waiting)
        kernel.settle()
    }

    func plug(_ camera: FakeCamera = Self.webcam(), at path: String = Self.path) {
        kernel.add(path, camera)
        kernel.settle()
    }

    /// The first byte of the newest frame; nil if there is no new frame.
    func newest() -> UInt8? { slot.frames.take().map { Rig.bytes($0, count: 1)[0] } }
}
