internal import Glibc

/// NVIDIA's management library (NVML), loaded if it is installed.
///
/// Source: NVML API reference.
@safe final class NVML: GPULibrary {
    private typealias Plain = @convention(c) () -> Int32
    private typealias Count = @convention(c) (UnsafeMutablePointer<UInt32>) -> Int32
    private typealias Handle = @convention(c) (UInt32, UnsafeMutablePointer<UInt>) -> Int32
    private typealias Reasons = @convention(c) (UInt, UnsafeMutablePointer<UInt64>) -> Int32

    private let shutDown: Plain
    private let reasons: Reasons
    /// The library's handles of the GPUs: pointers that only the library may dereference.
    private let devices: [UInt]

    /// Loads and initializes the library; nil when the library is missing, fails, or knows no GPU.
    init?() {
        // The library is never unloaded, because drivers' libraries do not survive unloading.
        guard let library = unsafe dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL),
            let start = unsafe dlsym(library, "nvmlInit_v2"), let shutDown = unsafe dlsym(library, "nvmlShutdown"),
            let count = unsafe dlsym(library, "nvmlDeviceGetCount_v2"),
            let handle = unsafe dlsym(library, "nvmlDeviceGetHandleByIndex_v2"),
            // The function's present name, or its name in older drivers.
            let reasons = unsafe dlsym(library, "nvmlDeviceGetCurrentClocksEventReasons")
                ?? dlsym(library, "nvmlDeviceGetCurrentClocksThrottleReasons")
        else { return nil }
        self.shutDown = unsafe unsafeBitCast(shutDown, to: Plain.self)
        unsafe self.reasons = unsafeBitCast(reasons, to: Reasons.self)
        guard unsafe unsafeBitCast(start, to: Plain.self)() == 0 else { return nil }
        var devices: [UInt] = []
        var found: UInt32 = 0
        if unsafe unsafeBitCast(count, to: Count.self)(&found) == 0 {
            for index in 0..<found {
                var device: UInt = 0
                if unsafe unsafeBitCast(handle, to: Handle.self)(index, &device) == 0 { devices.append(device) }
            }
        }
        self.devices = devices
        // From here on, `deinit` shuts the library down.
        if devices.isEmpty { return nil }
    }

    deinit { _ = shutDown() }

    func clockReasons() -> [GPUClockReasons?] {
        devices.map { device in
            var value: UInt64 = 0
            return unsafe reasons(device, &value) == 0 ? GPUClockReasons(rawValue: value) : nil
        }
    }
}
