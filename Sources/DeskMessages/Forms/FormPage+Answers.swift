import DeskJSON
import DeskModel

extension FormPage {
    /// Longest text where the page says nothing, in Unicode scalars (protocol page 1.7).
    private static let defaultLimits = (single: 30, multi: 300)

    /// Writes what was answered, as `items` of a selection.
    ///
    /// - Throws: `badChoice`, `notOffered` or `tooMany`; then nothing was written.
    func items(
        for entry: FormAnswer.Entry, now: Timestamp?
    ) throws(ReplyError) -> (inout JSONWriter) -> Void {
        switch (kind, entry) {
        case (.select, .items(let names)), (.picker, .items(let names)):
            return Self.write(try choose(names))
        case (.datePicker, .text(let text)):
            try judgeDate(text, now: now)
            return write(text, value: moment(of: text), type: "datePicker")
        case (.input, .text(let text)):
            try judgeText(text)
            return write(text, value: text, type: "input")
        case (nil, _): throw ReplyError(.wrongKind, "the form has a page of an unknown kind")
        default:
            throw ReplyError(
                .badChoice, "select and picker pages need items, the others need a text")
        }
    }

    private func choose(_ names: [String]) throws(ReplyError) -> [NamedItem] {
        var wanted = names.map { Array($0.utf8) }
        guard Set(wanted).count == wanted.count else {
            throw ReplyError(.badChoice, "an item is named twice")
        }
        guard !isSingle || wanted.count <= 1 else {
            throw ReplyError(.tooMany, "the page allows one item")
        }
        guard !isSingle || !wanted.isEmpty else {
            throw ReplyError(.badChoice, "the page asks for one item")
        }
        var chosen: [NamedItem] = []
        for item in namedItems {
            let place = wanted.firstIndex { Self.isNamed(item, by: $0) }
            guard let place else { continue }
            wanted.remove(at: place)
            chosen.append(item)
        }
        guard wanted.isEmpty else {
            throw ReplyError(.notOffered, "\(wanted.count) of the items are not on the page")
        }
        return chosen
    }

    private func judgeText(_ text: String) throws(ReplyError) {
        guard !text.isEmpty else {
            guard mayStayEmpty else { throw ReplyError(.badChoice, "the page needs an answer") }
            return
        }
        let isMultiline = options?["inputType"]?.equals("multiline") == true
        let limits = Self.defaultLimits
        // A limit that lets nothing through is without effect.
        let stated = options?["maximumCharacterCount"]?.wholeNumber.flatMap { $0 > 0 ? $0 : nil }
        let limit = stated ?? (isMultiline ? limits.multi : limits.single)
        guard text.unicodeScalars.count <= limit else {
            throw ReplyError(.badChoice, "the page allows at most \(limit) characters")
        }
        guard let pattern = Self.pattern(options?["regex"]), !pattern.matches(text) else { return }
        throw ReplyError(.badChoice, "the text does not match the page's regex")
    }

    /// The pattern; some write it as the text of a JSON string, with the quotes (3.11).
    private static func pattern(_ node: JSONValue?) -> TextPattern? {
        guard let text = node?.string, !text.isEmpty else { return nil }
        return TextPattern(JSONValue.parsed(Array(text.utf8))?.string ?? text)
    }

    private func judgeDate(_ text: String, now: Timestamp?) throws(ReplyError) {
        guard (1...64).contains(text.utf8.count) else {
            throw ReplyError(.badChoice, "the page asks for a date")
        }
        // In a format with names of months only the customer's own device knows the date.
        guard let form = DateForm(dateFormat) else { return }
        guard let day = form.day(text) else {
            throw ReplyError(.badChoice, "the date is not written as the page's dateFormat says")
        }
        func stated(_ name: String) -> Int? {
            options?[name]?.string.flatMap { form.day($0) }
        }
        if let first = stated("minimumDate"), day < first {
            throw ReplyError(.notOffered, "the date is before the page's minimumDate")
        }
        guard let last = stated("maximumDate") ?? today(now, form) else { return }
        let isImpossible = [stated("minimumDate"), stated("startDate")].contains {
            $0.map { $0 > last } == true
        }
        if day > last, !isImpossible {
            throw ReplyError(.notOffered, "the date is after the page's maximumDate")
        }
    }

    /// Today as a number, where it is latest on Earth: the default of maximumDate.
    private func today(_ now: Timestamp?, _ form: DateForm) -> Int? {
        guard let now else { return nil }
        let day = CivilTime(seconds: now.milliseconds / 1_000 + 14 * 3_600)
        return form.day(form.text((day.year, day.month, day.day)))
    }

    // Every item has identifier, type, title and value (protocol page 13.4); a wheel's items are
    // chosen ones like a list's.
    private static func write(_ items: [NamedItem]) -> (inout JSONWriter) -> Void {
        { text in
            for (name, item) in items {
                text.object { text in
                    if let identifier = item[stated: "identifier"], !identifier.isEmptyText {
                        text.member("identifier", copying: identifier)
                    } else {
                        text.member("identifier", name)
                    }
                    text.member("type", "select")
                    text.member("title", copying: item["title"])
                    text.member("value", copying: item[stated: "value"] ?? item["title"])
                }
            }
        }
    }

    /// What has no item to name it is named by its page.
    private func write(
        _ shown: String, value: String, type: String
    ) -> (inout JSONWriter) -> Void {
        let identifier = identifier
        return { text in
            text.object { text in
                text.member("identifier", identifier)
                text.member("type", type)
                text.member("title", shown)
                text.member("value", value)
            }
        }
    }

    /// A date as the value of its item, `2024-01-01T00:00:00Z`; as shown where its format has names of
    /// months, which only the customer's own device reads.
    private func moment(of shown: String) -> String {
        guard let form = DateForm(dateFormat), let parts = form.parts(shown) else { return shown }
        return (DateForm("yyyy-MM-dd")?.text(parts) ?? shown) + "T00:00:00Z"
    }
}
