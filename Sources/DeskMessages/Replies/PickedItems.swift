import DeskBytes
import DeskJSON
public import DeskModel

/// What a customer picked of a card, for readers who do not know the shape of answers.
///
/// It is read from the answer when that is accepted, and lies among the message's protocol fields: an
/// answer repeats the pictures of its card, and is often too large to be carried by events.
public enum PickedItems {
    /// Under which name it is kept among a message's protocol fields; ours, not the protocol's.
    public static let headerName = "x-choice"
    /// Most items that are named, and most bytes that they have; `count` counts all.
    static let mostItems = 50
    static let maximumBytes = 16 * 1_024

    /// The field of an answer, whose value is a JSON object: `requestIdentifier`, `count` and `items`.
    ///
    /// Nil for what answers no card whose items can be picked, and where no item was picked.
    public static func field(of payload: [UInt8], _ kind: MessageKind) -> HeaderField? {
        guard let picking = kind.model.picking,
            let interactive = JSONValue.parsed(payload)?[stated: "interactiveData"],
            let data = interactive[stated: "data"], let feature = Feature.first(of: data),
            feature.kind == kind
        else { return nil }
        let items = picking.picked(feature.value)
        guard !items.isEmpty else { return nil }
        let value = JSONWriter.object { text in
            text.member("requestIdentifier", data["requestIdentifier"]?.string)
            text.member("count", items.count)
            text.member("items") { text in
                text.array { text in
                    var left = maximumBytes
                    for item in items.prefix(mostItems) {
                        let one = self.item(item)
                        left -= one.count
                        guard left >= 0 else { break }
                        text.raw(one)
                    }
                }
            }
        }
        return HeaderField(name: headerName, value: String(decoding: value, as: UTF8.self))
    }

    /// What is said of an item: its identifier, and of title, begin and duration what it has.
    private static func item(_ item: JSONValue) -> [UInt8] {
        JSONWriter.object { text in
            text.member("identifier", item["identifier"]?.string)
            if let title = item["title"]?.string {
                text.member("title", title.prefixOfScalars(512))
            }
            if let begin = item["startTime"]?.string { text.member("startTime", begin) }
            if let duration = item["duration"]?.int { text.member("duration", duration) }
        }
    }
}
