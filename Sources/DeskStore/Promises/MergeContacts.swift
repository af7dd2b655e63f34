public import DeskModel

/// Merges a contact into another of its business: the conversations of both are then of one contact.
///
/// Refused as `notFound` without one of the two, as `alreadyMerged` when one of them was merged before,
/// and as `unusable` for a contact with itself, where one is blocked and the other is not, for too many
/// contacts, and for notes that are too long together.
public struct MergeContacts: WriteStep {
    let root: ContactID
    let other: ContactID
    let business: BusinessID
    let author: Author
    let time: Timestamp

    /// Says who merges `other` into `root`.
    public init(
        _ other: ContactID, into root: ContactID, of business: BusinessID, by author: Author,
        at time: Timestamp
    ) {
        self.root = root
        self.other = other
        self.business = business
        self.author = author
        self.time = time
    }
}

/// Undoes the merge of a contact: its conversations are its own again, and what moved goes back.
///
/// What was changed since stays with the other. Refused as `notFound` without the contact, as `notMerged`
/// when it is not merged, and as `alreadyMerged` while the other was merged further.
public struct UnmergeContact: WriteStep {
    let id: ContactID
    let business: BusinessID
    let author: Author
    let time: Timestamp

    /// Says who undoes the merge.
    public init(
        _ id: ContactID, of business: BusinessID, by author: Author, at time: Timestamp
    ) {
        self.id = id
        self.business = business
        self.author = author
        self.time = time
    }
}

/// Blocks the customers of a contact, or no longer.
///
/// Refused as `notFound` without the contact, and as `alreadyMerged` when it was merged into another.
public struct BlockContact: WriteStep {
    let id: ContactID
    let business: BusinessID
    let isBlocked: Bool
    let author: Author
    let time: Timestamp

    /// Says who blocks whom.
    public init(
        _ id: ContactID, of business: BusinessID, isBlocked: Bool, by author: Author,
        at time: Timestamp
    ) {
        self.id = id
        self.business = business
        self.isBlocked = isBlocked
        self.author = author
        self.time = time
    }
}
