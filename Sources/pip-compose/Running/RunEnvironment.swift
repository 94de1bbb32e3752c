import Logging
import PipCompose

/// The session options that come from the process rather than from the composition.
struct RunEnvironment {
    let pressure: PressureOptions
    let pace: OutputPace
    /// True to start without missing cameras.
    let waitsForCameras: Bool
    let logger: Logger
    /// The service manager's notifier, which receives the frame loop's heartbeat; nil for no service.
    var service: ServiceNotifier?

    /// The options of a session that its composition does not contain.
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
