internal import Glibc

/// The settings of serial ports.
package enum SerialPort {
    private static let speeds: KeyValuePairs<Int, speed_t> = [
        1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
        19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200),
        230_400: speed_t(B230400), 460_800: speed_t(B460800), 921_600: speed_t(B921600),
    ]

    /// The rates at which a port can run, in baud.
    package static var rates: [Int] { speeds.map(\.key) }

    /// Sets a port to a rate: eight bits, no parity, bytes as they come, modem lines ignored.
    ///
    /// Source: POSIX.1-2017, "General Terminal Interface".
    static func configure(_ port: InputDescriptor, _ baud: Int, _ path: String) throws(InputProblem) {
        guard let speed = speeds.first(where: { $0.key == baud })?.value else {
            throw InputProblem("\(path): a port does not run at \(baud) baud")
        }
        var settings = termios()
        guard unsafe tcgetattr(port.number, &settings) == 0 else { return }
        unsafe cfmakeraw(&settings)
        unsafe cfsetspeed(&settings, speed)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        settings.c_cflag &= ~tcflag_t(CRTSCTS)
        guard unsafe tcsetattr(port.number, TCSANOW, &settings) == 0 else {
            throw InputProblem("\(path): the port refuses \(baud) baud")
        }
    }
}
