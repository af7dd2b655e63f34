import DeskJSON
import DeskModel

extension KindModel {
    /// A request to talk that a business makes, and its acceptance (protocol page 3.12).
    static let invitation = KindModel(
        .invitation, name: Wording(english: "Invitation", japanese: "招待"),
        schemas: Schemas(outbound: "invitation", inbound: "invitation-reply"),
        feature: Feature(
            key: "notification", answerMember: "id",
            judge: { $0.judgeInvitation($1) },
            answerLine: { feature, words in
                let title = feature["displayContent"]?["determinateResponse"]?["title"]?.string
                return words.line(words.name(of: .invitation), title ?? feature["id"]?.string)
            }),
        isAnsweredByReference: false)
}
