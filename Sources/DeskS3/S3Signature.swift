import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskModel
import DeskStore

/// Signs requests to S3: AWS Signature Version 4, in header fields.
///
/// Not libcurl's: the one of Debian 12 signs fields that it was asked to leave out, and then a server refuses them.
struct S3Signature {
    let credentials: S3Credentials
    let region: String

    /// The digest that stands for a body of no bytes.
    static let emptyDigest = Digest.sha256([])

    /// All fields of a request whose path needs no encoding and that has no query: those that are given, and
    /// what makes them a signed request.
    func fields(
        _ method: Method, host: String, path: String, _ given: [(name: String, value: String)] = [],
        body: Digest, at time: Timestamp
    ) -> HeaderFields {
        let moment = Self.text(of: time)
        let own = [("x-amz-content-sha256", body.text), ("x-amz-date", moment)]
        let sent = (given.map { ($0.name.lowercased(), $0.value) } + own)
        let signed = (sent + [("host", host)]).sorted { $0.0 < $1.0 }
        let names = signed.map(\.0).joined(separator: ";")
        let canonical = [
            method.token, path, "", signed.map { "\($0.0):\($0.1)\n" }.joined(), names, body.text,
        ].joined(separator: "\n")
        let day = String(moment.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = [
            "AWS4-HMAC-SHA256", moment, scope, Hex.encode(SHA256.digest(canonical)),
        ].joined(separator: "\n")
        let signature = Hex.encode(HMACSHA256.code(for: Array(text.utf8), key: key(of: day)))
        var fields: HeaderFields = [
            "authorization": "AWS4-HMAC-SHA256 Credential=\(credentials.keyID)/\(scope), "
                + "SignedHeaders=\(names), Signature=\(signature)"
        ]
        for (name, value) in sent { fields.append(name, value) }
        return fields
    }

    /// The key of a day, a region and the service.
    private func key(of day: String) -> [UInt8] {
        var key = Array("AWS4\(credentials.secret)".utf8)
        for part in [day, region, "s3", "aws4_request"] {
            key = HMACSHA256.code(for: Array(part.utf8), key: key)
        }
        return key
    }

    /// `20130524T000000Z`.
    private static func text(of time: Timestamp) -> String {
        let seconds = Int(time.milliseconds / 1_000)
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: days)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(date.year)\(two(date.month))\(two(date.day))T"
            + "\(two(rest / 3_600))\(two(rest / 60 % 60))\(two(rest % 60))Z"
    }
}
