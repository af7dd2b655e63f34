import DeskJSON
import DeskModel

extension KindModel {
    /// Slots in time, one to choose (protocol page 3.8).
    static let time = KindModel(
        .time, name: Wording(english: "Times", japanese: "日時"),
        schemas: Schemas(outbound: "time-picker", inbound: "time-picker-reply"),
        feature: Feature(
            // One provider still reads answers that are nested as in 2017 (protocol page 2.4).
            key: "event", mistakenKeys: ["timePicker", "time-picker"],
            keysReadInbound: ["timePicker"],
            judge: { $0.judgeEvent($1["event"] ?? $1) },
            chosen: { feature, language in
                let event = feature["event"] ?? feature
                guard let slot = event["timeslots"]?[0],
                    let text = slot["startTime"]?.stringBytes, let time = SlotTime(text)
                else { return nil }
                return language.moment(
                    time.seconds, offsetMinutes: SlotTime.offsetMinutes(of: event))
            }),
        picking: Picking(
            offers: { Picking.offers(of: $0?["event"]?["timeslots"], shownBy: "startTime") },
            sample: { $0?["event"]?["timeslots"]?[0]?["identifier"]?.string },
            picked: { ($0["event"] ?? $0)["timeslots"]?[0] },
            answer: { request, identifier, now throws(ReplyError) in
                try request.answerTime(identifier, now: now)
            }),
        capability: { _ in .time })
}
