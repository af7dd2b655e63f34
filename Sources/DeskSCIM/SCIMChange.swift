import DeskJSON

/// A resource while operations change it.
struct SCIMChange {
    /// Most elements that all operations look at, each counted once for each comparison, and more where it is
    /// compared whole.
    ///
    /// As many as every operation of a full request needs that filters the longest list by one value.
    private static let maximumWork = 1_000_000

    /// The resource so far.
    private(set) var resource: SCIMObject
    private let multiple: Set<String>
    private let readOnly: Set<String>
    private var work = 0
    private var written = 0

    init(of resource: JSON, multiple: Set<String>, readOnly: Set<String>) {
        self.resource = SCIMObject(resource) ?? SCIMObject()
        self.multiple = Set(multiple.map { $0.lowercased() })
        self.readOnly = Set(readOnly.map { $0.lowercased() })
    }

    /// Applies one operation.
    mutating func apply(_ operation: SCIMPatch.Operation) throws(SCIMFault) {
        let path = operation.path
        guard let schema = path.schema else {
            guard !readOnly.contains(path.attribute.lowercased()) else {
                guard operation.isAddressed else { return }
                throw SCIMFault(
                    .mutability,
                    "The path: found \(SCIMFault.quoted(path.attribute)), which the server sets; allowed: other attributes. Leave it out."
                )
            }
            let isMultiple = multiple.contains(path.attribute.lowercased())
            let name = SCIMNames.spelled(path.attribute)
            let current = resource.take(name)
            resource[name] = try changed(current, by: operation, isMultiple: isMultiple)
            return
        }
        // Attributes of a further schema are below its URN, RFC 7643 section 3.3.
        var part = resource.take(schema).flatMap { SCIMObject($0) } ?? SCIMObject()
        let current = part.take(path.attribute)
        part[path.attribute] = try changed(current, by: operation, isMultiple: false)
        resource[schema] = part.jsonUnlessEmpty
    }

    /// The value of an attribute after an operation; nil when it has none.
    private mutating func changed(
        _ current: JSON?, by operation: SCIMPatch.Operation, isMultiple: Bool
    ) throws(SCIMFault) -> JSON? {
        let current = current?.unlessNull
        if isMultiple || current?.isArray ?? (operation.path.filter != nil) {
            return try list(current, by: operation, areComplex: isMultiple)
        }
        guard operation.path.filter == nil else {
            throw SCIMFault(
                .invalidPath,
                "The path: found a filter of \(SCIMFault.quoted(operation.path.attribute)), which has one value; allowed: no filter. Leave out the brackets."
            )
        }
        return try single(current, by: operation)
    }

    private mutating func list(
        _ current: JSON?, by operation: SCIMPatch.Operation, areComplex: Bool
    ) throws(SCIMFault) -> JSON? {
        var list = SCIMElements(current?.list ?? [], areComplex: areComplex)
        work += operation.path.filter.map { list.elements.count * $0.comparisons } ?? list.work
        guard work <= Self.maximumWork else {
            throw SCIMFault(
                .tooMany,
                "Operations: found \(work) values to compare; allowed: \(Self.maximumWork). Send fewer operations at once."
            )
        }
        let changes = try list.apply(operation)
        guard list.mostMembers <= SCIMObject.maximumMembers else {
            throw SCIMObject.tooLarge(list.mostMembers)
        }
        // What the text of the request has once may be written to each element.
        try write(operation, times: changes)
        guard operation.kind == .remove || list.elements.count <= SCIMPatch.maximumElements else {
            throw SCIMFault(
                .invalidValue,
                "\(SCIMFault.quoted(operation.path.attribute)): found \(list.elements.count) values; allowed: \(SCIMPatch.maximumElements) at most. Send fewer."
            )
        }
        return list.elements.isEmpty ? Optional.none : .some(.array(list.elements))
    }

    private mutating func single(
        _ current: JSON?, by operation: SCIMPatch.Operation
    ) throws(SCIMFault) -> JSON? {
        let value = operation.value?.unlessNull
        guard let sub = operation.path.subAttribute else {
            guard let value, operation.kind != .remove else {
                return operation.kind == .add ? current : nil
            }
            // RFC 7644 sections 3.5.2.1 and 3.5.2.3: of a complex attribute, those parts change that
            // the value has.
            guard var object = current.flatMap({ SCIMObject($0) }), let parts = SCIMObject(value)
            else { return value.spelled }
            object.merge(parts)
            return try bounded(object)
        }
        var object = SCIMObject()
        if let current {
            guard let whole = SCIMObject(current) else {
                throw SCIMFault(
                    .invalidPath,
                    "The path: found a part of \(SCIMFault.quoted(operation.path.attribute)), which has no parts; allowed: the attribute itself. Leave out the part."
                )
            }
            object = whole
        }
        if operation.kind == .remove || (value == nil && operation.kind == .replace) {
            object[sub] = nil
        } else if let value {
            object[SCIMNames.spelled(sub: sub)] = value
        }
        return try bounded(object)
    }

    private func bounded(_ object: SCIMObject) throws(SCIMFault) -> JSON? {
        let count = object.members.count
        guard count <= SCIMObject.maximumMembers else { throw SCIMObject.tooLarge(count) }
        return object.jsonUnlessEmpty
    }

    private mutating func write(
        _ operation: SCIMPatch.Operation, times: Int
    ) throws(SCIMFault) {
        guard times > 1, let value = operation.value else { return }
        let each = value.leastBytes + (operation.path.subAttribute?.utf8.count ?? 0)
        let (bytes, overflow) = each.multipliedReportingOverflow(by: times)
        written += overflow ? SCIMPatch.maximumBytes + 1 : bytes
        guard written <= SCIMPatch.maximumBytes else { throw Self.tooLarge }
    }

    /// That a resource would become too large.
    static let tooLarge = SCIMFault(
        .invalidValue,
        "The resource: found more bytes than it may have; allowed: \(SCIMPatch.maximumBytes). Send fewer or shorter values."
    )
}
