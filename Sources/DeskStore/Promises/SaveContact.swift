public import DeskModel

/// Changes what is named of a contact.
///
/// Refused as `notFound` when the business has no such contact, and as `nameTaken` when another contact
/// of the business has the external id, and as `unusable` for a value that its attribute does not allow, or
/// for more metadata than its limits allow, and as `onHold` where something of its notes would go while it is kept.
public struct SaveContact: WriteStep {
    /// What is changed; nil members stay as they are, and an inner nil empties one.
    public struct Values: Hashable, Sendable {
        /// The name.
        public var name: String??
        /// The external id.
        public var externalID: String??
        /// Whether the business's own server vouches for the external id, as the identity of a widget
        /// does; that of an API key is verified without.
        public var isExternalIDVerified = false
        /// The notes.
        public var notes: String?
        /// Values of attributes; nil removes one, and those not named stay.
        public var attributes: [String: AttributeValue?] = [:]
        /// Names of metadata; those that it does not name stay.
        public var metadata = Metadata.Change()

        /// Changes nothing.
        public init() {}
    }

    let id: ContactID
    let business: BusinessID
    let values: Values
    let author: Author
    let time: Timestamp
    /// Whether it is what another system knows: nothing follows from it.
    let isImported: Bool

    /// Says who changes what.
    public init(
        _ id: ContactID, of business: BusinessID, _ values: Values, by author: Author,
        at time: Timestamp, isImported: Bool = false
    ) {
        self.isImported = isImported
        self.id = id
        self.business = business
        self.values = values
        self.author = author
        self.time = time
    }
}
