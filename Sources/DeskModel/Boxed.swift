/// A value behind one reference: what is passed on often and has many parts costs one count a copy.
///
/// It is a value all the same: setting it makes a new box, and others keep theirs.
struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    static func == (left: Boxed, right: Boxed) -> Bool {
        left.box === right.box || left.box.value == right.box.value
    }

    func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
