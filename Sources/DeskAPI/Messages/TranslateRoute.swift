import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskTranslate
import DeskWeb

/// Answers a message in another vendor's shape; nothing is stored.
struct TranslateRoute {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func translate() async throws(Problem) -> Response {
        let query = context.request.query
        let from = try shape("from", query)
        let to = try shape("to", query)
        let text = try await context.jsonBytes()
        let translator = Translator(
            rulebook: services.rulebook,
            requestIdentifier: services.broker.makeMessageID().text, now: services.time.now())
        do throws(TranslationError) {
            let translation = try translator.translate(text, from: from, to: to)
            return .json(JSON.object(translation.members).bytes())
        } catch {
            throw problem(error, text, query)
        }
    }

    private func shape(_ name: String, _ query: Query) throws(Problem) -> Shape {
        if let shape = try query.word(name, Shape.self, isRequired: true) { return shape }
        throw Problem(
            parameter: name, in: query,
            allowed: Shape.allCases.map(\.rawValue).joined(separator: ", "))
    }

    private func problem(
        _ error: TranslationError, _ text: [UInt8], _ query: Query
    ) -> Problem {
        switch error {
        case .refused(let judgement): return Problem(judgement)
        case .sameShape:
            return Problem(
                parameter: "to", in: query, allowed: "another shape than that of from",
                isRequired: true)
        case .fault(let fault):
            guard let root = JSONValue.parsed(text), let path = JSONPointer(parsing: fault.pointer)
            else { return Problem(.invalid, "Found \(fault.found); allowed: \(fault.allowed).") }
            return Problem([
                RequestFinding(
                    .value, at: root.find(path) ?? root, found: fault.found,
                    allowed: fault.allowed, fix: fault.fix)
            ])
        }
    }
}
