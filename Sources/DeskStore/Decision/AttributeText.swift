import DeskJSON
import DeskModel

/// The data of the events of attributes, as JSON text.
enum AttributeText {
    /// What `attribute.saved` says.
    static func event(_ one: AttributeDefinition, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            text.member("attribute") {
                $0.object {
                    $0.member("id", one.id.text)
                    $0.member("business", one.business.text)
                    $0.member("of", one.subject.rawValue)
                    $0.member("key", one.key)
                    $0.member("name", one.name)
                    $0.member("type", one.kind.rawValue)
                    $0.member("choices") { text in
                        text.array { text in
                            for choice in one.choices { text.string(choice) }
                        }
                    }
                    $0.member("order", one.order)
                    $0.member("retired", one.isRetired)
                }
            }
            text.by(author)
        }
    }

    /// Writes what `change.attributes` of an event says.
    static func write(_ steps: [AttributeStep], to text: inout JSONWriter) {
        text.object { text in
            for step in steps {
                text.key(text: step.key)
                text.object {
                    $0.member("from") { write(step.from, to: &$0) }
                    $0.member("to") { write(step.to, to: &$0) }
                }
            }
        }
    }

    private static func write(_ value: AttributeValue?, to text: inout JSONWriter) {
        switch value {
        case nil: text.null()
        case .text(let one): text.string(one)
        case .number(let number): text.raw(Array(AttributeValue.written(number).utf8))
        }
    }
}
