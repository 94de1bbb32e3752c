import PipPressure
import Synchronization
import SystemPackage

/// The kernel's sensor files, in memory and with the test's contents.
final class FakeSensors: SensorFiles {
    private let files = Mutex<[String: Result<String, Errno>]>([:])

    init() {}

    /// Writes a file, with its folders.
    func set(_ path: String, _ text: String) { files.withLock { $0[path] = .success(text) } }

    /// Makes every reading of a file fail.
    func fail(_ path: String, _ error: Errno) { files.withLock { $0[path] = .failure(error) } }

    /// Removes a file, or a folder with its contents.
    func remove(_ path: String) {
        files.withLock { $0 = $0.filter { $0.key != path && !$0.key.hasPrefix(path + "/") } }
    }

    func text(of path: String) throws(Errno) -> String {
        let result = files.withLock { $0[path] }
        return try (result ?? .failure(.noSuchFileOrDirectory)).get()
    }

    func names(in path: String) -> [String] {
        let prefix = path + "/"
        let names = files.withLock { files in
            files.keys.filter { $0.hasPrefix(prefix) }.compactMap {
                $0.dropFirst(prefix.count).split(separator: "/").first
            }
        }
        return Set(names.map(String.init)).sorted()
    }
}

extension FakeSensors {
    /// A trip point of a thermal zone.
    struct Trip {
        var number: Int
        var kind: String
        var celsius: Double
        var hysteresis: Double

        init(_ number: Int, _ kind: String, _ celsius: Double, hysteresis: Double = 0) {
            self.number = number
            self.kind = kind
            self.celsius = celsius
            self.hysteresis = hysteresis
        }
    }

    func addZone(_ number: Int = 0, type: String = "cpu-thermal", celsius: Double = 45, trips: [Trip]) {
        let zone = "sys/class/thermal/thermal_zone\(number)"
        set("\(zone)/type", type)
        setZone(number, celsius: celsius)
        for trip in trips {
            set("\(zone)/trip_point_\(trip.number)_type", trip.kind)
            set("\(zone)/trip_point_\(trip.number)_temp", "\(Int(trip.celsius * 1000))")
            set("\(zone)/trip_point_\(trip.number)_hyst", "\(Int(trip.hysteresis * 1000))")
        }
    }

    func setZone(_ number: Int = 0, celsius: Double) {
        set("sys/class/thermal/thermal_zone\(number)/temp", "\(Int((celsius * 1000).rounded()))")
    }

    /// Adds a cooling device, or sets its state.
    func setCooling(_ number: Int = 0, type: String = "cpufreq-cpu0", state: Int, of maximum: Int) {
        let device = "sys/class/thermal/cooling_device\(number)"
        set("\(device)/type", type)
        set("\(device)/cur_state", "\(state)")
        set("\(device)/max_state", "\(maximum)")
    }

    /// Sets the shares of the last ten seconds in which some tasks or all tasks waited for a resource, in percent.
    func setStall(_ resource: String, some: Double, full: Double = 0, in folder: String = "proc/pressure") {
        let file = folder == "proc/pressure" ? "\(folder)/\(resource)" : "\(folder)/\(resource).pressure"
        set(
            file,
            "some avg10=\(some) avg60=0.00 avg300=0.00 total=1\nfull avg10=\(full) avg60=0.00 avg300=0.00 total=1")
    }
}
