/// Picks the handler by path and method; answers 404, 405 and 413 itself.
public struct Router: Handler {
    /// What a route does with its requests.
    public typealias Action = @Sendable (Request) async -> Response

    /// Makes the response for a refusal of the router's own; the last argument is the code.
    public typealias Refuse = @Sendable (Request, Status, String) async -> Response

    private struct Entry: Sendable {
        let route: Route
        let captures: [Capture]
        let action: Action
    }

    /// Which segment a name captures.
    private struct Capture: Sendable {
        let name: String
        let place: Int
        let takesRest: Bool
    }

    private struct Node: Sendable {
        var literals: [(name: String, node: Int)] = []
        var capture: Int?
        var entries: [Entry] = []
        var rest: [Entry] = []
    }

    private var nodes = [Node()]
    private let refuse: Refuse

    /// Every route, in the order added.
    public private(set) var routes: [Route] = []

    /// Makes an empty table; `refuse` words the refusals.
    public init(
        refuse: @escaping Refuse = { _, status, code in Response.problem(status, code: code) }
    ) {
        self.refuse = refuse
    }

    /// Adds a route.
    ///
    /// Patterns come from the program, not from clients: one that does not start with a slash, or a second route
    /// of the same method and shape, traps.
    public mutating func add(
        _ method: Method, _ pattern: String, operation: String, bodyLimit: Int = 0,
        action: @escaping Action
    ) {
        precondition(pattern.utf8.first == UInt8(ascii: "/"), "pattern \(pattern) has no slash")
        var node = 0
        var captures: [Capture] = []
        var place = 0
        var takesRest = false
        for part in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        where pattern != "/" {
            precondition(!takesRest, "a rest is not last in \(pattern)")
            defer { place += 1 }
            guard part.hasPrefix("{"), part.hasSuffix("}") else {
                node = child(of: node, literal: String(part))
                continue
            }
            let name = part.dropFirst().dropLast()
            takesRest = name.hasSuffix("...")
            captures.append(
                Capture(
                    name: String(takesRest ? name.dropLast(3) : name), place: place,
                    takesRest: takesRest))
            if !takesRest { node = captureChild(of: node) }
        }
        let route = Route(
            method: method, pattern: pattern, operation: operation, bodyLimit: bodyLimit)
        let entry = Entry(route: route, captures: captures, action: action)
        let present = takesRest ? nodes[node].rest : nodes[node].entries
        precondition(
            !present.contains { $0.route.method == method }, "two routes for \(method) \(pattern)")
        if takesRest { nodes[node].rest.append(entry) } else { nodes[node].entries.append(entry) }
        routes.append(route)
    }

    /// Gives the response of the route that fits.
    public func respond(to request: Request) async -> Response {
        let segments = request.path.segments
        guard let entries = find(segments, from: 0, at: 0) else {
            return await refuse(request, .notFound, "not_found")
        }
        let wanted = request.method == .head ? Method.get : request.method
        guard let entry = entries.first(where: { $0.route.method == wanted }) else {
            var response = await refuse(request, .methodNotAllowed, "method_not_allowed")
            response.headers.set("Allow", Router.allow(entries))
            return response
        }
        var routed = request
        routed.body.limit = min(routed.body.limit, entry.route.bodyLimit)
        routed.parameters = Router.capture(entry, segments)
        if routed.body.exceedsLimit {
            var response = await refuse(
                routed, BodyError.tooLarge.status, BodyError.tooLarge.code)
            response.closesConnection = true
            return response
        }
        return await entry.action(routed)
    }

    private mutating func child(of node: Int, literal: String) -> Int {
        if let known = nodes[node].literals.first(where: { $0.name == literal }) {
            return known.node
        }
        nodes.append(Node())
        nodes[node].literals.append((literal, nodes.count - 1))
        return nodes.count - 1
    }

    private mutating func captureChild(of node: Int) -> Int {
        if let known = nodes[node].capture { return known }
        nodes.append(Node())
        nodes[node].capture = nodes.count - 1
        return nodes.count - 1
    }

    /// A literal wins over a capture, a capture over a catch-all; the longest pattern bounds the depth.
    private func find(_ segments: [String], from place: Int, at node: Int) -> [Entry]? {
        guard place < segments.count else {
            return nodes[node].entries.isEmpty ? nil : nodes[node].entries
        }
        // By index: an iterator would retain the list and each name.
        for index in nodes[node].literals.indices
        where nodes[node].literals[index].name.hasSameBytes(as: segments[place]) {
            let next = nodes[node].literals[index].node
            if let found = find(segments, from: place + 1, at: next) { return found }
        }
        if let capture = nodes[node].capture, !segments[place].isEmpty,
            let found = find(segments, from: place + 1, at: capture)
        {
            return found
        }
        return nodes[node].rest.isEmpty ? nil : nodes[node].rest
    }

    private static func capture(_ entry: Entry, _ segments: [String]) -> PathParameters {
        var parameters = PathParameters()
        for capture in entry.captures {
            let value =
                capture.takesRest
                ? segments[capture.place...].joined(separator: "/") : segments[capture.place]
            parameters.capture(capture.name, value)
        }
        return parameters
    }

    private static func allow(_ entries: [Entry]) -> String {
        var methods = entries.map(\.route.method.token)
        if entries.contains(where: { $0.route.method == .get }) { methods.append("HEAD") }
        return methods.joined(separator: ", ")
    }
}
