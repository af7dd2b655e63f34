import DeskJSON
import DeskModel

/// The data of the events of labels, as JSON text.
enum LabelText {
    /// What `label.saved` says.
    static func event(_ label: Label, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            text.member("label") {
                $0.object {
                    $0.member("id", label.id.text)
                    $0.member("business", label.business.text)
                    $0.member("name", label.name)
                    $0.member("colour", label.colour)
                    $0.member("order", label.order)
                    $0.member("retired", label.isRetired)
                }
            }
            text.by(author)
        }
    }
}
