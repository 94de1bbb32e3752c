import PipCompose

#if Media
import PipMedia
#endif

/// The image sensors whose nodes deliver raw pixels only, and which libcamera can use as cameras.
struct SensorCameras {
    /// The Debian package that reads libcamera's cameras.
    static let package = "gstreamer1.0-libcamera"

    /// True when this machine has such sensors.
    let isNeeded: Bool
    /// libcamera's names of its cameras; empty on a machine without such sensors.
    let names: [String]

    /// Looks for sensors, and if there are any, asks libcamera for its cameras.
    init(_ directory: CameraDirectory) {
        isNeeded = MediaPipeline.all(beside: directory).contains(where: \.needsProcessing)
        #if Media
        names = isNeeded ? LibcameraCamera.all().map(\.name) : []
        #else
        names = []
        #endif
    }
}
