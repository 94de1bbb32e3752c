import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture
@testable import PipCompose

extension CameraTransactionSessionTests {
    private func exposure(of path: String) -> Int? { rig.kernel.controlValue(Self.exposure, of: path) }

    @Test("adjustments and controls of a transaction are set at its end, those of both cameras together")
    func requests() async throws {
        try await run { session, _ in
            try await session.transaction {
                let set = try await session.adjust(main) { $0.exposure = .time(.milliseconds(5)) }
                #expect(set.isEmpty)
                #expect(try await session.setControls([("brightness", 7)], of: main) == [7])
                // The last one of several values for the same control is set.
                #expect(try await session.setControls([("brightness", 8)], of: main) == [8])
                try await session.adjust(inset) { $0.exposure = .time(.milliseconds(6)) }
                try await session.setMode(CameraWish(size: Self.sizes[1]), of: inset)
                #expect(exposure(of: CameraRig.path) == 0 && exposure(of: Self.second) == 0)
            }
            #expect(exposure(of: CameraRig.path) == 50 && exposure(of: Self.second) == 60)
            #expect(rig.kernel.controlValue(Self.brightness, of: CameraRig.path) == 8)
            #expect(rig.kernel.size(of: Self.second) == Self.sizes[1])
        }
    }

    @Test("if one camera refuses a request, no request is made, and the next transaction begins without requests")
    func refusedRequests() async throws {
        try await run { session, _ in
            let error = await #expect(throws: SessionError.self) {
                try await session.transaction {
                    try await session.adjust(main) { $0.exposure = .time(.milliseconds(5)) }
                    try await session.setControls([("brightness", 420)], of: inset)
                }
            }
            #expect(error?.description.contains("cannot set brightness to 420") == true)
            #expect(exposure(of: CameraRig.path) == 0)
            try await session.transaction { try await session.setControls([("brightness", 9)], of: inset) }
            #expect(exposure(of: CameraRig.path) == 0)
            #expect(rig.kernel.controlValue(Self.brightness, of: Self.second) == 9)
        }
    }

    @Test("a request that an inner transaction takes back is not made")
    func innerRequest() async throws {
        try await run { session, _ in
            try await session.transaction {
                try await session.setControls([("brightness", 5)], of: main)
                await #expect(throws: Mistake.self) {
                    try await session.transaction {
                        try await session.setControls([("brightness", 6)], of: main)
                        throw Mistake()
                    }
                }
            }
            #expect(rig.kernel.controlValue(Self.brightness, of: CameraRig.path) == 5)
        }
    }

    @Test("a later transaction makes the same request again, but no older request")
    func repeatedRequest() async throws {
        try await run { session, _ in
            for _ in 0..<2 {
                try await session.transaction {
                    try await session.adjust(main) { $0.exposure = .time(.milliseconds(5)) }
                }
                #expect(exposure(of: CameraRig.path) == 50)
                try await session.setControl("exposure_time_absolute", to: 70, of: main)
                try await session.transaction { try await session.setControls([("brightness", 3)], of: main) }
                #expect(exposure(of: CameraRig.path) == 70)
            }
        }
    }

    @Test("a camera that replaces another in the same transaction gets the other's request")
    func requestForSuccessor() async throws {
        let third = "/dev/video2"
        var camera = FakeCamera(formats: [FakeCamera.Format("NV12", sizes: .discrete(Self.sizes))])
        camera.busInfo = "usb-0000:00:1a.0-2"
        camera.controls = [FakeCamera.Control(Self.brightness, "Brightness")]
        rig.kernel.add(third, camera)
        try await run { session, _ in
            try await rig.kernel.delivering([(third, 120)]) {
                try await session.transaction {
                    try await session.switchCamera(inset, to: .path(third))
                    try await session.setControls([("brightness", 44)], of: inset)
                }
            }
            #expect(session.statistics.sources[1].device == third)
            #expect(rig.kernel.controlValue(Self.brightness, of: third) == 44)
            #expect(rig.kernel.controlValue(Self.brightness, of: Self.second) == 0)
        }
    }

    /// Exchanges the cameras of the two sources.
    private func exchange(_ session: Session) async throws {
        try await session.transaction {
            try await session.switchCamera(main, to: .path(Self.second))
            try await session.switchCamera(inset, to: .path(CameraRig.path))
        }
    }

    @Test("two sources exchange their cameras in one transaction, and back")
    func exchanged() async throws {
        try await run { session, _ in
            for devices in [[Self.second, CameraRig.path], [CameraRig.path, Self.second]] {
                let used = session.statistics.sources.map(\.used)
                try await session.transaction {
                    try await session.switchCamera(main, to: .path(devices[0]))
                    try await session.switchCamera(inset, to: .path(devices[1]))
                }
                #expect(session.statistics.sources.map(\.device) == devices)
                #expect(await waitUntil { zip(session.statistics.sources, used).allSatisfy { $0.used > $1 } })
                #expect(session.statistics.sources.allSatisfy { $0.state == .streaming })
            }
        }
        #expect(rig.kernel.openDescriptorCount == 0)
    }

    @Test(
        "an exchange that a driver refuses leaves both sources with their cameras, and delivering",
        arguments: [CameraRig.path, CameraTransactionSessionTests.second])
    func refusedExchange(path: String) async throws {
        try await run { session, _ in
            // The failing call is the setting of the format: a failed stream start would be retried, and then succeed.
            rig.kernel.fail(.setFormat, on: path, with: .ioError)
            await #expect(throws: SessionError.self) { try await exchange(session) }
            #expect(main.selector == .path(CameraRig.path) && inset.selector == .path(Self.second))
            #expect(session.statistics.sources.map(\.device) == [CameraRig.path, Self.second])
            let used = session.statistics.sources.map(\.used)
            #expect(await waitUntil { zip(session.statistics.sources, used).allSatisfy { $0.used > $1 } })
        }
    }

    @Test("a source takes another source's camera, while that source takes a third camera")
    func chain() async throws {
        let third = "/dev/video2"
        var camera = FakeCamera(formats: [FakeCamera.Format("NV12", sizes: .discrete(Self.sizes))])
        camera.busInfo = "usb-0000:00:1a.0-2"
        rig.kernel.add(third, camera)
        try await run { session, _ in
            try await rig.kernel.delivering([(third, 120)]) {
                try await session.transaction {
                    try await session.switchCamera(main, to: .path(Self.second))
                    try await session.switchCamera(inset, to: .path(third))
                }
            }
            #expect(session.statistics.sources.map(\.device) == [Self.second, third])
        }
    }

    @Test("a camera that its source keeps cannot be taken by another source")
    func kept() async throws {
        try await run { session, _ in
            let error = await #expect(throws: SessionError.self) {
                try await session.switchCamera(main, to: .path(Self.second))
            }
            #expect(error?.description.contains("another source of this program uses the camera") == true)
            #expect(session.statistics.sources.map(\.device) == [CameraRig.path, Self.second])
        }
    }
}
