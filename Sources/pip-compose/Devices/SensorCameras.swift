import PipCompose

#if Media
import PipMedia
#endif

/// The image sensors whose nodes deliver only raw pixels, so that libcamera must process them.
struct SensorCameras {
    /// The Debian package with the GStreamer element that opens libcamera's cameras.
    static let package = "gstreamer1.0-libcamera"

    /// True if this machine has such a sensor.
    let isNeeded: Bool
    /// libcamera's names for its cameras; empty on a machine without such a sensor.
    let names: [String]

    /// Looks for such sensors, and asks libcamera for its cameras only if there are any.
    init(_ directory: CameraDirectory) {
        isNeeded = MediaPipeline.all(beside: directory).contains(where: \.needsProcessing)
        #if Media
        names = isNeeded ? LibcameraCamera.all().map(\.name) : []
        #else
        names = []
        #endif
    }
}
