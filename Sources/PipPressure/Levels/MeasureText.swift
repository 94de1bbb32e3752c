/// Formats a number with one digit after the decimal point, which matches sensors' precision.
func tenths(_ value: Double) -> String {
    let scaled = (value * 10).rounded()
    guard scaled.magnitude < 1e15 else { return "\(value)" }
    let number = Int(scaled.magnitude)
    return "\(scaled < 0 ? "-" : "")\(number / 10).\(number % 10)"
}

/// Formats a temperature: `82.5 °C`.
func degrees(_ celsius: Double) -> String { "\(tenths(celsius)) °C" }

/// Formats a share as a percentage: `12.5 %`.
func percent(_ share: Double) -> String { "\(tenths(share * 100)) %" }
