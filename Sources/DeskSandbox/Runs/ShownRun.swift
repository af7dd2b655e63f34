import DeskJSON
import DeskModel
import DeskScript
import DeskStore

/// A run as every node shows it: what the node that plays it stored last.
struct ShownRun: Sendable {
    /// Whether it is played.
    let isRunning: Bool
    /// Names it.
    var id: String { root["id"]?.string ?? "" }
    private let root: JSONValue

    /// - Throws: `damaged` when the row does not hold what a run is shown by.
    init(_ row: ScriptRunRow) throws(StoreError) {
        isRunning = row.end == nil
        do throws(JSONError) {
            root = try JSONDocument(parsing: row.document, limits: .unlimited).root
        } catch {
            throw StoreError(.damaged, "a run of a script")
        }
    }

    /// The run whole.
    var document: [UInt8] { root.document.bytes }

    /// The run without what happened in it, for lists.
    var summary: [UInt8] {
        JSON.object(
            root.members.filter { $0.key != "lines" }.map { ($0.key, JSON($0.value)) }
        ).bytes()
    }

    /// Whether the step in a line waits for a time to pass.
    func waitsForTime(inLine line: Int) -> Bool {
        guard isRunning, let step = root["step"], step["line"]?.int == line else { return false }
        return step["waitsFor"]?.equals(ScriptRun.UnderWay.Wait.time.rawValue) == true
    }

    /// What is shown of the run from when it was stopped, where it was.
    func stopped(_ reason: String, at time: Timestamp) -> [UInt8] {
        let step = root["step"]
        let before = root["lines"].map { Array($0.elements) } ?? []
        let line = step?["line"]?.int ?? before.last?["line"]?.int ?? 1
        let failure = JSON.object([
            ("line", .integer(line)), ("text", .string(step?["text"]?.string ?? "")),
            ("reason", .string(reason)),
        ])
        let last = JSON.object([
            ("time", .string(time.text)),
            ("customer", .string(step?["customer"]?.string ?? "\u{2014}")),
            ("text", .string("FAILED in line \(line): \(reason)")), ("line", .integer(line)),
        ])
        let members = root.members.map { member -> (String, JSON) in
            switch member.key {
            case "state": ("state", .string(PlayedScript.State.stopped.rawValue))
            case "endedAt": ("endedAt", .string(time.text))
            case "step": ("step", .null)
            case "failure": ("failure", failure)
            case "lines": ("lines", .array(before.map { JSON($0) } + [last]))
            default: (member.key, JSON(member.value))
            }
        }
        return JSON.object(members).bytes()
    }
}
