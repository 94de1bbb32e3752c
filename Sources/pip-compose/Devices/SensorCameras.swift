import PipCompose

#if Media
import PipMedia
#endif

/// The image sensors whose nodes deliver only raw pixels, so that libcamera must process them.
struct SensorCameras {
    /// The Debian package with the GStreamer element that opens libcamera's cameras.
    static let package = "gstreamer1.0-libcamera"

    /// True if this machine has a sensor whose raw pixels libcamera must process.
    let isNeeded: Bool
    /// libcamera's names for its cameras; empty if no sensor needs libcamera, and in a program built without media.
    let names: [String]

    /// Looks for sensors that deliver raw pixels, and asks libcamera for its cameras only if there is such a sensor.
    init(_ directory: CameraDirectory) {
        isNeeded = MediaPipeline.all(beside: directory).contains(where: \.needsProcessing)
        #if Media
        names = isNeeded ? LibcameraCamera.all().map(\.name) : []
        #else
        names = []
        #endif
    }
}
