import DeskJSON

/// One reading of a message: what it says without words, and what of it is read otherwise than meant.
struct Reading: Sendable {
    let root: JSONValue
    let shape: Shape
    /// Places whose values say no more than that the message is of its shape.
    private(set) var implied: Set<JSONPointer> = []
    /// Places whose values are in the result by what surrounds them, such as a line between answers.
    private(set) var kept: Set<JSONPointer> = []
    var losses = Losses()
    /// What is findings only where the result has the value: of others it is said that they are dropped.
    var lossesOfKept = Losses()

    init(_ root: JSONValue, _ shape: Shape) {
        self.root = root
        self.shape = shape
    }

    /// Members that any message of this form has with this value.
    mutating func imply(_ object: JSONValue?, _ names: String...) {
        guard let object else { return }
        for name in names where object[name] != nil {
            implied.insert(object.pointer.appending(name))
        }
    }

    /// A member that says what the result has without a value of its own.
    mutating func keep(_ object: JSONValue, _ name: String) {
        if object[name] != nil { kept.insert(object.pointer.appending(name)) }
    }

    /// A member that is the same as left out, or as written in any case, where it has this text.
    mutating func imply(_ object: JSONValue?, _ name: String, equal text: String) {
        if object?[name]?.equals(text) == true { imply(object, name) }
    }

    /// An answer of a label and an identifier; without a label the identifier is shown.
    mutating func choice(
        _ node: JSONValue, identifier: Sourced<String>?, title: Sourced<String>?,
        subtitle: Sourced<String>? = nil
    ) -> Choice? {
        guard identifier != nil || title != nil else { return nil }
        if identifier == nil {
            losses.note(.changed, at: [node.pointer], "It has no identifier; its title is one.")
        }
        if title == nil {
            losses.note(.changed, at: [node.pointer], "It has no title; its identifier is shown.")
        }
        let words = title ?? identifier ?? Sourced("")
        return Choice(
            identifier: identifier ?? Sourced(words.value, at: words.places), title: words,
            subtitle: subtitle, place: node.pointer)
    }

    /// Nothing in the message can be shown elsewhere.
    func nothing(at node: JSONValue? = nil, found: String) -> TranslationError {
        .fault(
            TranslationFault(
                at: node ?? root, found: found, allowed: "a message with words to show",
                fix: "Write what it says as a text, and translate that."))
    }
}
