import DeskJSON
import DeskModel

/// Parts of the data that events of a decision are stored with.
extension JSONWriter {
    /// Writes who did it: without a name, for it is stored in the log.
    mutating func by(_ author: Author) {
        member("by") {
            $0.object {
                $0.member("type", author.kind)
                $0.member("id", author.name)
            }
        }
    }
}
