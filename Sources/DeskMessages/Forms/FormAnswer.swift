/// What was answered on one page of a form; nothing has checked yet that it was offered.
public struct FormAnswer: Hashable, Sendable {
    /// An answer by the kind of its page.
    public enum Entry: Hashable, Sendable {
        /// Chosen items of a select or picker page, by identifier.
        case items([String])
        /// What was typed on an input page, or the date of a date page in the page's own format.
        case text(String)
    }

    /// The page, by its pageIdentifier.
    public let page: String
    /// What was answered.
    public let entry: Entry

    /// Puts the two together.
    public init(page: String, entry: Entry) {
        self.page = page
        self.entry = entry
    }
}
