import DeskJSON

/// What a message says, apart from how any channel writes it.
enum Card: Sendable {
    /// Words alone.
    case text(Sourced<String>)
    /// A question with answers to tap.
    case choices(Choices)
    /// An address under a title.
    case link(Link)
}

/// A question with answers to tap.
struct Choices: Sendable {
    /// Whether it is a question with a few buttons; else a list with a heading.
    var isQuick: Bool
    var title: Sourced<String>?
    var subtitle: Sourced<String>?
    var sections: [Section]
    /// What is another thing in the source when a list becomes buttons, or buttons a list.
    var places: [JSONPointer]

    /// All answers in their order.
    var all: [Choice] { sections.flatMap(\.choices) }
}

/// Answers under one heading.
struct Section: Sendable {
    var title: Sourced<String>?
    /// Stated true where several may be chosen.
    var isMultiple: Sourced<Bool>?
    var choices: [Choice]
    var place: JSONPointer
}

/// One answer to tap.
struct Choice: Sendable {
    var identifier: Sourced<String>
    var title: Sourced<String>
    var subtitle: Sourced<String>?
    var place: JSONPointer
}

/// An address under a title.
struct Link: Sendable {
    var title: Sourced<String>
    var address: Sourced<String>
    /// What is another thing in the source when the address is left out.
    var places: [JSONPointer] = []
}
