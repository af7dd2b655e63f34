import DeskBytes
import DeskJSON
import DeskModel

/// What a customer's card says to a question about satisfaction, if it is one.
///
/// It is read before the decision, of answers to quick replies and forms alone: all other messages cost
/// nothing.
struct SatisfactionReply: Hashable, Sendable {
    /// Largest payload in bytes that is read.
    static let maximumBytes = 65_536

    /// What the request called itself; a question is called as its message.
    let request: String
    let score: Int
    let comment: String?

    /// Reads a card; nil for what is no score.
    init?(_ submission: Submission) {
        let facts = submission.facts
        guard facts.direction == .inbound, facts.kind == .quickReply || facts.kind == .form,
            submission.payload.count <= Self.maximumBytes,
            let root = JSONValue.parsed(submission.payload),
            let data = root["interactiveData"]?["data"],
            let request = data["requestIdentifier"]?.string
        else { return nil }
        if facts.kind == .quickReply {
            guard let name = data["quick-reply"]?["selectedIdentifier"]?.string,
                let score = SatisfactionName.score(of: name)
            else { return nil }
            self.init(request: request, score: score, comment: nil)
        } else {
            var score: Int?
            var comment: String?
            for selection in data["dynamic"]?["selections"].map({ Array($0.elements) }) ?? [] {
                let page = selection["pageIdentifier"]
                let item = selection["items"]?[0]
                if page?.equals(SatisfactionName.scorePage) == true {
                    score = item?["identifier"]?.string.flatMap { SatisfactionName.score(of: $0) }
                } else if page?.equals(SatisfactionName.commentPage) == true {
                    comment = item?["value"]?.string
                }
            }
            guard let score else { return nil }
            self.init(request: request, score: score, comment: comment)
        }
    }

    private init(request: String, score: Int, comment: String?) {
        self.request = request
        self.score = score
        let words = comment.map { $0.prefixOfScalars(Satisfaction.longestComment) } ?? ""
        self.comment = words.isEmpty ? nil : words
    }
}

/// What the parts of a question about satisfaction are called on the wire.
package enum SatisfactionName {
    /// The page of a form that asks for the score.
    package static let scorePage = "satisfaction"
    /// The page of a form that asks for words.
    package static let commentPage = "comment"

    /// The choice of a score.
    package static func choice(of score: Int) -> String { "satisfaction-\(score)" }

    /// The score of a choice; nil for another choice.
    package static func score(of name: String) -> Int? {
        Satisfaction.scores.first { choice(of: $0).utf8.elementsEqual(name.utf8) }
    }
}
