import DeskHTTP
import DeskModel

extension MessageID {
    /// The id as one segment of a path.
    var pathText: String { PercentCoding.encode(text) }
}
