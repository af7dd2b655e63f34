import DeskJSON
import DeskModel

extension Request {
    /// The acceptance of an invitation (protocol page 2.4); who declines leaves instead.
    ///
    /// Version "1" and the number as `requestIdentifier` are the capture's.
    func answerInvitation(_ identifier: String) throws(ReplyError) -> Reply {
        let invitation = try require("notification")
        guard identifier.utf8.elementsEqual("yes".utf8) else {
            throw ReplyError(.notOffered, "an invitation is answered with yes")
        }
        let payload = wrap { text in
            text.key("data")
            text.object { text in
                text.member("version", "1")
                text.member("requestIdentifier", copying: destination)
                text.member("referenceId", copying: invitation["referenceId"])
                text.key("notification")
                text.object { text in
                    text.member("id", "yes")
                    text.key("displayContent")
                    text.object { text in
                        text.key("determinateResponse")
                        text.object { text in
                            text.member("title", language.yes)
                            text.member(
                                "subtitle", copying: invitation["parameters"]?["brandName"])
                            text.key("type")
                            text.object { text in
                                text.key("yes")
                                text.object { _ in }
                            }
                        }
                    }
                }
            }
        }
        return finished(payload, .invitation)
    }
}
