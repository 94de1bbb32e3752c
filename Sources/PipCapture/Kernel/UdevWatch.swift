internal import Glibc

/// Receives udev's events of video devices, which udev sends after it has set the nodes' permissions.
///
/// libudev is optional, and loaded at run time.
///
/// Source: libudev(3), udev_monitor_new_from_netlink(3).
@safe final class UdevWatch: DeviceWatch {
    private typealias Handle = OpaquePointer?
    private let library: UdevLibrary
    private let udev: Handle
    private let monitor: Handle
    let descriptor: CInt

    /// Starts the watch; returns nil when udev does not run, or when libudev is missing or refuses the watch.
    init?() {
        // Without the udev daemon, the monitor would receive no events.
        guard unsafe access("/run/udev/control", F_OK) == 0, let library = UdevLibrary(),
            let udev = unsafe library.new()
        else { return nil }
        guard let monitor = unsafe library.newMonitor(udev, "udev"),
            unsafe library.filter(monitor, "video4linux", nil) >= 0, unsafe library.enable(monitor) >= 0
        else {
            _ = unsafe library.release(udev)
            return nil
        }
        self.library = library
        unsafe self.udev = unsafe udev
        unsafe self.monitor = unsafe monitor
        descriptor = unsafe library.descriptor(monitor)
    }

    deinit {
        _ = unsafe library.releaseMonitor(monitor)
        _ = unsafe library.release(udev)
    }

    func drain() -> Bool {
        var hasAny = false
        while let device = unsafe library.receive(monitor) {
            hasAny = true
            _ = unsafe library.releaseDevice(device)
        }
        return hasAny
    }
}

/// The functions of libudev that ``UdevWatch`` calls.
@safe private struct UdevLibrary {
    typealias Handle = OpaquePointer
    private typealias Release = @convention(c) (Handle?) -> Handle?
    let new: @convention(c) () -> Handle?
    let release: @convention(c) (Handle?) -> Handle?
    let newMonitor: @convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?
    let releaseMonitor: @convention(c) (Handle?) -> Handle?
    let filter: @convention(c) (Handle?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> CInt
    let enable: @convention(c) (Handle?) -> CInt
    let descriptor: @convention(c) (Handle?) -> CInt
    let receive: @convention(c) (Handle?) -> Handle?
    let releaseDevice: @convention(c) (Handle?) -> Handle?

    /// Loads libudev, which is never unloaded; returns nil when the library or a function is missing.
    init?() {
        guard let library = unsafe dlopen("libudev.so.1", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            unsafe dlsym(library, name).map { unsafe unsafeBitCast($0, to: type) }
        }
        guard let new = unsafe function("udev_new", as: (@convention(c) () -> Handle?).self),
            let release = unsafe function("udev_unref", as: Release.self),
            let newMonitor = unsafe function(
                "udev_monitor_new_from_netlink", as: (@convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?).self),
            let releaseMonitor = unsafe function("udev_monitor_unref", as: Release.self),
            let filter = unsafe function(
                "udev_monitor_filter_add_match_subsystem_devtype",
                as: (@convention(c) (Handle?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> CInt).self),
            let enable = unsafe function(
                "udev_monitor_enable_receiving", as: (@convention(c) (Handle?) -> CInt).self),
            let descriptor = unsafe function("udev_monitor_get_fd", as: (@convention(c) (Handle?) -> CInt).self),
            let receive = unsafe function("udev_monitor_receive_device", as: Release.self),
            let releaseDevice = unsafe function("udev_device_unref", as: Release.self)
        else { return nil }
        unsafe self.new = unsafe new
        unsafe self.release = unsafe release
        unsafe self.newMonitor = unsafe newMonitor
        unsafe self.releaseMonitor = unsafe releaseMonitor
        unsafe self.filter = unsafe filter
        unsafe self.enable = unsafe enable
        unsafe self.descriptor = unsafe descriptor
        unsafe self.receive = unsafe receive
        unsafe self.releaseDevice = unsafe releaseDevice
    }
}
