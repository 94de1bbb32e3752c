import PipCompose

#if Media
import PipMedia
#endif

/// The cameras that libcamera makes of image sensors, whose nodes have raw pixels only.
struct SensorCameras {
    /// The Debian package by which they are read.
    static let package = "gstreamer1.0-libcamera"

    /// True where there are such sensors.
    let isNeeded: Bool
    /// libcamera's names for its cameras; none are looked for where there are no such sensors.
    let names: [String]

    /// Looks for sensors, and asks libcamera where there are some.
    init(_ directory: CameraDirectory) {
        isNeeded = MediaPipeline.all(beside: directory).contains(where: \.needsProcessing)
        #if Media
        names = isNeeded ? LibcameraCamera.all().map(\.name) : []
        #else
        names = []
        #endif
    }
}
