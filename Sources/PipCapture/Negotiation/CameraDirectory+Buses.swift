internal import PipFrames

extension CameraDirectory {
    /// The load that cameras in the given modes put on each bus; buses of unknown speed are left out.
    package func busLoads(of cameras: [(device: CameraDevice, mode: CameraMode)]) -> [BusLoad] {
        let groups = Dictionary(grouping: cameras) { $0.device.hostController }
        return groups.keys.sorted().compactMap { controller in
            guard let members = groups[controller], let budget = budget(of: members.map(\.device)) else { return nil }
            let bytes = members.reduce(0) { $0 + $1.mode.bytesPerSecond }
            return BusLoad(controller: controller, bytesPerSecond: bytes, budget: budget)
        }
    }

    /// The buses of known speed that several cameras share, with the load if one session ran all of these cameras.
    package func sharedBuses() -> [(load: BusLoad, cameras: [(device: CameraDevice, mode: CameraMode)])] {
        let devices = cameras()
        let wishes = jointWishes(devices.map { (.path($0.path), CameraWish()) })
        let chosen = zip(devices, wishes).compactMap { device, wish in
            chooseMode((try? modes(of: device, near: wish.size)) ?? [], wish).map { (device: device, mode: $0) }
        }
        let groups = Dictionary(grouping: chosen) { $0.device.hostController }
        return busLoads(of: chosen).compactMap { load in
            guard let members = groups[load.controller], members.count > 1 else { return nil }
            return (load, members)
        }
    }

    /// Reduces the requested modes of cameras that run together until the modes fit the USB buses that the cameras
    /// share, or cannot be reduced further.
    ///
    /// The first request belongs to the main camera, which makes each kind of concession after the others; see
    /// ``JointChoice``. A camera that is absent, or shares no USB bus of known speed, keeps its request.
    ///
    /// - Returns: The requests, in the same order.
    package func jointWishes(_ wishes: [(selector: CameraSelector, wish: CameraWish)]) -> [CameraWish] {
        var result = wishes.map(\.wish)
        let devices = wishes.map { try? camera(matching: $0.selector) }
        let indices = devices.indices.filter { devices[$0]?.usb != nil }
        let groups = Dictionary(grouping: indices) { devices[$0]?.hostController ?? "" }
        for group in groups.values where group.count > 1 {
            guard let budget = budget(of: group.compactMap { devices[$0] }) else { continue }
            var demands = group.map { index in
                let modes = devices[index].flatMap { try? self.modes(of: $0, near: wishes[index].wish.size) } ?? []
                return BusDemand(modes: modes, wish: wishes[index].wish, isMain: index == 0)
            }
            let before = demands.map(\.mode)
            JointChoice.fit(&demands, budget: budget)
            for (place, index) in group.enumerated() where demands[place].mode != before[place] {
                guard let mode = demands[place].mode else { continue }
                (result[index].format, result[index].size) = (mode.format, mode.size)
                result[index].frameRate = mode.frameRate ?? result[index].frameRate
            }
        }
        return result
    }

    /// The bandwidth of the devices' bus for periodic transfers, from the slowest link; nil when no speed is known.
    private func budget(of devices: [CameraDevice]) -> Double? {
        guard let slowest = devices.compactMap(usbSpeed(of:)).min(), slowest > 0 else { return nil }
        return BusLoad.budget(ofSpeed: slowest)
    }
}
