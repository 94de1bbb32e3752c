import CV4L2
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture

@Suite("Changes of several cameras at once")
struct CameraTransactionTests {
    private static let brightness = UInt32(V4L2_CID_BRIGHTNESS)
    private static let vga = CameraWish(size: PixelSize(640, 480))

    /// Two streaming cameras on one bus.
    private struct Pair {
        static let second = "/dev/video2"
        let first: SlotRig
        let second: SlotRig

        init(_ change: (inout FakeCamera) -> Void = { _ in }, wish: CameraWish = vga) throws {
            var cameras = [SlotRig.webcam("A1", port: "1"), SlotRig.webcam("B2", port: "2")]
            for index in cameras.indices {
                cameras[index].sysfsLink =
                    "../../devices/pci0000:00/0000:00:14.0/usb1/1-\(index + 1)/1-\(index + 1):1.0/video4linux/"
                    + "video\(index * 2)"
                cameras[index].formats = [
                    FakeCamera.Format("YUYV", sizes: .discrete([PixelSize(640, 480), .hd720, .hd1080]))
                ]
                cameras[index].controls = [
                    FakeCamera.Control(brightness, "Brightness"),
                    FakeCamera.Control(UInt32(V4L2_CID_CONTRAST), "Contrast"),
                ]
                change(&cameras[index])
            }
            first = try SlotRig(cameras[0], wish: wish)
            second = try SlotRig(
                cameras[1], wish: wish, kernel: first.kernel, in: first.directory, path: Self.second)
            try first.start()
            try second.slot.start()
            first.kernel.settle()
            second.produce(at: Self.second)
            forget()
        }

        var kernel: FakeKernel { first.kernel }

        /// Discards the recorded calls on both cameras.
        func forget() { for path in [SlotRig.path, Self.second] { _ = kernel.takeTrace(of: path) } }

        /// The calls since ``forget()`` that set something on the second camera.
        var changesOfSecond: [String] {
            kernel.takeTrace(of: Self.second).filter {
                $0.hasPrefix("VIDIOC_S") || ["VIDIOC_REQBUFS", "VIDIOC_TRY_FMT", "VIDIOC_TRY_EXT_CTRLS"].contains($0)
            }
        }

        var sizes: [PixelSize?] { [first.slot, second.slot].map { $0.format?.mode.size } }

        var brightnesses: [Int?] {
            [SlotRig.path, Self.second].map { kernel.controlValue(CameraTransactionTests.brightness, of: $0) }
        }

        /// Changes both cameras' setups in one transaction.
        func change(
            _ edit: (inout [CameraSetup]) -> Void
        ) async throws(CaptureError) {
            let slots = [first.slot, second.slot]
            var setups = slots.map(\.setup)
            let before = setups
            edit(&setups)
            let steps = slots.indices.filter { setups[$0] != before[$0] }.map {
                (slot: slots[$0], change: SetupChange(from: before[$0], to: setups[$0]))
            }
            try await CameraTransaction(steps, beside: slots, in: first.directory).settle()
        }

        func stop() async {
            await first.slot.stop()
            await second.slot.stop()
            #expect(kernel.openDescriptorCount == 0 && kernel.mappingCount == 0)
        }
    }

    @Test("S02: a camera whose setup does not change gets no calls")
    func untouched() async throws {
        let pair = try Pair()
        try await pair.change { $0[0].wish.size = .hd720 }
        #expect(pair.sizes == [.hd720, PixelSize(640, 480)])
        #expect(pair.changesOfSecond.isEmpty)
        await pair.stop()
    }

