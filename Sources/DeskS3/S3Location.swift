import DeskBytes

/// A bucket of an S3 server, and what the names of all our objects in it begin with.
public struct S3Location: Sendable, Equatable {
    /// Why a text is no location, in words for the terminal.
    public struct Fault: Error, Equatable {
        /// What was found, and what is allowed.
        public let sentence: String
    }

    /// Longest prefix in bytes; names have 1,024 in S3.
    private static let maximumPrefixBytes = 512
    /// The region of servers that have none.
    public static let usualRegion = "us-east-1"

    /// The bucket.
    public let bucket: String
    /// What every name begins with: nothing, or folders with a slash at the end.
    public let prefix: String
    /// The region that requests are signed for.
    public let region: String
    /// Scheme and host of the server, perhaps with a port.
    let origin: String
    /// What the `Host` field says.
    let host: String
    /// Whether the bucket is the first part of the path, and not in the host's name.
    private let isBucketInPath: Bool

    /// Reads `s3://BUCKET/PREFIX`.
    ///
    /// `endpoint` is the server's address, where the bucket is the first part of each path; without one it is
    /// Amazon's of the region.
    public init(_ text: String, endpoint: String?, region: String?) throws(Fault) {
        guard text.hasPrefix("s3://") else {
            throw Fault(sentence: "it is s3://BUCKET or s3://BUCKET/PREFIX, not \"\(text)\"")
        }
        let rest = text.dropFirst("s3://".count)
        let bucket = String(rest.prefix { $0 != "/" })
        guard Self.isBucket(bucket) else {
            throw Fault(
                sentence:
                    "a bucket has 3 to 63 small letters, digits, dots and hyphens, not \"\(bucket)\""
            )
        }
        self.bucket = bucket
        prefix = try Self.prefix(String(rest.dropFirst(bucket.count)))
        self.region = try Self.region(region ?? Self.usualRegion)
        guard let endpoint else {
            // A certificate for any name below the region's has none for names with dots of their own.
            isBucketInPath = bucket.contains(".")
            host = (isBucketInPath ? "" : bucket + ".") + "s3.\(self.region).amazonaws.com"
            origin = "https://\(host)"
            return
        }
        isBucketInPath = true
        (origin, host) = try Self.server(endpoint)
    }

    /// The path of an object, as it is sent and signed.
    func path(of name: String) -> String {
        (isBucketInPath ? "/\(bucket)/" : "/") + prefix + name
    }

    /// What it is called in a sentence.
    public var text: String { "s3://\(bucket)/\(prefix) at \(origin)" }

    private static func isBucket(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let isWord = { (byte: UInt8) in ASCII.isDigit(byte) || (0x61...0x7A).contains(byte) }
        guard (3...63).contains(bytes.count), let first = bytes.first, let last = bytes.last,
            isWord(first), isWord(last)
        else { return false }
        return bytes.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    /// Bytes that no side encodes, so that what is signed is what is sent.
    private static func prefix(_ text: String) throws(Fault) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: true)
        let isPlain = text.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~/".utf8.contains($0)
        }
        guard isPlain, text.utf8.count <= maximumPrefixBytes,
            parts.allSatisfy({ $0 != "." && $0 != ".." })
        else {
            throw Fault(
                sentence: "a prefix has letters, digits, hyphens, dots, underscores and slashes, "
                    + "\(maximumPrefixBytes) at most, not \"\(text)\"")
        }
        return parts.map { $0 + "/" }.joined()
    }

    private static func region(_ text: String) throws(Fault) -> String {
        guard (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({
                ASCII.isLetter($0) || ASCII.isDigit($0) || "-_".utf8.contains($0)
            })
        else {
            throw Fault(sentence: "a region is a word such as \(usualRegion), not \"\(text)\"")
        }
        return text
    }

    private static func server(_ text: String) throws(Fault) -> (origin: String, host: String) {
        let lower = text.lowercased()
        let ports = [("https://", ":443"), ("http://", ":80")]
        guard let (scheme, port) = ports.first(where: { lower.hasPrefix($0.0) }) else {
            throw Fault(
                sentence:
                    "an endpoint is https://HOST or http://HOST, perhaps with a port, not \"\(text)\""
            )
        }
        var host = lower.dropFirst(scheme.count)
        if host.hasSuffix("/") { host = host.dropLast() }
        // The client leaves the usual port out of the field.
        if host.hasSuffix(port) { host = host.dropLast(port.count) }
        let isPlain = host.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || "-._:[]".utf8.contains($0)
        }
        guard isPlain, !host.isEmpty, !host.hasPrefix(":") else {
            throw Fault(
                sentence:
                    "an endpoint has a host, perhaps a port, and nothing else, not \"\(text)\"")
        }
        return (scheme + host, String(host))
    }
}
