import DeskJSON
import DeskModel
import DeskStore

/// Webhook endpoints as lines: neither their secrets nor the fields that they chose, whose values may be some.
extension ArchiveLine {
    static func write(_ one: Webhook, to line: inout JSONWriter) {
        line.put("id", one.id.text)
        line.put("business", one.business.text)
        line.put("url", one.url)
        line.put("description", one.description)
        line.put("signing", one.signing.rawValue)
        line.put("settings", WebhookRow.settings(of: one))
        if let disabled = one.disabled {
            line.put("disabled", disabled.reason.rawValue)
            line.put("disabledAt", disabled.time)
        }
        line.put("createdAt", one.createdAt)
    }

    static func webhook(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Webhook {
        var one = Webhook(
            id: try line.id("id"), business: try line.id("business"), url: try line.text("url"),
            signing: try line.word("signing") { Webhook.Signing(rawValue: $0) }, secret: [],
            createdAt: try line.time("createdAt"))
        one.description = try line.text("description")
        let settings = try line.text("settings")
        guard WebhookRow.read(settings: settings, into: &one) else {
            throw ArchiveFault("\"settings\" is not that of a webhook")
        }
        let reason = try line.takeIfAny("disabled", "why nothing is delivered") {
            $0.string.flatMap { Webhook.DisabledReason(rawValue: $0) }
        }
        let time = try line.timeIfAny("disabledAt")
        if let reason, let time { one.disabled = Webhook.Disabled(reason, at: time) }
        return one
    }
}
