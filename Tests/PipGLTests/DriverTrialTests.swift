import Glibc
import PipTestSupport
import SystemPackage
import Testing

@testable import PipGL

/// The line of a process that no longer exists: an identifier beyond those that the kernel gives.
private let endedProcess = "99999999\n"

@Suite("Drivers that end the process")
struct DriverTrialTests {
    private let folder: TemporaryFolder
    private var trial: DriverTrial { DriverTrial("gbm", in: FilePath(folder.path(""))) }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws { try folder.write(Array(text.utf8), to: "gbm.starting") }

    @Test("a start leaves its process in the file until it returns, with or without an error")
    func file() throws {
        try trial.run { () throws(GLError) in
            #expect((try? folder.read("gbm.starting")).map { String(decoding: $0, as: UTF8.self) } == "\(getpid())\n")
        }
        #expect(try folder.names == [])
        #expect(throws: GLError.self) {
            try trial.run { () throws(GLError) in throw GLError("a", call: "b", reason: .text("c")) }
        }
        #expect(try folder.names == [])
    }

    @Test("a driver that has ended three processes is not started, and the error names the file")
    func ended() throws {
        try write(String(repeating: endedProcess, count: 3))
        let error = #expect(throws: GLError.self) {
            try trial.run { () throws(GLError) in Issue.record("the driver was started") }
        }
        #expect(error?.description.contains("at its last 3 starts") == true)
        #expect(error?.description.contains("gbm.starting") == true)
        #expect(try folder.names == ["gbm.starting"])
    }

    @Test(
        "ended processes up to two, processes that run, and other text do not keep a driver from being started",
        arguments: [endedProcess + endedProcess, String(repeating: "\(getpid())\n", count: 5), "a\n-\n\n"])
    func started(_ text: String) throws {
        try write(text)
        var count = 0
        try trial.run { () throws(GLError) in count += 1 }
        #expect(count == 1)
        #expect(try folder.names == [])
    }

    @Test("after a day the driver is tried again")
    func later() throws {
        try write(String(repeating: endedProcess, count: 9))
        var times = [timeval(tv_sec: time(nil) - 90_000, tv_usec: 0), timeval(tv_sec: time(nil) - 90_000, tv_usec: 0)]
        #expect(unsafe utimes(folder.path("gbm.starting"), &times) == 0)
        try trial.run { () throws(GLError) in }
        #expect(try folder.names == [])
    }

    @Test("without a folder, every start is tried")
    func withoutFolder() throws {
        var count = 0
        for folder in [nil, FilePath("/proc/none")] {
            try DriverTrial("gbm", in: folder).run { () throws(GLError) in count += 1 }
        }
        #expect(count == 2)
    }
}
