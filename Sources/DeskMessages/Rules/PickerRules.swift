import DeskDiagnosis
import DeskJSON
import DeskModel

extension Judging {
    /// Judges a list's identifiers; the answer's two sections count as one list.
    mutating func judgeList(_ list: JSONValue) {
        guard let sections = list["sections"] else { return }
        if context.direction == .outbound { judgeSections(sections) }
        // Most lists are seen to be in order without a list of what they hold.
        var words = FewWords()
        guard !Self.identifiers(in: sections, areAll: { words.insert($0) }) else { return }
        var identifiers: [JSONValue] = []
        _ = Self.identifiers(in: sections) {
            identifiers.append($0)
            return true
        }
        noteRepeats(of: identifiers, in: "the list")
    }

    /// Judges whether there is anything to choose; single sections may be empty.
    private mutating func judgeSections(_ sections: JSONValue) {
        for section in sections.elements where (section["items"]?.count ?? 1) > 0 { return }
        guard let items = sections[0]?["items"], items.kind == .array else { return }
        note(
            .tooFew, at: items, found: "no items", allowed: "at least one item in the list",
            fix: "Add an item.")
    }

    /// Whether all identifiers of a list's items are as asked; ends with the first that is not.
    private static func identifiers(
        in sections: JSONValue, areAll isFine: (JSONValue) -> Bool
    ) -> Bool {
        for section in sections.elements {
            guard let items = section["items"] else { continue }
            for item in items.elements {
                guard let identifier = item["identifier"] else { continue }
                guard isFine(identifier) else { return false }
            }
        }
        return true
    }

    /// Judges the answers on offer, and in a reply whether index and identifier name the same.
    mutating func judgeQuickReply(_ feature: JSONValue) {
        let items = feature["items"]?.list ?? []
        noteRepeats(of: items.compactMap { $0["identifier"] }, in: "the quick reply")
        guard context.direction == .inbound, let chosen = feature["selectedIdentifier"],
            let index = feature["selectedIndex"]?.int
        else { return }
        let named = items.indices.contains(index) ? items[index]["identifier"]?.stringBytes : nil
        guard named == nil || named != chosen.stringBytes else { return }
        note(
            .selectionDisagrees, at: chosen, found: "\(chosen.quoted) with selectedIndex \(index)",
            allowed: "the identifier of the item at selectedIndex",
            fix: "Make selectedIndex and selectedIdentifier name the same item.")
    }

    /// Judges the times on offer: real, with their offset, apart from each other, in the future.
    mutating func judgeEvent(_ event: JSONValue) {
        let slots = event["timeslots"]?.list ?? []
        noteRepeats(of: slots.compactMap { $0["identifier"] }, in: "the time picker")
        var spans: [(start: Int64, end: Int64, node: JSONValue)] = []
        for slot in slots {
            guard let begin = slot["startTime"], let text = begin.stringBytes else { continue }
            guard let time = SlotTime(text) else {
                noteNoTime(begin)
                continue
            }
            if !time.isUTC { noteForeignTime(begin, time) }
            guard context.direction == .outbound, time.hasOffset else { continue }
            if time.seconds * 1_000 < context.now.milliseconds {
                note(
                    .slotPast, at: begin, found: "\(begin.quoted), which is past",
                    allowed: "times to come", fix: "Leave the slot out: devices do not show it.")
            }
            guard let seconds = slot["duration"]?.int, (1...100_000_000).contains(seconds)
            else { continue }
            spans.append((time.seconds, time.seconds + Int64(seconds), begin))
        }
        noteOverlaps(&spans)
    }

    private mutating func noteNoTime(_ node: JSONValue) {
        note(
            .wrongForm, at: node, found: node.quoted,
            allowed: "a moment such as 2026-12-01T09:30+0000",
            fix: "Write date and time as in 2026-12-01T09:30+0000.")
    }

    private mutating func noteForeignTime(_ node: JSONValue, _ time: SlotTime) {
        // Without an offset the hour is ambiguous.
        guard time.hasOffset else {
            note(
                .slotWithoutOffset, at: node, found: node.quoted,
                allowed: "a moment in UTC, such as 2026-12-01T09:30+0000",
                fix: "Convert it to UTC and end it with +0000.")
            return
        }
        note(
            .slotNotUTC, at: node, found: node.quoted,
            allowed: "a moment in UTC, such as 2026-12-01T09:30+0000",
            fix: "Write \"\(time.utcText)\".",
            edits: [.replace(node, withString: time.utcText)])
    }

    private mutating func noteOverlaps(
        _ spans: inout [(start: Int64, end: Int64, node: JSONValue)]
    ) {
        spans.sort { $0.start < $1.start }
        var busyUntil = Int64.min
        for span in spans {
            if span.start < busyUntil {
                note(
                    .slotsOverlap, at: span.node, found: "a slot that begins before another ends",
                    allowed: "slots that do not overlap", fix: "Move the slot or shorten the other."
                )
            }
            busyUntil = max(busyUntil, span.end)
        }
    }
}
