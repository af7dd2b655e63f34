/// What agents say of two contacts of different businesses: that they are one person, or that they are not.
///
/// It has no direction. Nothing of the two is merged by it, and only members of both businesses see it.
public struct ContactLink: Hashable, Sendable {
    /// Most links of one contact, those that were parted included; one more is refused.
    public static let most = 50

    /// One of the two.
    public let one: ContactID
    /// The other one.
    public let other: ContactID
    /// Whether they are one person; false where agents parted what a verified external id joins.
    public var isLinked: Bool
    /// Who said so last.
    public var author: Author
    /// When.
    public var time: Timestamp

    /// Describes a link; which of the two is named first makes no difference.
    public init(
        _ one: ContactID, _ other: ContactID, isLinked: Bool, author: Author, time: Timestamp
    ) {
        let (first, second) = (one.value, other.value)
        let isOrdered = (first.high, first.low) < (second.high, second.low)
        self.one = isOrdered ? one : other
        self.other = isOrdered ? other : one
        self.isLinked = isLinked
        self.author = author
        self.time = time
    }

    /// The other end, seen from one of the two.
    public func end(from contact: ContactID) -> ContactID { contact == one ? other : one }
}
