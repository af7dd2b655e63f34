public import DeskHTTP

extension Response {
    /// An answer of JSON.
    public static func json(_ bytes: [UInt8], status: Status = .ok) -> Response {
        Response(status: status, type: "application/json", bytes)
    }
}
