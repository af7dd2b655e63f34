import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskTeam

extension Report {
    /// The report as JSON.
    var json: [UInt8] {
        JSONWriter.object { text in
            text.member("business", business.text)
            text.member("from", ReportQuery.text(query.period.firstDay))
            text.member("to", ReportQuery.text(query.period.lastDay))
            text.member("zone", query.zoneName)
            text.member("step", query.step.rawValue)
            text.member("countedUpTo", countedUpTo?.text)
            text.member("total") { text in text.object { $0.members(total) } }
            text.member("previous") { text in
                guard let previous else { return text.null() }
                let period = query.period.previous
                text.object {
                    $0.member("from", ReportQuery.text(period.firstDay))
                    $0.member("to", ReportQuery.text(period.lastDay))
                    $0.member("total") { text in text.object { $0.members(previous) } }
                }
            }
            text.member("rows") { text in
                text.array { text in
                    for row in rows {
                        text.object {
                            $0.member("start", self.text(of: row.begin))
                            $0.member("minutes", Int(row.end.since(row.begin) / .seconds(60)))
                            $0.members(row.counts)
                        }
                    }
                }
            }
            text.member("by", query.cut?.rawValue)
            text.member("members") { text in
                text.array { text in
                    for member in members {
                        text.object {
                            $0.member("id", member.id)
                            $0.member("name", member.name)
                            $0.members(member.counts)
                        }
                    }
                }
            }
        }
    }

    /// The rows as CSV (RFC 4180), by time, or those that the report is cut by.
    var csv: [UInt8] {
        let names = ReportCounts().shown.map { "\($0.name)" } + ["meanScore"]
        var lines: [[String]]
        if query.cut == nil {
            lines = [["start", "minutes"] + names]
            for row in rows {
                let minutes = Int(row.end.since(row.begin) / .seconds(60))
                lines.append([text(of: row.begin), "\(minutes)"] + Self.cells(row.counts))
            }
        } else {
            lines = [["id", "name"] + names]
            for member in members {
                lines.append(
                    [CSVCell.text(member.id ?? ""), CSVCell.text(member.name)]
                        + Self.cells(member.counts))
            }
        }
        return Array(
            (lines.map { $0.joined(separator: ",") }.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// The name of the file that a browser saves.
    var fileName: String {
        let days =
            "\(ReportQuery.text(query.period.firstDay))-\(ReportQuery.text(query.period.lastDay))"
        return "report-\(days)\(query.cut.map { "-by-\($0.rawValue)" } ?? "").csv"
    }

    private static func cells(_ counts: ReportCounts) -> [String] {
        counts.shown.map { $0.value.map { "\($0)" } ?? "" } + [counts.meanScore ?? ""]
    }
}

/// Texts in CSV.
enum CSVCell {
    /// A cell that says a text, and that no spreadsheet calculates: one that begins as a formula does
    /// begins with an apostrophe then.
    static func text(_ text: String) -> String {
        let plain = ExportFormat.beginsFormula(text.utf8) ? "'" + text : text
        let isQuoted = plain.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ";")
                || byte < 0x20
        }
        guard isQuoted else { return plain }
        var quoted = "\""
        for scalar in plain.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}

extension JSONWriter {
    /// Writes the numbers of a report as members.
    fileprivate mutating func members(_ counts: ReportCounts) {
        for (name, value) in counts.shown {
            if let value {
                member(name, value)
            } else {
                member(name, String?.none)
            }
        }
        key("meanScore")
        raw(Array((counts.meanScore ?? "null").utf8))
    }
}
