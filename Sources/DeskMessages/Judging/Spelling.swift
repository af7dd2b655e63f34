import DeskDiagnosis
import DeskModel

/// Names that payloads have instead of the current ones: old or mistaken names of members, and those
/// of the features, which their kinds declare.
enum Spelling {
    /// The current name of an old or mistaken one; nil for any other name.
    static func current(of name: String) -> String? {
        OldSpelling.current(of: name) ?? Feature.mistakenNames[name]
    }

    /// Whether the channel reads the name as the current one.
    static func isAccepted(_ name: String, _ direction: Direction) -> Bool {
        OldSpelling.isAccepted(name)
            || direction == .inbound && Feature.namesReadInbound.contains(name)
    }
}
