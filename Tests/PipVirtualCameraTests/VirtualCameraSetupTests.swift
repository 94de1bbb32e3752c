import Testing

@testable import PipVirtualCamera

@Suite("Commands that make virtual cameras")
struct VirtualCameraSetupTests {
    @Test("the commands load the driver with the requested device")
    func command() {
        #expect(
            VirtualCameraSetup.command(number: 12, label: "desk")
                == "sudo modprobe v4l2loopback video_nr=12 exclusive_caps=1 card_label=desk")
        #expect(
            VirtualCameraSetup.reload(number: 10, label: "my desk")
                == "sudo modprobe -r v4l2loopback && sudo modprobe v4l2loopback video_nr=10 exclusive_caps=1 "
                + #"'card_label="my desk"'"#)
    }

    @Test("the commands write the two files that the machine reads at its start")
    func lasting() {
        #expect(
            VirtualCameraSetup.lasting(number: 11, label: "my desk") == [
                "echo v4l2loopback | sudo tee /etc/modules-load.d/v4l2loopback.conf",
                #"echo 'options v4l2loopback video_nr=11 exclusive_caps=1 card_label="my desk"' | "#
                    + "sudo tee /etc/modprobe.d/v4l2loopback.conf",
            ])
    }
}
