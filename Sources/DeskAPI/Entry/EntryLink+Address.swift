import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb

extension EntryLink {
    /// The permanent link of a business, which is never stored.
    static func permanent(of business: Business) -> EntryLink {
        EntryLink(id: permanentID, business: business.id, label: business.name)
    }

    /// What the permanent link is called; it cannot be removed.
    static let permanentID = "default"

    /// Where the link leads.
    func address(origin: String) -> String {
        let values = [("biz-intent-id", intent), ("biz-group-id", group), ("body", body)]
        let query = values.compactMap { name, value in
            value.map { "\(name)=\(PercentCoding.encode($0))" }
        }
        let path = "\(origin)/b/\(business.text)"
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// A button for the business's own pages; nothing of ours runs there.
    func buttonSnippet(origin: String, businessName: String) -> String {
        let address = MarkupText.escaped(address(origin: origin))
        let name = MarkupText.escaped(businessName)
        return "<a href=\"\(address)\" rel=\"noopener\" "
            + "style=\"display:inline-block;padding:.6em 1.2em;border-radius:1.5em;"
            + "background:#0b6bcb;color:#fff;font:600 1rem system-ui,sans-serif;"
            + "text-decoration:none\">Message \(name)</a>"
    }
}

extension JSONWriter {
    /// Writes a link with all that it is printed and pasted as.
    mutating func entryLink(_ link: EntryLink, origin: String, businessName: String) {
        let path = "/api/businesses/\(link.business.text)/links/\(PercentCoding.encode(link.id))"
        let address = link.address(origin: origin)
        object { text in
            text.member("id", link.id)
            text.member("label", link.label)
            text.member("intent", link.intent)
            text.member("group", link.group)
            text.member("body", link.body)
            text.member("url", address)
            text.member("linkText", "\(link.label): \(address)")
            text.member(
                "buttonSnippet", link.buttonSnippet(origin: origin, businessName: businessName))
            text.member("qrSvg", "\(path)/qr.svg")
            text.member("qrPng", "\(path)/qr.png")
        }
    }
}
