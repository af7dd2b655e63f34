import DeskJSON

/// How a payment's answer says that it was paid.
enum PaymentState {
    /// Whether an answer's payload says so.
    static func isSuccess(_ payload: [UInt8]) -> Bool {
        let document: JSONDocument
        do { document = try JSONDocument(parsing: payload) } catch { return false }
        return document.root["interactiveData"]?["data"]?["payment"]?["state"]?
            .equals("success") == true
    }
}
