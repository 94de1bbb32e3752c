import Foundation
import PipTestSupport
import Testing

@testable import PipPressure

@Suite("NVIDIA's library")
struct NVMLTests {
    /// The C source of a library with two GPUs, of which the second reports no throttle reasons.
    ///
    /// The functions are declared as in NVIDIA's `nvml.h`.
    private static let library = """
        #include <string.h>
        typedef struct nvmlDevice_st { unsigned long long reasons; int result; } *nvmlDevice_t;
        static struct nvmlDevice_st devices[2] = { { 0x8000000000000068ull, 0 }, { 0, 15 } };
        int starts, ends;
        int nvmlInit_v2(void) { starts++; return 0; }
        int nvmlShutdown(void) { ends++; return 0; }
        int nvmlDeviceGetCount_v2(unsigned int *count) { *count = 2; return 0; }
        int nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
        {
            *device = &devices[index];
            return index > 1;
        }
        int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons)
        {
            *reasons = device->reasons;
            return device->result;
        }
        """

    @Test(
        "NVIDIA's library is called by its C interface, and shut down at the end",
        .enabled(if: Compiler.isThere, "needs the C compiler cc"))
    func reasons() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(Self.library.utf8), to: "nvml.c")
        // The tested code opens the library by its soname, which finds the loaded fake library.
        let path = folder.path("fake.so")
        try Compiler.run(["-shared", "-fPIC", "-Wl,-soname,libnvidia-ml.so.1", "-o", path, folder.path("nvml.c")])
        guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw POSIXError(.ENOENT) }
        defer { _ = unsafe dlclose(handle) }
        func count(_ name: String) -> Int32? {
            unsafe dlsym(handle, name)?.load(as: Int32.self)
        }
        do {
            let library = try #require(NVML())
            #expect(
                library.clockReasons() == [
                    [.hardwareThermal, .softwareThermal, .hardwareSlowdown, GPUClockReasons(rawValue: 1 << 63)], nil,
                ])
            #expect(count("starts") == 1 && count("ends") == 0)
        }
        #expect(count("ends") == 1)
    }
}

/// The C compiler of this machine.
private enum Compiler {
    static var isThere: Bool { (try? run(["--version"])) != nil }

    static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["cc"] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.ENOEXEC) }
    }
}
