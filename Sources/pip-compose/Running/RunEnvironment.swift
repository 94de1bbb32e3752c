import Logging
import PipCompose

/// The session options that a ``Rig`` does not set.
struct RunEnvironment {
    let pressure: PressureOptions
    let pace: OutputPace
    /// True to start the session without missing cameras.
    let waitsForCameras: Bool
    let logger: Logger
    /// Sends the frame loop's heartbeat to the service manager; nil for a session without heartbeat.
    var service: ServiceNotifier?

    /// The session options that a composition cannot set.
    var options: SessionOptions {
        var options = SessionOptions()
        options.pace = pace
        options.pressure = pressure
        options.startsWithoutCameras = waitsForCameras
        options.endsWithHungDrivers = service?.isManaged ?? false
        options.logger = logger
        if let service, service.hasWatchdog { options.heartbeat = { service.live($0) } }
        return options
    }
}
