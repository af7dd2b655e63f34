import DeskBytes
import DeskModel

extension MessageID {
    /// The id as one segment of a path.
    package var pathText: String { PercentCoding.encode(text) }
}
