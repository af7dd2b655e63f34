import DeskJSON
import DeskModel

extension Judging {
    /// Judges a list's identifiers; the answer's two sections count as one list.
    mutating func judgeList(_ list: JSONValue) {
        guard let sections = list["sections"] else { return }
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

    /// Judges the times on offer: real, in UTC, apart from each other, in the future.
    mutating func judgeEvent(_ event: JSONValue) {
        let slots = event["timeslots"]?.list ?? []
        noteRepeats(of: slots.compactMap { $0["identifier"] }, in: "the time picker")
        var spans: [(start: Int64, end: Int64, node: JSONValue)] = []
        for slot in slots {
            guard let begin = slot["startTime"], let text = begin.stringBytes else { continue }
            guard let time = SlotTime(text), time.isUTC else {
                noteForeignTime(begin, SlotTime(text))
                continue
            }
            guard context.direction == .outbound else { continue }
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

    private mutating func noteForeignTime(_ node: JSONValue, _ time: SlotTime?) {
        // Without an offset nobody knows which hour is meant.
        let meant = time.flatMap { $0.hasOffset ? $0.utcText : nil }
        note(
            .slotNotUTC, at: node, found: node.quoted,
            allowed: "a moment in UTC, such as 2026-12-01T09:30+0000",
            fix: meant.map { "Write \"\($0)\"." }
                ?? (time == nil
                    ? "Write date and time as in 2026-12-01T09:30+0000."
                    : "Convert it to UTC and end it with +0000."),
            edits: meant.map { [.replace(node, withString: $0)] } ?? [])
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
