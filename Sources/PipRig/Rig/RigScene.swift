/// An arrangement of pictures with a name.
package struct RigScene: Sendable, Equatable {
    package var name: String
    /// Bottom first.
    package var layers: [RigLayer]

    /// A scene by its name and layers.
    package init(_ name: String, _ layers: [RigLayer]) {
        self.name = name
        self.layers = layers
    }

    /// True for a name that a scene may have, in files and in addresses.
    ///
    /// It has 1 to 64 characters (Unicode scalars), no `/` and none that controls, and is neither `.` nor `..`.
    package static func isName(_ name: String) -> Bool {
        (1...64).contains(name.unicodeScalars.count) && name != "." && name != ".."
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }
}

extension Rig {
    /// Puts the layers where a scene has them.
    ///
    /// - Throws: ``RigError`` for a scene that is not there.
    package mutating func show(scene name: String) throws(RigError) {
        layers = scenes[try index(ofScene: name)].layers
        scene = name
    }

    /// The place of a scene among all.
    ///
    /// - Throws: ``RigError`` for a scene that is not there: it names the nearest one.
    package func index(ofScene name: String) throws(RigError) -> Int {
        guard let index = scenes.firstIndex(where: { $0.name == name }) else {
            throw RigError(
                .unknown, "there is no scene \(name)\(NearestName.hint(for: name, among: scenes.map(\.name)))")
        }
        return index
    }
}
