package import DeskModel

extension Customer {
    /// The customer's name as people see it, as far as it can be searched: the name, or the last
    /// four letters and digits of the id for a customer without one.
    package var shownName: String {
        if let name, !name.isEmpty { return name }
        let letters = id.text.utf8.filter { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
        }
        return String(decoding: letters.suffix(4), as: UTF8.self)
    }
}

/// The names by which a conversation is found: what agents call the contact, then the customer's own.
package struct SearchedNames: Hashable, Sendable {
    private let text: String

    /// The names of a conversation.
    package init(of conversation: Conversation) {
        self.init(contact: conversation.contactName, conversation.customer)
    }

    /// The names of a contact and a customer.
    package init(contact name: String?, _ customer: Customer) {
        text = name.map { "\($0)\n\(customer.shownName)" } ?? customer.shownName
    }

    /// The folded words, each once.
    package var words: [String] {
        var words: [String] = []
        for word in SearchWords.cut(text).prefix(NameSearch.maximumWords) {
            let text = String(decoding: word.bytes, as: UTF8.self)
            if !words.contains(text) { words.append(text) }
        }
        return words
    }

    /// Whether the names have all that is looked for.
    package func have(_ query: SearchQuery) -> Bool {
        query.places(in: SearchWords.cut(text)) != nil
    }
}
