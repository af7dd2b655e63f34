package import DeskJSON

/// A PATCH request: operations that change one resource, RFC 7644 section 3.5.2.
package struct SCIMPatch: Sendable {
    /// Most operations of a request, each attribute of an object without a path counted; one more is refused.
    package static let maximumOperations = 1_000
    /// Largest resource that comes of a request, in bytes; a larger one is an invalid value.
    package static let maximumBytes = 1_024 * 1_024
    /// Most elements of one attribute, such as members; one more is an invalid value.
    package static let maximumElements = 10_000

    /// What an operation does.
    enum Kind: String, Sendable { case add, remove, replace }

    /// One change of one attribute.
    struct Operation: Sendable {
        let kind: Kind
        let path: SCIMPath
        /// The value; nil where a removal has none.
        let value: JSON?
        /// Whether the request names the attribute as a path, and not within an object.
        let isAddressed: Bool
    }

    /// The changes in their order; an object without a path is one for each of its members.
    let operations: [Operation]

    /// Reads the body of a request.
    ///
    /// - Throws: `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, and `noTarget` for a
    ///   removal without a path.
    package init(_ body: JSONValue) throws(SCIMFault) {
        let schemas = Self.member("schemas", of: body)
        guard
            schemas?.elements.contains(where: {
                SCIMNames.areEqual($0.string ?? "", SCIMSchemas.patchURN)
            }) == true
        else {
            throw SCIMFault(
                .invalidSyntax,
                "schemas: found no \(SCIMSchemas.patchURN); allowed: a list with it. Send that schema."
            )
        }
        let list = Self.member("Operations", of: body)
        guard let list, list.kind == .array, (1...Self.maximumOperations).contains(list.count)
        else {
            let found = list.map { $0.kind == .array ? "\($0.count)" : "no list" } ?? "nothing"
            throw SCIMFault(
                .invalidSyntax,
                "Operations: found \(found); allowed: a list of 1 to \(Self.maximumOperations). Send as many."
            )
        }
        var operations: [Operation] = []
        for one in list.elements { try Self.read(one, to: &operations) }
        self.operations = operations
    }

    /// The resource after all operations; none is applied when one of them fails.
    ///
    /// `multiple` are the attributes that have a list of values. An attribute of `readOnly` is refused
    /// as a path and left out within an object without a path. An attribute that has no value left is
    /// not in the result.
    /// - Throws: `mutability`, `noTarget`, `invalidPath`, `invalidValue`, and `tooMany` when filters
    ///   would look at too many elements.
    package func applied(
        to resource: JSON, multiple: Set<String>, readOnly: Set<String>
    ) throws(SCIMFault) -> JSON {
        var change = SCIMChange(of: resource, multiple: multiple, readOnly: readOnly)
        for operation in operations { try change.apply(operation) }
        let result = change.resource.json
        // Counted before it is written, since few bytes may stand in many elements.
        guard result.leastBytes <= Self.maximumBytes, result.bytes().count <= Self.maximumBytes
        else { throw SCIMChange.tooLarge }
        return result
    }

    private static func read(
        _ value: JSONValue, to operations: inout [Operation]
    ) throws(SCIMFault) {
        let name = member("op", of: value)?.string ?? ""
        guard let kind = Kind(rawValue: name.lowercased()) else {
            throw SCIMFault(
                .invalidSyntax,
                "op: found \(SCIMFault.quoted(name)); allowed: add, remove or replace. Send one of them."
            )
        }
        let content = member("value", of: value)
        let place = member("path", of: value)
        guard place == nil || place?.isNull == true || place?.kind == .string else {
            throw SCIMFault(
                .invalidSyntax,
                "path: found no text; allowed: a path such as name.givenName. Send a text.")
        }
        let path = try (place?.string).flatMap { $0.isEmpty ? nil : $0 }
            .map { (text) throws(SCIMFault) in try SCIMPath(parsing: text) }
        if let path, !path.attribute.isEmpty {
            guard content != nil || kind == .remove else {
                throw SCIMFault(
                    .invalidValue,
                    "value: found nothing; allowed: any value with \(name). Send one.")
            }
            try requireFewMembers(content)
            try add(
                Operation(
                    kind: kind, path: path, value: content.map { JSON($0) }, isAddressed: true),
                to: &operations)
        } else {
            guard kind != .remove else {
                throw SCIMFault(
                    .noTarget,
                    "path: found none; allowed: the attribute to remove. Send its path.")
            }
            try expand(content, kind, to: &operations)
        }
    }

    /// One operation for each member of an object, whose keys are paths.
    ///
    /// Microsoft Entra sends keys such as `name.givenName` and `urn:…:User:department`, and with
    /// filters too.
    private static func expand(
        _ value: JSONValue?, _ kind: Kind, to operations: inout [Operation]
    ) throws(SCIMFault) {
        guard let value, value.kind == .object else {
            throw SCIMFault(
                .invalidValue,
                "value: found no object; allowed without a path: an object of attributes. Send one."
            )
        }
        try requireFewMembers(value)
        for member in value.members {
            let path = try SCIMPath(parsing: member.key)
            if path.attribute.isEmpty {
                try expand(member.value, kind, to: &operations)
            } else {
                try requireFewMembers(member.value)
                try add(
                    Operation(
                        kind: kind, path: path, value: JSON(member.value), isAddressed: false),
                    to: &operations)
            }
        }
    }

    private static func add(
        _ operation: Operation, to operations: inout [Operation]
    ) throws(SCIMFault) {
        guard operations.count < maximumOperations else {
            throw SCIMFault(
                .tooMany,
                "Operations: found more than \(maximumOperations) attributes; allowed: as many. Send fewer at once."
            )
        }
        operations.append(operation)
    }

    /// Refuses a value, and a list of values, of which one has too many members.
    private static func requireFewMembers(_ value: JSONValue?) throws(SCIMFault) {
        guard let value else { return }
        let largest =
            switch value.kind {
            case .object: value.count
            case .array: value.elements.map { $0.kind == .object ? $0.count : 0 }.max() ?? 0
            case .null, .boolean, .number, .string: 0
            }
        guard largest <= SCIMObject.maximumMembers else { throw SCIMObject.tooLarge(largest) }
    }

    private static func member(_ name: String, of value: JSONValue) -> JSONValue? {
        value.members.first { SCIMNames.areEqual($0.key, name) }?.value
    }
}
