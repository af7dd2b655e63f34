import DeskJSON
import DeskModel

extension Request {
    /// The answer to a list: the chosen items first, the others after them.
    func answerList(_ identifiers: [String]) throws(ReplyError) -> Reply {
        let list = try require("listPicker")
        let wholeListIsMultiple = list["multipleSelection"]?.bool == true
        var wanted = identifiers.map { Array($0.utf8) }
        guard Set(wanted).count == wanted.count else {
            throw ReplyError(.badChoice, "an identifier is named twice")
        }
        guard !wanted.isEmpty else { throw ReplyError(.badChoice, "nothing was chosen") }
        var chosen: [JSONValue] = []
        var others: [JSONValue] = []
        for (index, section) in (list["sections"]?.list ?? []).enumerated() {
            let before = chosen.count
            for item in section["items"]?.list ?? [] {
                if let name = item["identifier"]?.stringBytes,
                    let place = wanted.firstIndex(of: name)
                {
                    wanted.remove(at: place)
                    chosen.append(item)
                } else {
                    others.append(item)
                }
            }
            let isMultiple = section["multipleSelection"]?.bool ?? wholeListIsMultiple
            guard isMultiple || chosen.count - before <= 1 else {
                throw ReplyError(.tooMany, "section \(index) allows one choice")
            }
        }
        guard wanted.isEmpty else {
            throw ReplyError(.notOffered, "\(wanted.count) of the identifiers are not in the list")
        }
        let titles = chosen.map { $0["title"]?.string ?? "" }
        let picture = chosen.lazy.compactMap { $0[stated: "imageIdentifier"] }.first {
            !$0.isEmptyText
        }
        let bubble = ReplyBubble(
            title: language.row(titles), spoken: language.spoken(titles), picture: picture)
        return reply(.list, bubble: bubble, feature: "listPicker") { text in
            text.object { text in
                text.key("sections")
                text.array { text in
                    write(&text, language.youSelected, 0, chosen, isMultiple: chosen.count > 1)
                    write(&text, language.others, 1, others, isMultiple: false)
                }
            }
        }
    }

    private func write(
        _ text: inout JSONWriter, _ title: String, _ order: Int, _ items: [JSONValue],
        isMultiple: Bool
    ) {
        text.object { text in
            text.member("title", title)
            text.key("order")
            text.integer(order)
            text.key("multipleSelection")
            text.bool(isMultiple)
            text.key("items")
            text.array { text in
                for item in items { text.raw(item.rawBytes) }
            }
        }
    }

    /// The answer to a time picker: the event with the one chosen slot.
    func answerTime(_ identifier: String, now: Timestamp?) throws(ReplyError) -> Reply {
        let event = try require("event", "timePicker")
        let slots = event["timeslots"]?.list ?? []
        guard let slot = slots.first(where: { $0["identifier"]?.equals(identifier) == true }) else {
            throw ReplyError(.notOffered, "the slot is not among those offered")
        }
        let begin = slot["startTime"]?.stringBytes.flatMap { SlotTime($0) }
        if let begin, let now, begin.seconds <= now.milliseconds / 1_000 {
            throw ReplyError(.past, "the slot has begun already")
        }
        let offset = SlotTime.offsetMinutes(of: event)
        let title =
            begin.map { language.moment($0.seconds, offsetMinutes: offset) }
            ?? event["title"]?.string ?? ""
        return reply(.time, bubble: ReplyBubble(title: title), feature: "event") { text in
            text.object { text in
                text.member("identifier", copying: event["identifier"])
                text.member("title", copying: event["title"])
                text.member("imageIdentifier", copying: event["imageIdentifier"])
                text.member("timezoneOffset", copying: event["timezoneOffset"])
                text.key("location")
                text.raw(event[stated: "location"].map { Array($0.rawBytes) } ?? Array("{}".utf8))
                text.key("timeslots")
                text.array { $0.raw(slot.rawBytes) }
            }
        }
    }

    /// The answer to a quick reply: position and identifier, and the items as asked.
    ///
    /// It is no bubble and has no `replyMessage` (protocol page 13.9).
    func answerQuickReply(_ identifier: String) throws(ReplyError) -> Reply {
        let asked = try require("quick-reply", "quickReply")
        let items = asked["items"]?.list ?? []
        guard
            let index = items.firstIndex(where: { $0["identifier"]?.equals(identifier) == true })
        else { throw ReplyError(.notOffered, "the answer is not among those offered") }
        return reply(.quickReply, bubble: nil, feature: "quick-reply") { text in
            text.object { text in
                text.key("selectedIndex")
                text.integer(index)
                text.member("selectedIdentifier", copying: items[index]["identifier"])
                text.member("items", copying: asked["items"])
            }
        }
    }
}
