import DeskJSON

/// How an answer says that its request is settled: paid, or signed in.
package enum SettlingAnswer {
    /// Whether an answer's payload says so.
    package static func isSuccess(_ payload: [UInt8]) -> Bool {
        let document: JSONDocument
        do { document = try JSONDocument(parsing: payload) } catch { return false }
        let data = document.root["interactiveData"]?["data"]
        return data?["payment"]?["state"]?.equals("success") == true
            || data?["authenticate"]?["status"]?.equals("authenticated") == true
    }
}
