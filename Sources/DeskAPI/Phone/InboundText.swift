import DeskJSON
import DeskModel
import DeskWeb

/// A customer's words in the protocol's shape.
enum InboundText {
    static func payload(
        _ posted: PostedText, from customer: Customer, to business: BusinessID,
        attachments: [[UInt8]]
    ) -> [UInt8] {
        JSONWriter.object { text in
            text.member("v", 1)
            text.member("id", posted.id.text)
            text.member("type", "text")
            text.member("sourceId", customer.id.text)
            text.member("destinationId", business.text)
            if let locale = customer.locale { text.member("locale", locale) }
            if let intent = customer.intent { text.member("intent", intent) }
            if let group = customer.group { text.member("group", group) }
            text.member("body", posted.text)
            if !attachments.isEmpty {
                text.member("attachments") { text in
                    text.array { text in
                        for attachment in attachments { text.raw(attachment) }
                    }
                }
            }
        }
    }
}
