import DeskBytes
import DeskJSON

/// The values of a multi-valued attribute while an operation changes them.
struct SCIMElements {
    /// The values in their order.
    private(set) var elements: [JSON]
    /// Whether each of them is an object, so that a plain value becomes one.
    private let areComplex: Bool
    /// Bytes that are compared in the time in which an element is looked at.
    private static let bytesOfWork = 32

    init(_ elements: [JSON], areComplex: Bool) {
        self.elements = elements
        self.areComplex = areComplex
    }

    /// How much work it is to find out which elements are alike: more for those that are compared whole.
    var work: Int {
        elements.reduce(0) { sum, element in
            let isNamed = (element.attribute("value") ?? element).string != nil
            return sum + (isNamed ? 1 : 1 + element.leastBytes / Self.bytesOfWork)
        }
    }

    /// How many members the largest element has.
    var mostMembers: Int {
        elements.reduce(0) { most, element in
            guard case .object(let members) = element else { return most }
            return max(most, members.count)
        }
    }

    /// Applies one operation and returns how many elements it wrote to.
    mutating func apply(_ operation: SCIMPatch.Operation) throws(SCIMFault) -> Int {
        let path = operation.path
        guard let filter = path.filter else {
            if let sub = path.subAttribute {
                return set(sub, of: elements.indices, operation, orElse: SCIMObject())
            }
            return applyToAll(operation)
        }
        let found = elements.indices.filter { filter.matches(SCIMFilter.element(elements[$0])) }
        guard operation.kind != .remove else {
            if let sub = path.subAttribute {
                return set(sub, of: found, operation, orElse: nil)
            }
            remove(found)
            return 0
        }
        let made = found.isEmpty ? try element(for: filter, operation) : nil
        if let sub = path.subAttribute {
            return set(sub, of: found, operation, orElse: made)
        }
        return merge(into: found, operation, orElse: made)
    }

    /// The element that a filter describes which none matches.
    ///
    /// RFC 7644 section 3.5.2.3 wants `noTarget` for every replacement that matches nothing. Microsoft
    /// Entra sends one all the same for a part of an element that is not there yet, such as
    /// `emails[type eq "work"].value` of a person without an address, and never adds it otherwise. So
    /// it is made wherever the filter says wholly what the element has.
    private func element(
        for filter: SCIMFilter, _ operation: SCIMPatch.Operation
    ) throws(SCIMFault) -> SCIMObject {
        let isAllowed = operation.kind == .add || operation.path.subAttribute != nil
        guard isAllowed, let equalities = filter.equalities else {
            throw SCIMFault(
                .noTarget,
                "The path: found no value of \(SCIMFault.quoted(operation.path.attribute)) that matches; allowed: a filter that does. Correct the filter, or add the value first."
            )
        }
        var object = SCIMObject()
        for equality in equalities {
            let name = equality.name.attribute
            object[SCIMNames.spelled(sub: name)] = equality.json.unlessNull
        }
        return object
    }

    private mutating func applyToAll(_ operation: SCIMPatch.Operation) -> Int {
        let incoming = (operation.value?.list ?? []).filter { !$0.isNull }.map(complete)
        switch operation.kind {
        case .add:
            var known = Set(incoming.map { SCIMElementKey($0) })
            for element in elements { known.remove(SCIMElementKey(element)) }
            let start = elements.count
            for element in incoming where known.remove(SCIMElementKey(element)) != nil {
                elements.append(element)
            }
            keepOnePrimary(of: start..<elements.count)
        case .replace:
            elements = incoming
            keepOnePrimary(of: elements.indices)
        case .remove:
            // Microsoft Entra's older form names the members to remove as a value.
            guard let value = operation.value, !value.isNull else {
                elements = []
                return 0
            }
            let gone = Set(incoming.map { SCIMElementKey($0) })
            elements.removeAll { gone.contains(SCIMElementKey($0)) }
        }
        return 0
    }

    /// Sets or removes a part of some elements, or of a new one where there are none.
    private mutating func set(
        _ sub: String, of places: some Collection<Int>, _ operation: SCIMPatch.Operation,
        orElse made: SCIMObject?
    ) -> Int {
        let value = operation.value?.unlessNull
        let name = SCIMNames.spelled(sub: sub)
        guard let value, operation.kind != .remove else {
            if operation.kind == .add { return 0 }
            for place in places {
                var object = object(at: place)
                object[name] = nil
                elements[place] = object.json
            }
            elements.removeAll { SCIMObject($0)?.members.isEmpty == true }
            return 0
        }
        var written = Array(places)
        if places.isEmpty, let made {
            elements.append(made.json)
            written = [elements.count - 1]
        }
        for place in written {
            var object = object(at: place)
            object[name] = value
            elements[place] = object.json
        }
        if places.isEmpty || SCIMNames.areEqual(name, "primary") { keepOnePrimary(of: written) }
        return written.count
    }

    /// Adds a value to some elements or puts it in their place; or makes a new one where there are none.
    private mutating func merge(
        into places: [Int], _ operation: SCIMPatch.Operation, orElse made: SCIMObject?
    ) -> Int {
        guard let value = operation.value, !value.isNull else {
            if operation.kind == .replace { remove(places) }
            return 0
        }
        guard let parts = SCIMObject(SCIMFilter.element(value).spelled) else { return 0 }
        if let made, places.isEmpty {
            var object = made
            object.merge(parts)
            elements.append(object.json)
            keepOnePrimary(of: [elements.count - 1])
            return 1
        }
        for place in places {
            if operation.kind == .add {
                var object = object(at: place)
                object.merge(parts)
                elements[place] = object.json
            } else {
                elements[place] = complete(value)
            }
        }
        if parts.json.attribute("primary")?.truth == true { keepOnePrimary(of: places) }
        return places.count
    }

    /// Makes the last primary value of some elements the only one.
    private mutating func keepOnePrimary(of places: some Collection<Int>) {
        func isPrimary(_ place: Int) -> Bool {
            elements[place].attribute("primary")?.truth == true
        }
        guard let kept = Array(places).last(where: isPrimary) else { return }
        for place in elements.indices where place != kept && isPrimary(place) {
            var object = object(at: place)
            object["primary"] = false
            elements[place] = object.json
        }
    }

    private mutating func remove(_ places: [Int]) {
        let gone = Set(places)
        elements = elements.indices.filter { !gone.contains($0) }.map { elements[$0] }
    }

    private func complete(_ value: JSON) -> JSON {
        areComplex ? SCIMFilter.element(value).spelled : value.spelled
    }

    private func object(at place: Int) -> SCIMObject {
        SCIMObject(SCIMFilter.element(elements[place])) ?? SCIMObject()
    }
}

/// What makes two elements one: their `value`, compared as bytes, or all of them.
private struct SCIMElementKey: Hashable {
    private let text: String
    private let isText: Bool

    init(_ element: JSON) {
        let value = element.attribute("value") ?? element
        isText = value.string != nil
        text = value.string ?? value.sorted.text()
    }

    static func == (left: SCIMElementKey, right: SCIMElementKey) -> Bool {
        left.isText == right.isText && left.text.equalsBytes(right.text)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSON {
    /// An object with its members in the order of their names.
    fileprivate var sorted: JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }
}
