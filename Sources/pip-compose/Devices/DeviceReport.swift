import PipCompose
import PipRig

/// The cameras of this machine, with their modes.
struct DeviceReport {
    struct Entry {
        let camera: CameraDevice
        let modes: [CameraMode]
        /// The controls with their present values.
        let controls: [CameraControl]
        /// The reason why the modes are unreadable; nil for a readable camera.
        let trouble: CaptureError?
        /// The other cameras of the same device, each with its index in the list.
        var siblings: [(index: Int, camera: CameraDevice)] = []
        /// The size of the sensor, for a camera that can read a part of it; nil for a camera that always reads the
        /// whole sensor.
        var sensor: PixelSize?
    }

    let cameras: [Entry]
    /// Nodes that may be cameras but refuse queries.
    let unusable: [CaptureError]
    /// The virtual cameras without a writer, which deliver no frames.
    let idleVirtualCameras: [VirtualCameraDevice]
    /// The sensors that libcamera can use as cameras.
    let sensorCameras: SensorCameras
    /// The availability of a desktop's camera portal.
    let portalCameras: PortalCameras

    /// Queries all cameras, which takes some milliseconds each.
    ///
    /// - Parameters:
    ///   - directory: The directory of cameras.
    ///   - asksPortal: True to look for a portal on the session bus when there is no camera.
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
    /// The sizes and rates of a pixel format.
    struct FormatModes: Equatable {
        let format: FourCC
        let isUsable: Bool
        let isEmulated: Bool
        var sizes: [SizeModes]
    }

    /// The rates at a size, the highest first.
    struct SizeModes: Equatable {
        let size: PixelSize
        var rates: [FrameRate]
    }

    /// The modes, grouped by format in the driver's order, the largest size first.
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
