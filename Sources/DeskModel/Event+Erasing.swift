extension Event {
    /// What says in the data of an event of a contact that the person was erased.
    package static let erasedMark = Array(#""change":{"erased":true}"#.utf8)

    /// Whether earlier events have less to say from this one on: what was kept of them must be read again.
    public var emptiesEarlierOnes: Bool {
        switch (type, body) {
        case (.messageErased, _), (.noteDeleted, _): true
        case (.conversationAttributesChanged, .conversation(let step)):
            if case .attributes(let steps)? = step.change {
                steps.contains { $0.from == nil && $0.to == nil }
            } else {
                false
            }
        case (.contactSaved, .json(let data)): data.contains(Self.erasedMark)
        default: false
        }
    }
}
