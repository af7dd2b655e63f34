import DeskModel

/// A customer's words in the protocol's shape.
enum InboundText {
    /// Longest line for lists, in Unicode scalars.
    private static let summaryScalars = 140

    /// The payload.
    static func payload(
        _ posted: PostedText, from customer: Customer, to business: BusinessID,
        attachments: [[UInt8]]
    ) -> [UInt8] {
        JSONText.object { text in
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

    /// One line of what was said.
    static func summary(_ text: String, attachments: [AttachmentUse]) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars where scalar.value != 0xFFFC {
            let isSpace = scalar.properties.isWhitespace
            if isSpace, scalars.isEmpty || scalars.last == " " { continue }
            guard count < summaryScalars else {
                scalars.append("\u{2026}")
                break
            }
            scalars.append(isSpace ? " " : scalar)
            count += 1
        }
        if scalars.last == " " { scalars.removeLast() }
        guard scalars.isEmpty else { return String(scalars) }
        return attachments.map(\.name).joined(separator: ", ")
    }
}
