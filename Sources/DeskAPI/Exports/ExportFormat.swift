import DeskBytes
import DeskJSON
import DeskModel

/// How the rows of an export are written.
enum ExportFormat: String, CaseIterable {
    /// RFC 4180: CR LF behind each row, the names of the columns in the first.
    case csv
    /// An object a line with the same members in the same order, null where a row has nothing.
    case jsonl

    var mediaType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8; header=present"
        case .jsonl: "application/x-ndjson"
        }
    }

    /// What stands before the rows.
    func head(of columns: [String]) -> [UInt8] {
        switch self {
        case .csv: Array((columns.joined(separator: ",") + "\r\n").utf8)
        case .jsonl: []
        }
    }

    /// Appends a row, which has a value for each column.
    func append(_ row: [ExportValue], _ columns: [String], to out: inout [UInt8]) {
        precondition(row.count == columns.count, "\(row.count) cells, \(columns.count) columns")
        switch self {
        case .csv: Self.appendCells(row, to: &out)
        case .jsonl:
            out += JSONWriter.object(capacity: 1_024) { text in
                for (name, value) in zip(columns, row) {
                    text.key(text: name)
                    switch value {
                    case .text(let one): text.string(one)
                    case .utf8(let one): text.string(utf8: one)
                    case .number(let one): text.number(Int(one))
                    case .truth(let one): text.bool(one)
                    case .time(let one): text.string(one.text)
                    case .none: text.null()
                    }
                }
            }
            out.append(0x0A)
        }
    }

    private static func appendCells(_ row: [ExportValue], to out: inout [UInt8]) {
        for (place, value) in row.enumerated() {
            if place > 0 { out.append(UInt8(ascii: ",")) }
            switch value {
            case .text(let one): appendCell(Array(one.utf8), to: &out)
            case .utf8(let one): appendCell(one, to: &out)
            case .number(let one): out += Array(String(one).utf8)
            case .truth(let one): out += Array((one ? "true" : "false").utf8)
            case .time(let one): out += Array(one.text.utf8)
            case .none: break
            }
        }
        out += [0x0D, 0x0A]
    }

    /// Appends a text, in quotation marks where RFC 4180 wants them.
    ///
    /// Spreadsheets calculate what begins with one of `=`, `+`, `-`, `@`, in East Asia their full-width forms too,
    /// a tab or a line break: an apostrophe before it makes it a text. A customer chooses names and texts.
    private static func appendCell(_ text: [UInt8], to out: inout [UInt8]) {
        let guarded = beginsFormula(text)
        // A semicolon parts cells where a comma parts the digits of numbers.
        let isQuoted =
            text.isEmpty
            || text.contains {
                $0 == 0x22 || $0 == 0x2C || $0 == 0x3B || $0 == 0x0D || $0 == 0x0A
            }
            || text.first == 0x20 || text.last == 0x20
        if isQuoted { out.append(0x22) }
        if guarded { out.append(0x27) }
        for byte in text {
            if byte == 0x22 { out.append(0x22) }
            out.append(byte)
        }
        if isQuoted { out.append(0x22) }
    }

    /// Whether a spreadsheet calculates a text: it looks past blanks in front.
    static func beginsFormula(_ text: some Sequence<UInt8>) -> Bool {
        let start = Array(text.drop(while: { $0 == 0x20 }).prefix(3))
        return start.first.map { formulaBeginnings.contains($0) } ?? false
            || wideBeginnings.contains { start.starts(with: $0) }
    }

    private static let formulaBeginnings: Set<UInt8> = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D, 0x0A]
    private static let wideBeginnings = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].map {
        Array($0.utf8)
    }
}
