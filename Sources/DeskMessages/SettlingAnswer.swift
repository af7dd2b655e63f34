import DeskJSON

/// How an answer says that its request is settled: paid, or signed in.
package enum SettlingAnswer {
    /// Whether an answer's payload says so.
    package static func isSuccess(_ payload: [UInt8]) -> Bool {
        let document: JSONDocument
        do { document = try JSONDocument(parsing: payload) } catch { return false }
        let data = document.root["interactiveData"]?["data"]
        return data?["payment"].map { isPaid($0) } == true
            || data?["authenticate"]?["status"]?.equals("authenticated") == true
    }

    /// Whether a payment's result says that it was paid: by its state, and by the merchant's status, where it has one.
    ///
    /// What the two contradict each other in was not paid (protocol page 3.6: `STATUS_SUCCESS` alone is a success).
    static func isPaid(_ payment: JSONValue) -> Bool {
        guard payment["state"]?.equals("success") == true else { return false }
        guard let status = payment["status"], !status.isNull, !status.isEmptyText else {
            return true
        }
        return status.equals("STATUS_SUCCESS")
    }
}
