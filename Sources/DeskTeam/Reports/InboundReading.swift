import DeskJSON
import DeskModel

/// What the counters read in a customer's message itself.
enum InboundReading {
    /// The link by which the customer came, as the message says it.
    static func entry(of message: StoredMessage) -> ReportEntry {
        let root = root(of: message)
        return ReportEntry(intent: root?["intent"]?.string, group: root?["group"]?.string)
    }

    /// Whether a payment was made.
    static func isPaid(_ message: StoredMessage) -> Bool {
        let payment = root(of: message)?["interactiveData"]?["data"]?["payment"]
        return payment?["state"]?.equals("success") == true
    }

    /// Nil for a payload that was erased, is carried by reference, or is no JSON.
    private static func root(of message: StoredMessage) -> JSONValue? {
        guard let bytes = message.payload.carriedBytes, !bytes.isEmpty else { return nil }
        // Safe: what is no JSON says nothing.
        return (try? JSONDocument(parsing: bytes))?.root
    }
}
