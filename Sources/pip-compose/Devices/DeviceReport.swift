import PipCompose
import PipRig

/// The cameras of this machine with their modes.
struct DeviceReport {
    struct Entry {
        let camera: CameraDevice
        let modes: [CameraMode]
        /// Its controls with their present values.
        let controls: [CameraControl]
        /// The reason why its modes could not be read.
        let trouble: CaptureError?
        /// The other cameras of its device, each with its place in the list.
        var siblings: [(index: Int, camera: CameraDevice)] = []
        /// The pixels of the sensor of which it can read a part; nil where it always reads all.
        var sensor: PixelSize?
    }

    let cameras: [Entry]
    /// Nodes that may be cameras but could not be asked.
    let unusable: [CaptureError]
    /// The virtual cameras that nobody writes to, which are no cameras just now.
    let idleVirtualCameras: [VirtualCameraDevice]
    /// The cameras that libcamera makes of sensors.
    let sensorCameras: SensorCameras
    /// The way to the cameras of a desktop's portal.
    let portalCameras: PortalCameras

    /// Asks all cameras; takes some milliseconds for each.
    ///
    /// - Parameters:
    ///   - directory: Where cameras are found.
    ///   - asksPortal: Whether a portal is looked for on the session's bus where there is no camera.
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
    /// Sizes and rates of one pixel format.
    struct FormatModes: Equatable {
        let format: FourCC
        let isUsable: Bool
        let isEmulated: Bool
        var sizes: [SizeModes]
    }

    /// The rates at one size, fastest first.
    struct SizeModes: Equatable {
        let size: PixelSize
        var rates: [FrameRate]
    }

    /// The modes by format in the driver's order, the largest size first.
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
