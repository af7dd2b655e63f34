import DeskJSON
import DeskModel

/// Finds messages of a customer that are not in the order of their time, over all requests of a dry run: the
/// server stores nothing of it, and knows of each request only its own lines.
struct OrderWatch {
    /// By the customers of lines that were sent.
    private var sent: [String: Timestamp] = [:]
    private var waiting: [String: Timestamp] = [:]

    /// Notes that what was added is sent, and the next line begins another request.
    mutating func noteSent() {
        sent.merge(waiting) { max($0, $1) }
        waiting = [:]
    }

    /// Adds a line; what is wrong with it and the server cannot know.
    mutating func add(_ line: [UInt8]) -> String? {
        guard let root = JSONValue.parsed(line), root["type"]?.string == "message",
            let customer = root["customer"]?.string,
            let time = root["time"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        waiting[customer] = max(waiting[customer] ?? time, time)
        guard let last = sent[customer], time < last else { return nil }
        return "error: a message of \(time.text) follows one of \(last.text) of the same customer"
    }
}
