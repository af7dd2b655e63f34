import DeskBytes
import DeskJSON

/// A form as it was asked: its pages and the way from one to the next (protocol page 3.11).
public struct Form: Sendable {
    /// Most pages that one who fills a form goes through; ways may lead in circles.
    public static let maximumAnswers = 200

    let dynamic: JSONValue
    /// The pages, in the order of the message.
    public let pages: [FormPage]
    private let places: [ByteString: Int]

    /// Reads an outbound message; nil for one that holds no form.
    public init?(payload: [UInt8]) {
        guard let dynamic = JSONValue.parsed(payload)?["interactiveData"]?["data"]?["dynamic"]
        else { return nil }
        self.init(dynamic)
    }

    init(_ dynamic: JSONValue) {
        self.dynamic = dynamic
        pages = (dynamic["data"]?["pages"]?.list ?? []).map { FormPage(node: $0) }
        var places: [ByteString: Int] = [:]
        for (place, page) in pages.enumerated() {
            let name = ByteString(Array(page.identifier.utf8))
            if places[name] == nil { places[name] = place }
        }
        self.places = places
    }

    /// The page the form begins with; nil when the message names none of its pages.
    public var start: FormPage? {
        dynamic["data"]?["startPageIdentifier"]?.string.flatMap { find($0) }
    }

    /// The page of a name.
    public func find(_ identifier: String) -> FormPage? {
        places[ByteString(Array(identifier.utf8))].map { pages[$0] }
    }

    /// The page that follows an answer; nil at an end of the form.
    ///
    /// The chosen item's own page goes first, then submitForm ends the form, then the page names its
    /// next one; without any the page is the last.
    public func page(after page: FormPage, answeredBy entry: FormAnswer.Entry) -> FormPage? {
        if page.isSingle, case .items(let chosen) = entry, let name = chosen.first,
            let branch = page.findItem(name)?["nextPageIdentifier"]?.string, !branch.isEmpty
        {
            return find(branch)
        }
        if page.node["submitForm"]?.bool == true { return nil }
        return page.node["nextPageIdentifier"]?.string.flatMap { find($0) }
    }

    /// Answers page after page from the start on, as one who fills the form does.
    ///
    /// Limit: `maximumAnswers`; then, or where the closure answers nil, what is there is returned.
    public func fill(_ answer: (FormPage) -> FormAnswer.Entry?) -> [FormAnswer] {
        var answers: [FormAnswer] = []
        var next = start
        while let page = next, answers.count < Self.maximumAnswers, let entry = answer(page) {
            answers.append(FormAnswer(page: page.identifier, entry: entry))
            next = self.page(after: page, answeredBy: entry)
        }
        return answers
    }
}
