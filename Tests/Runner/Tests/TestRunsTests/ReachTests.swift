import Testing

@testable import TestRuns

@Suite("The tests that a change can reach")
struct ReachTests {
    private let package = PackageModel([
        .init("PipPlan", folder: "Sources/PipPlan", isTest: false, dependencies: []),
        .init("PipCompose", folder: "Sources/PipCompose", isTest: false, dependencies: ["PipPlan"]),
        .init("PipText", folder: "Sources/PipText", isTest: false, dependencies: ["PipCompose"]),
        .init("PipPlanTests", folder: "Tests/PipPlanTests", isTest: true, dependencies: ["PipPlan"]),
        .init("PipComposeTests", folder: "Tests/PipComposeTests", isTest: true, dependencies: ["PipCompose"]),
        .init("PipTextTests", folder: "Tests/PipTextTests", isTest: true, dependencies: ["PipText"]),
        .init("LabTests", folder: "Tests/LabTests", isTest: true, dependencies: ["PipCompose"]),
        .init("ModuleBoundaryTests", folder: "Tests/ModuleBoundaryTests", isTest: true, dependencies: []),
    ])

    private func reach(_ files: String...) -> Reach { Reach(ofFiles: files, in: package) }

    private func takes(_ reach: Reach, _ test: String) -> Bool { reach.takes(TestIdentifier(eventStream: test)) }

    @Test("are those of the module, and of all that is built of it")
    func above() {
        let reach = reach("Sources/PipText/Font.swift")
        #expect(reach.targets == ["PipTextTests", "ModuleBoundaryTests"] && reach.quick.isEmpty)
    }

    @Test("in real time and in the lab are left to a whole run where they reach the module by others alone")
    func quick() {
        let plan = reach("Sources/PipPlan/Cost.swift")
        #expect(
            plan.targets == [
                "PipPlanTests", "PipComposeTests", "PipTextTests", "LabTests", "ModuleBoundaryTests",
            ])
        #expect(plan.quick == ["PipComposeTests", "PipTextTests", "LabTests"])
        #expect(takes(plan, "PipPlanTests.A/b()") && takes(plan, "PipTextTests.A/b()"))
        #expect(!takes(plan, "PipComposeTests.A/b()") && !takes(plan, "LabTests.CameraLab/A/b()"))
        let compose = reach("Sources/PipCompose/Session.swift")
        #expect(takes(compose, "PipComposeTests.A/b()") && takes(compose, "LabTests.CameraLab/A/b()"))
        #expect(!takes(compose, "PipPlanTests.A/b()"))
    }

    @Test("are those of a test target, where it was changed itself")
    func tests() {
        #expect(reach("Tests/LabTests/HeatTests.swift").targets == ["LabTests", "ModuleBoundaryTests"])
        #expect(takes(reach("Tests/LabTests/HeatTests.swift"), "LabTests.CameraLab/A/b()"))
    }

    @Test("are those that read a file which is no source")
    func resources() {
        #expect(reach("Tests/Lab/lab").targets == ["LabTests", "ModuleBoundaryTests"])
        #expect(takes(reach("docs/faults.md"), "PipComposeTests.A/b()"))
    }

    @Test("are all after a change of the manifest or of a file that nobody knows")
    func everything() {
        #expect(reach("Package.swift").targets == nil && reach("Sources/PipText/a.swift", "new").targets == nil)
        #expect(takes(reach("Package.swift"), "LabTests.CameraLab/A/b()"))
        #expect(reach().targets == [])
    }

    @Test("are read from the manifest as SwiftPM prints it")
    func manifest() throws {
        let dump = #"""
            {"name":"p","targets":[
              {"name":"A","type":"regular","dependencies":[{"product":["Logging","swift-log",null,null]}]},
              {"name":"B","type":"executable","path":"Tools/B","dependencies":[{"byName":["A",null]}]},
              {"name":"BTests","type":"test","dependencies":[{"target":["B",{"traits":["T"]}]},{"byName":["X",null]}]}]}
            """#
        let package = try #require(PackageModel(dump: dump))
        #expect(
            package.targets == [
                .init("A", folder: "Sources/A", isTest: false, dependencies: []),
                .init("B", folder: "Tools/B", isTest: false, dependencies: ["A"]),
                .init("BTests", folder: "Tests/BTests", isTest: true, dependencies: ["B"]),
            ])
        #expect(package.target(ofFile: "Tools/B/main.swift")?.name == "B" && package.target(ofFile: "Tools/C") == nil)
        #expect(PackageModel(dump: "error: no manifest") == nil)
    }
}
