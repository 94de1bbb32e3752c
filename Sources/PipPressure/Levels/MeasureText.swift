/// A number with one digit after the point, as sensors have it.
func tenths(_ value: Double) -> String {
    let scaled = (value * 10).rounded()
    guard scaled.magnitude < 1e15 else { return "\(value)" }
    let number = Int(scaled.magnitude)
    return "\(scaled < 0 ? "-" : "")\(number / 10).\(number % 10)"
}

/// A temperature for people: `82.5 °C`.
func degrees(_ celsius: Double) -> String { "\(tenths(celsius)) °C" }

/// A part of one in percent: `12.5 %`.
func percent(_ share: Double) -> String { "\(tenths(share * 100)) %" }
