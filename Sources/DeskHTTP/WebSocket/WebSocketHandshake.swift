import DeskBytes
import DeskCrypto

/// The opening handshake of RFC 6455 4.2, the server's side.
public enum WebSocketHandshake {
    /// The fields of the 101 response to a valid request.
    ///
    /// - Throws: 426 for a version other than 13, 400 for anything else that is missing or wrong.
    public static func fields(for request: Request) throws(RequestProblem) -> HeaderFields {
        guard request.isWebSocketUpgrade, request.body.isEmpty else {
            throw RequestProblem(.badRequest, "not_a_websocket_request")
        }
        guard request.headers["sec-websocket-version"] == "13" else {
            throw RequestProblem(.upgradeRequired, "websocket_version_not_supported")
        }
        let keys = request.headers.values("sec-websocket-key")
        guard keys.count == 1, let key = keys.first, isKey(key) else {
            throw RequestProblem(.badRequest, "bad_websocket_key")
        }
        return ["Upgrade": "websocket", "Sec-WebSocket-Accept": accept(key)]
    }

    static func accept(_ key: String) -> String {
        Base64.encode(SHA1.digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    }

    /// 16 bytes in base64: 22 characters and two equals signs.
    private static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes[22...].elementsEqual("==".utf8)
            && bytes[..<22].allSatisfy {
                let low = ByteClass.lowercased($0)
                return (low >= 0x61 && low <= 0x7A) || ByteClass.isDigit($0)
                    || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
            }
    }
}
