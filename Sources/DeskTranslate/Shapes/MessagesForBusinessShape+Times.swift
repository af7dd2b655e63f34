import DeskJSON
import DeskMessages
import DeskModel

extension MessagesForBusinessShape {
    /// A time picker as a list of its times, in words.
    static func readEvent(
        _ event: JSONValue, _ bubble: JSONValue?, _ reading: inout Reading
    ) -> Choices {
        let slots = event.stated("timeslots")
        let minutes = SlotTime.offsetMinutes(of: event)
        let offset = minutes == nil ? nil : event.stated("timezoneOffset")
        var choices: [Choice] = []
        for slot in event.list("timeslots") {
            guard let start = slot.text("startTime"),
                let moment = SlotTime(Array(start.value.utf8))
            else { continue }
            let title = Sourced(words(for: moment, offset: minutes), at: start.places)
            let length = slot.stated("duration").flatMap { node in
                node.int.map { Sourced("\(max(1, $0 / 60)) min", at: [node.pointer]) }
            }
            if let choice = reading.choice(
                slot, identifier: slot.text("identifier"), title: title, subtitle: length)
            {
                choices.append(choice)
            }
        }
        let about = [slots, offset].compactMap { $0?.pointer }
        reading.losses.note(
            .changed, at: about, "The times become answers to tap, written in words.")
        var (title, subtitle) = reading.heading(of: bubble)
        if subtitle == nil, let name = event.text("title") {
            if title == nil { title = name } else { subtitle = name }
            reading.losses.note(
                .changed, at: name.places, "The name of the appointment becomes a line of its own.")
        }
        let section = Section(choices: choices, place: (slots ?? event).pointer)
        return Choices(
            isQuick: false, title: title, subtitle: subtitle,
            sections: [section],
            places: [event.pointer] + (bubble.map { [$0.pointer] } ?? []))
    }

    /// Such as `2026-12-01 09:30`, at the place where the offset is known, else in UTC.
    private static func words(for moment: SlotTime, offset: Int?) -> String {
        let shifted = moment.seconds + Int64(offset ?? 0) * 60
        let text = Timestamp(milliseconds: shifted * 1_000).text.prefix(16)
        let spaced = text.prefix(10) + " " + text.suffix(5)
        return offset == nil ? "\(spaced) UTC" : String(spaced)
    }
}