    @Test("S02: a setup that one camera would refuse is found before the other camera is changed")
    func checkedFirst() async throws {
        let pair = try Pair()
        let error = await #expect(throws: CaptureError.self) {
            try await pair.change {
                $0[0].wish.size = .hd720
                $0[1].wish.controls = [("brightness", 500)]
            }
        }
        #expect(error?.description.contains("set brightness to 500") == true, "\(String(describing: error))")
        #expect(!pair.kernel.takeTrace(of: SlotRig.path).contains("VIDIOC_S_FMT"))
        #expect(pair.sizes == [PixelSize(640, 480), PixelSize(640, 480)])
        await pair.stop()
    }

    @Test("S02: if a camera cannot stream after all, the other camera's change is taken back")
    func takenBack() async throws {
        let pair = try Pair(wish: CameraWish(size: PixelSize(640, 480), controls: [("brightness", 11)]))
        pair.kernel.fail(.streamOn, on: Pair.second, with: .ioError, times: 2)
        let error = await #expect(throws: CaptureError.self) {
            try await pair.change { setups in
                for index in setups.indices {
                    setups[index].wish.size = .hd720
                    setups[index].wish.controls = [("brightness", 22)]
                }
            }
        }
        #expect(error?.call == "VIDIOC_STREAMON")
        #expect(pair.sizes == [PixelSize(640, 480), PixelSize(640, 480)])
        #expect(pair.brightnesses == [11, 11])
        pair.first.produce(7)
        pair.second.produce(8, at: Pair.second)
        #expect(pair.first.newest() == 7 && pair.second.newest() == 8)
        await pair.stop()
    }

    @Test("C03: controls by meaning and by name are set together, and only those that change")
    func together() async throws {
        let pair = try Pair(wish: CameraWish(size: PixelSize(640, 480), controls: [("brightness", 11)]))
        try await pair.change { setups in
            setups[0].wish.controls = [("brightness", 11), ("contrast", 44)]
            setups[1].wish.controls = [("brightness", 33), ("contrast", 44)]
        }
        #expect(pair.brightnesses == [11, 33])
        let first = pair.kernel.takeTrace(of: SlotRig.path)
        #expect(!first.contains("VIDIOC_S_FMT") && !first.contains("VIDIOC_STREAMOFF"))
        // The first camera sets one control by itself, and the second camera sets two in one call.
        #expect(first.filter { $0 == "VIDIOC_S_CTRL" }.count == 1)
        let second = pair.changesOfSecond
        #expect(second.filter { $0 == "VIDIOC_S_EXT_CTRLS" }.count == 1 && !second.contains("VIDIOC_S_CTRL"))
        await pair.stop()
    }

    @Test("C02: a camera that another program has reserved is refused, and nothing is changed")
    func reserved() async throws {
        let pair = try Pair()
        pair.kernel.change(Pair.second) { $0.isReserved = true }
        let error = await #expect(throws: CaptureError.self) {
            try await pair.change { setups in
                setups[0].wish.controls = [("brightness", 5)]
                setups[1].wish.controls = [("brightness", 5)]
            }
        }
        #expect(error?.kind == .busy && error?.device == Pair.second)
        #expect(error?.description.contains("another program has reserved") == true)
        #expect(pair.brightnesses == [0, 0])
        await pair.stop()
    }

    @Test("the priority for setting a camera is released, whether the change succeeded or not", arguments: [50, 500])
    func givenBack(value: Int) async throws {
        let pair = try Pair()
        try? await pair.change { $0[0].wish.controls = [("brightness", value)] }
        #expect(pair.kernel.takeTrace(of: SlotRig.path).filter { $0 == "VIDIOC_S_PRIORITY" }.count == 2)
        await pair.stop()
    }

    @Test("modes beyond the bandwidth of their bus are refused, unless the earlier modes needed as much")
    func buses() async throws {
        let pair = try Pair()
        for node in ["video0", "video2"] {
            pair.kernel.setText("480", of: "/sys/class/video4linux/\(node)/device/../speed")
        }
        let error = await #expect(throws: CaptureError.self) {
            try await pair.change { $0[0].wish.size = .hd1080 }
        }
        #expect(error?.kind == .noBandwidth)
        #expect(error?.description.contains("these streams need more bandwidth than the bus has") == true)
        #expect(pair.sizes.first == PixelSize(640, 480))
        await pair.stop()
    }

    @Test("C14: a driver that resets its controls with its format gets them again")
    func remembered() async throws {
        let pair = try Pair(
            { $0.forgetsControls = true }, wish: CameraWish(size: PixelSize(640, 480), controls: [("brightness", 11)]))
        try pair.first.slot.set([("contrast", 7)])
        try await pair.change { $0[0].wish.size = .hd720 }
        #expect(pair.brightnesses.first == 11)
        #expect(pair.kernel.controlValue(UInt32(V4L2_CID_CONTRAST), of: SlotRig.path) == 7)
        await pair.stop()
    }

    @Test("a driver that hangs is named, and other work is not held up for ever")
    func hanging() async throws {
        try await VirtualTime.run { clock, _ in
            var camera = SlotRig.webcam()
            camera.formats = [FakeCamera.Format("YUYV", sizes: .discrete([PixelSize(640, 480), .hd720]))]
            let rig = try SlotRig(camera, wish: Self.vga, kernel: FakeKernel(clock: clock))
            try rig.slot.start()
            try await rig.deliver()
            rig.kernel.hang("VIDIOC_TRY_FMT", on: SlotRig.path)
            let before = rig.slot.setup
            var after = before
            after.wish.size = .hd720
            let asked = clock.now
            do throws(CaptureError) {
                let step = (slot: rig.slot, change: SetupChange(from: before, to: after))
                try await CameraTransaction([step], beside: [rig.slot], in: rig.directory).settle()
                Issue.record("the camera was changed although its driver hangs")
            } catch {
                #expect(error.kind == .hanging && error.device == SlotRig.path, "\(error)")
            }
            #expect(asked.duration(to: clock.now) >= .seconds(10))
            rig.kernel.release(SlotRig.path)
            try await rig.deliver(3)
            #expect(rig.slot.format?.mode.size == PixelSize(640, 480) && rig.slot.setup == before)
            await rig.slot.stop()
        }
    }

    @Test("a lost camera gets its change when it returns")
    func lost() async throws {
        let pair = try Pair()
        pair.first.unplug()
        try await pair.change { setups in
            setups[0].wish.size = .hd720
            setups[0].wish.controls = [("brightness", 9)]
            setups[1].wish.controls = [("brightness", 9)]
        }
        #expect(pair.brightnesses.last == 9)
        var camera = SlotRig.webcam("A1", port: "1")
        camera.formats = [FakeCamera.Format("YUYV", sizes: .discrete([PixelSize(640, 480), .hd720]))]
        camera.controls = [FakeCamera.Control(Self.brightness, "Brightness")]
        pair.first.plug(camera)
        pair.first.produce(3)
        #expect(pair.sizes.first == .hd720 && pair.brightnesses.first == 9)
        await pair.stop()
    }
}
