import DeskHTTP

/// An answer's status and fields, read line by line as libcurl delivers them.
struct AnswerHead: Sendable {
    /// Most bytes of all lines together; one more ends the transfer.
    static let maximumBytes = 65_536

    /// What a line contained.
    enum Step {
        case more, complete, tooLarge
    }

    private(set) var status = Status.ok
    private(set) var headers: HeaderFields = [:]
    private var bytes = 0
    private(set) var isComplete = false

    /// Parses one line with its line end.
    ///
    /// Heads of 1xx answers are dropped; so are lines after the head (trailers) and lines that are no
    /// field.
    mutating func take(_ line: [UInt8]) -> Step {
        guard !isComplete else { return .more }
        bytes += line.count
        guard bytes <= AnswerHead.maximumBytes else { return .tooLarge }
        var end = line.count
        while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        if end == 0 {
            isComplete = status.code >= 200
            return isComplete ? .complete : .more
        }
        let text = line[..<end]
        if text.starts(with: "HTTP/".utf8) {
            status = AnswerHead.status(of: text)
            headers = [:]
        } else if let colon = text.firstIndex(of: 0x3A) {
            headers.append(
                String(decoding: text[..<colon], as: UTF8.self),
                AnswerHead.trimmed(text[(colon + 1)...]))
        }
        return .more
    }

    /// The length that the fields declare; nil when they do not.
    var declaredLength: Int? {
        guard !headers.contains("transfer-encoding") else { return nil }
        guard let text = headers.only("content-length"), let count = Int(text), count >= 0 else {
            return nil
        }
        return count
    }

    private static func status(of line: ArraySlice<UInt8>) -> Status {
        let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: true)
        guard words.count > 1 else { return .internalServerError }
        return Status(Int(String(decoding: words[1], as: UTF8.self)) ?? 500)
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var value = value
        while let byte = value.first, byte == 0x20 || byte == 0x09 { value.removeFirst() }
        while let byte = value.last, byte == 0x20 || byte == 0x09 { value.removeLast() }
        return Array(value)
    }
}
