/// That a contact was merged into another, and what moved with it.
public struct ContactMerge: Hashable, Sendable {
    /// The contact that stands for both.
    public let into: ContactID
    /// Who merged them.
    public let author: Author
    /// When.
    public let time: Timestamp
    /// The name, where the other had none.
    public let name: String?
    /// The external id, where the other had none.
    public let externalID: String?
    /// The notes, which were joined to those of the other.
    public let notes: String
    /// The values of attributes that the other had none of.
    public let attributes: [String: AttributeValue]

    /// Puts a merge together.
    public init(
        into: ContactID, author: Author, time: Timestamp, name: String?, externalID: String?,
        notes: String, attributes: [String: AttributeValue]
    ) {
        self.into = into
        self.author = author
        self.time = time
        self.name = name
        self.externalID = externalID
        self.notes = notes
        self.attributes = attributes
    }
}
