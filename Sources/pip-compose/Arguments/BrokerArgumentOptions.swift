import ArgumentParser
import PipRig

/// The option `--mqtt`.
struct BrokerArgumentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Report the state to an MQTT broker, and take commands from there: mqtt://HOST?name=car, or by TLS mqtts://USER:${PASSWORD}@HOST. Home Assistant finds the device by itself.",
            valueName: "address"),
        transform: { try BrokerArgument($0) })
    var mqtt: BrokerArgument?
}
