import PipCompose
import PipRig

/// The cameras of this machine with their modes and controls, and the devices that could become cameras.
struct DeviceReport {
    struct Entry {
        let camera: CameraDevice
        let modes: [CameraMode]
        /// The controls with their current values.
        let controls: [CameraControl]
        /// The error that made the modes unreadable; nil for a camera whose modes could be read.
        let trouble: CaptureError?
        /// The other cameras of the same physical device, each with its index in the list.
        var siblings: [(index: Int, camera: CameraDevice)] = []
        /// The size of the sensor, if the camera can read a part of it to zoom; nil for any other camera.
        var sensor: PixelSize?
    }

    let cameras: [Entry]
    /// The errors of nodes that may be cameras, but cannot be queried.
    let unusable: [CaptureError]
    /// The virtual cameras to which no program writes, so that they deliver no frames.
    let idleVirtualCameras: [VirtualCameraDevice]
    /// The image sensors that need libcamera.
    let sensorCameras: SensorCameras
    let portalCameras: PortalCameras

    /// Queries all cameras, which takes some milliseconds for each.
    ///
    /// - Parameters:
    ///   - directory: The directory in which cameras are found.
    ///   - asksPortal: True to look for a portal on the session bus if there is no camera.
    init(_ directory: CameraDirectory, asksPortal: Bool = false) {
        let found = directory.cameras()
        let groups = CameraGroup.groups(of: found)
        cameras = found.map { camera in
            let others = groups.first { $0.cameras.contains(camera) }?.cameras.filter { $0 != camera } ?? []
            let siblings = found.enumerated().filter { others.contains($0.element) }.map { ($0.offset, $0.element) }
            do throws(CaptureError) {
                return Entry(
                    camera: camera, modes: try directory.modes(of: camera),
                    controls: (try? directory.controls(of: camera)) ?? [], trouble: nil, siblings: siblings,
                    sensor: (try? directory.zoom(of: camera))?.sensor)
            } catch {
                return Entry(camera: camera, modes: [], controls: [], trouble: error, siblings: siblings)
            }
        }
        unusable = directory.unusableNodes()
        let paths = Set(cameras.map(\.camera.path))
        let virtualCameras = VirtualCameraDirectory(calls: directory.calls).devices()
        idleVirtualCameras = virtualCameras.filter { !paths.contains($0.path) }
        sensorCameras = SensorCameras(directory)
        portalCameras = PortalCameras(directory, isWanted: asksPortal && found.isEmpty)
    }
}

extension DeviceReport.Entry {
    /// A pixel format with its sizes and rates.
    struct FormatModes: Equatable {
        let format: FourCC
        let isUsable: Bool
        let isEmulated: Bool
        var sizes: [SizeModes]
    }

    /// A size with its frame rates, the highest first.
    struct SizeModes: Equatable {
        let size: PixelSize
        var rates: [FrameRate]
    }

    /// The modes, grouped by format.
    ///
    /// Formats have the driver's order, and each has its largest size first.
    var formats: [FormatModes] {
        var formats: [FormatModes] = []
        for mode in modes {
            let index: Int
            if let found = formats.firstIndex(where: { $0.format == mode.format }) {
                index = found
            } else {
                index = formats.count
                formats.append(
                    FormatModes(format: mode.format, isUsable: mode.isUsable, isEmulated: mode.isEmulated, sizes: []))
            }
            let rates = mode.frameRate.map { [$0] } ?? []
            if let size = formats[index].sizes.firstIndex(where: { $0.size == mode.size }) {
                for rate in rates where !formats[index].sizes[size].rates.contains(rate) {
                    formats[index].sizes[size].rates.append(rate)
                }
            } else {
                formats[index].sizes.append(SizeModes(size: mode.size, rates: rates))
            }
        }
        for format in formats.indices {
            for size in formats[format].sizes.indices { formats[format].sizes[size].rates.sort(by: >) }
            formats[format].sizes.sort { $0.size.area > $1.size.area }
        }
        return formats
    }
}
