import Logging
import PipCompose

/// What a session is given by the process that runs it.
struct RunEnvironment {
    let pressure: PressureOptions
    let pace: OutputPace
    /// True when the session starts without the cameras that are missing.
    let waitsForCameras: Bool
    let logger: Logger
    /// Receives the frame loop's signs of life; nil for none.
    var service: ServiceNotifier?

    /// The options of a session, as far as a composition does not say them.
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
