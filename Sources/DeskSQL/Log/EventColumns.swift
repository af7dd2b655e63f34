package import DeskModel
import DeskStore

/// The columns of an event, and how they are read.
package enum EventColumns {
    /// The columns that the checksum covers, of `events e`.
    package static let covered = RowLayout.events.list(of: "e")

    /// Reads the revision that an event made; nil for none.
    package static func revision(_ row: any SQLStatement) -> Revision? {
        row.integerIfAny().map { Revision(max(0, $0)) }
    }
}
