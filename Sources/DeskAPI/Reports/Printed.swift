import DeskCalendar
import DeskEventJSON
import DeskHTTP
public import DeskModel
public import DeskStore
import DeskTeam
import DeskWeb

/// Why something cannot be printed, in a sentence.
public struct PrintRefusal: Error, Sendable {
    /// The sentence.
    public let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

/// A report as a command prints it.
public enum PrintedReport {
    /// Reads the report of a business.
    ///
    /// - Parameter values: from, to, zone and by, as the API's query has them.
    public static func read(
        of business: BusinessID, _ values: [String: String], isCSV: Bool, in store: any Store,
        now: Timestamp
    ) async throws(StoreError) -> Result<String, PrintRefusal> {
        let query: ReportQuery
        do throws(Problem) {
            query = try ReportQuery(
                Query(items: values.map { Query.Item(name: $0.key, value: $0.value) }),
                in: TimeZones(), now: now)
        } catch {
            return .failure(PrintRefusal(error.detail))
        }
        let report = try await ReportReading(store: store).report(of: business, query)
        return .success(
            isCSV ? String(decoding: report.csv.dropLast(2), as: UTF8.self) : text(of: report))
    }

    private static func text(of report: Report) -> String {
        let period = report.query.period
        var lines = [
            "\(ReportQuery.text(period.firstDay)) to \(ReportQuery.text(period.lastDay)), "
                + report.query.zoneName
        ]
        for (name, value) in report.total.shown {
            lines.append("  \(name): \(value.map { "\($0)" } ?? "none")")
        }
        lines.append("")
        let rows: [(String, ReportCounts)] =
            report.query.cut == nil
            ? report.rows.map { (String(report.text(of: $0.begin).prefix(10)), $0.counts) }
            : report.members.map { ($0.name, $0.counts) }
        for (name, counts) in rows {
            lines.append(
                "\(name)  \(counts.begun) begun, \(counts.received) received, \(counts.sent) sent, "
                    + "\(counts.closed) closed")
        }
        return lines.joined(separator: "\n")
    }
}

/// A transcript as a command prints it.
public enum PrintedTranscript {
    private struct TooLong: Error {}

    /// Reads the transcript of a conversation, up to a length in bytes.
    ///
    /// - Parameter format: text, html or json.
    public static func read(
        of conversation: Conversation, as format: String, withNotes hasNotes: Bool,
        in store: any Store, now: Timestamp, atMost most: Int
    ) async throws(StoreError) -> Result<String, PrintRefusal> {
        guard let format = TranscriptFormat(rawValue: format) else {
            let words = TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
            return .failure(PrintRefusal("--format is one of \(words)"))
        }
        let transcript = Transcript(
            of: [conversation], in: .en, madeAt: now, names: AuthorNames(store: store))
        var bytes: [UInt8] = []
        do {
            try await transcript.write(as: format, withNotes: hasNotes, from: store) { piece in
                bytes += piece
                if bytes.count > most { throw TooLong() }
            }
        } catch let error as StoreError {
            throw error
        } catch {
            return .failure(
                PrintRefusal(
                    "the transcript is longer than \(most) bytes; "
                        + "GET /api/conversations/\(conversation.id.text)/transcript has no such bound"
                ))
        }
        return .success(String(decoding: bytes, as: UTF8.self))
    }
}
