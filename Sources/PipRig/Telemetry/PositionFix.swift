internal import PipCompose
internal import PipText

/// The report of a GPS receiver at one moment.
struct PositionFix: Equatable {
    /// The place, positive to the north and east.
    ///
    /// Units: degrees.
    var latitude: Double?
    var longitude: Double?
    /// The height above sea level.
    ///
    /// Units: metres.
    var altitude: Double?
    /// Units: metres a second.
    var speed: Double?
    /// The direction of the movement, clockwise from north.
    ///
    /// Units: degrees.
    var heading: Double?
    /// The radius around the place within which the receiver is, as the receiver estimates it.
    ///
    /// Units: metres.
    var accuracy: Double?
    /// The number of satellites in use.
    var satellites: Int?
    /// The time of the report; nil while the receiver does not know it.
    var time: WallTime?

    /// The accuracy in metres up to which a place is believed.
    ///
    /// Receivers in tunnels and between high buildings report places that jump, and say themselves how bad they are.
    private static let worstAccuracy = 100.0
    /// The speed below which a receiver's heading is noise.
    ///
    /// Units: metres a second.
    private static let leastSpeed = 0.5
    /// The highest speed that receivers report, 1000 knots, in metres a second.
    private static let mostSpeed = 515.0

    /// The values of a fix, by the names that texts use.
    ///
    /// A place and a height that the receiver does not trust itself are left out, as is the heading of one that stands
    /// still.
    var values: [String: Telemetry.Value] {
        var values: [String: Double] = [:]
        let isTrusted = accuracy.map { $0 <= Self.worstAccuracy } ?? true
        if isTrusted, let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 {
            values["latitude"] = latitude
            values["longitude"] = longitude
            values["altitude"] = altitude
        }
        if isTrusted, let speed, (0...Self.mostSpeed).contains(speed) {
            values["speed"] = speed * 3.6
            values["mph"] = speed * 3.6 / 1.609344
            values["knots"] = speed * 3.6 / 1.852
            if speed >= Self.leastSpeed, let heading, (0...360).contains(heading) { values["heading"] = heading }
        }
        values["accuracy"] = accuracy
        values["satellites"] = satellites.map(Double.init)
        return values.mapValues { .number($0) }
    }
}
