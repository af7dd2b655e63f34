import DeskDiagnosis
import DeskJSON

extension Judging {
    /// Judges what a page says about its own fields: branches, the item shown first, dates.
    mutating func judgeFields(of page: JSONValue, _ items: [JSONValue]) {
        guard let type = page["type"] else { return }
        if type.equals("select") {
            guard page["multipleSelection"]?.bool == true else { return }
            for branch in items.compactMap({ $0[stated: "nextPageIdentifier"] })
            where !branch.isEmptyText {
                note(
                    .formBranchIgnored, at: branch,
                    found: "a next page of one answer among several",
                    allowed: "nextPageIdentifier of the page where multipleSelection is true",
                    fix: "Let the page itself name the next one, or allow a single answer.")
            }
        } else if type.equals("picker") {
            guard let node = page["selectedItemIndex"], let index = node.int,
                index >= items.count, !items.isEmpty
            else { return }
            note(
                .formIndexOutside, at: node, found: "\(index) with \(items.count) items",
                allowed: "0 to \(items.count - 1)", limit: items.count - 1, actual: index,
                fix: "Count from 0.")
        } else if type.equals("datePicker"), let options = page["options"] {
            judgeDates(options)
        }
    }

    private mutating func judgeDates(_ options: JSONValue) {
        let named = options["dateFormat"]?.string ?? ""
        let stated = named.isEmpty ? "MM/dd/yyyy" : named
        guard let form = DateForm(stated) else { return }
        var days: [String: Int] = [:]
        for name in ["minimumDate", "startDate", "maximumDate"] {
            guard let node = options[name], let text = node.string, !text.isEmpty else {
                continue
            }
            if let day = form.day(text) {
                days[name] = day
                continue
            }
            let meant = DateForm.known.lazy.compactMap { $0.parts(text) }.first.map(form.text)
            note(
                .formDateForm, at: node, found: node.quoted,
                allowed: "a date as \(stated) writes it",
                fix: meant.map { "Write \"\($0)\"." } ?? "Write the date as dateFormat says.",
                edits: meant.map { [.replace(node, withString: $0)] } ?? [])
        }
        for (early, late) in Self.orderOfDates {
            guard let first = days[early], let second = days[late], first > second,
                let node = options[late]
            else { continue }
            note(
                .formDatesCrossed, at: node, found: "\(late) before \(early)",
                allowed: "minimumDate, startDate and maximumDate in this order",
                fix: "Put the dates in order.")
        }
    }

    private static let orderOfDates = [
        ("minimumDate", "startDate"), ("startDate", "maximumDate"), ("minimumDate", "maximumDate"),
    ]
}
