import DeskJSON
import DeskModel

extension KindModel {
    /// Two to five short answers to tap (protocol page 3.9).
    static let quickReply = KindModel(
        .quickReply, name: Wording(english: "Quick reply", japanese: "クイック返信"),
        schemas: Schemas(outbound: "quick-reply", inbound: "quick-reply-reply"),
        feature: Feature(
            key: "quick-reply", mistakenKeys: ["quickReply", "quick_reply"],
            answerMember: "selectedIdentifier",
            judge: { $0.judgeQuickReply($1) },
            chosen: { feature, _ in
                guard let identifier = feature["selectedIdentifier"]?.string else { return nil }
                let items = feature["items"]?.list ?? []
                return items.first { $0["identifier"]?.equals(identifier) == true }?["title"]?
                    .string
            }),
        picking: Picking(
            offers: { Picking.offers(of: $0?["quick-reply"]?["items"], shownBy: "title") },
            sample: { $0?["quick-reply"]?["items"]?[0]?["identifier"]?.string },
            picked: { feature in
                guard let identifier = feature["selectedIdentifier"]?.string else { return nil }
                let items = feature["items"]?.list ?? []
                return items.first { $0["identifier"]?.equals(identifier) == true }
            },
            answer: { request, identifier, _ throws(ReplyError) in
                try request.answerQuickReply(identifier)
            }),
        capability: { _ in .quick })
}
