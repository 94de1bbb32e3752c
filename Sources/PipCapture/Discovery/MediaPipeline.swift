internal import CV4L2

/// The hardware behind a media device: sensors, lenses, flashes, and video nodes.
///
/// Source: Linux userspace API, "Media Controller API".
package struct MediaPipeline: Sendable, Hashable {
    /// The device's path, such as `/dev/media0`.
    package let path: String
    package let driver: String
    package let model: String
    /// The names of image sensors.
    package let sensors: [String]
    /// The names of focusable lenses.
    package let lenses: [String]
    /// The names of flashes and torches.
    package let flashes: [String]
    /// The number of video nodes, which transfer pictures, statistics or parameters.
    package let nodes: Int

    /// Queries a media device; returns nil when the path leads to another device or the device does not answer.
    init?(_ path: String, _ calls: any V4L2Calls) {
        guard let device = try? V4L2Device(at: path, calls: calls) else { return nil }
        var information = media_device_info()
        guard device.perform(.mediaInformation, &information) == nil else { return nil }
        guard let entities = Self.entities(device) else { return nil }
        func names(_ function: UInt32) -> [String] {
            entities.filter { $0.function == function }.map { text(of: $0.name) }
        }
        self.path = path
        driver = text(of: information.driver)
        model = text(of: information.model)
        (sensors, lenses, flashes) = (names(PIP_MEDIA_SENSOR), names(PIP_MEDIA_LENS), names(PIP_MEDIA_FLASH))
        nodes = entities.count { $0.function == PIP_MEDIA_NODE }
    }

    private static func entities(_ device: V4L2Device) -> [media_v2_entity]? {
        var topology = media_v2_topology()
        guard device.perform(.mediaTopology, &topology) == nil, topology.num_entities <= 1024 else { return nil }
        var entities = [media_v2_entity](repeating: media_v2_entity(), count: Int(topology.num_entities))
        let isRead = unsafe entities.withUnsafeMutableBufferPointer { entities in
            var request = media_v2_topology()
            request.num_entities = topology.num_entities
            request.ptr_entities = UInt64(UInt(bitPattern: entities.baseAddress))
            return device.perform(.mediaTopology, &request) == nil
        }
        return isRead ? entities : nil
    }
}

extension MediaPipeline {
    /// True when the nodes deliver a sensor's raw pixels unless a program such as libcamera sets up the processing.
    ///
    /// Webcams process their pictures themselves.
    package var needsProcessing: Bool { !sensors.isEmpty && driver != "uvcvideo" }

    /// The media devices of the machine whose cameras `directory` lists.
    package static func all(beside directory: CameraDirectory) -> [MediaPipeline] {
        let names = directory.calls.names(in: "/dev").filter { $0.hasPrefix("media") && Int($0.dropFirst(5)) != nil }
        return names.sorted().compactMap { MediaPipeline("/dev/\($0)", directory.calls) }
    }
}
