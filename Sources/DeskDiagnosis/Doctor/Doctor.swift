import DeskBytes
import DeskJSON

/// Recognises what happens to bytes on their way into a payload, and undoes it.
///
/// The most frequent mistakes of this channel are bytes, not structure: hex where base64 belongs,
/// JSON pasted out of a log, a text encoded twice.
public enum Doctor {
    /// Largest text in bytes that is examined, and the most it may unpack to.
    public static let maximumBytes = 4 * 1_024 * 1_024
    /// Most layers that are removed from one text.
    static let maximumLayers = 12

    /// Examines any bytes.
    ///
    /// Limit: a text over `maximumBytes` is not examined, which is a defect of its own; the work
    /// is a fixed number of passes over the text.
    public static func examine(_ bytes: [UInt8]) -> Diagnosis {
        guard bytes.count <= maximumBytes else {
            let defect = Defect(
                kind: .tooLarge, pointer: nil, place: TextPlace(0..<0, in: []),
                found: "\(bytes.count) bytes", repaired: nil, isNote: false,
                sentence: "The text has more than \(maximumBytes) bytes and was not examined.")
            return Diagnosis(defects: [defect], repaired: nil)
        }
        var defects: [Defect] = []
        var text = bytes
        for _ in 0..<maximumLayers {
            guard let layer = outermost(of: text) else { break }
            defects += layer.defects
            guard let inner = layer.text, inner != text else { break }
            text = inner
        }
        return Diagnosis(defects: defects, repaired: text == bytes ? nil : text)
    }

    /// One layer: what was found, and the text without it.
    struct Layer {
        var defects: [Defect]
        /// Nil where the text cannot be had without it; then nothing more is looked for.
        var text: [UInt8]?
    }

    /// The outermost layer that does not belong there; nil when there is none.
    private static func outermost(of text: [UInt8]) -> Layer? {
        if let layer = packing(of: text) ?? encoding(of: text) { return layer }
        guard let root = container(text) else {
            return wrapping(of: text) ?? punctuation(of: text)
        }
        return record(of: root) ?? values(of: root)
    }

    /// The root of a text that is a JSON object or array; keys may occur twice, which is no defect.
    static func container(_ text: [UInt8]) -> JSONValue? {
        guard let root = value(text), root.isContainer else { return nil }
        return root
    }

    /// The root of a text that is JSON.
    static func value(_ text: [UInt8]) -> JSONValue? {
        // Safe: the reason is not used here; lint reports it.
        try? JSONDocument(parsing: text, limits: JSONLimits(allowsDuplicateKeys: true)).root
    }

    /// Whether bytes look like a whole message, or at least like an object that says something.
    static func isPayload(_ bytes: [UInt8]) -> Bool {
        guard let root = container(bytes) else { return false }
        return isSaying(root)
    }

    /// Whether a container is more than brackets, as logs have them around a thread's name.
    static func isSaying(_ root: JSONValue) -> Bool {
        root.kind == .object ? root.count > 0 : root.elements.contains(where: \.isContainer)
    }

    /// A defect of the text as a whole.
    static func whole(
        _ kind: Defect.Kind, _ range: Range<Int>, of text: [UInt8], found: String,
        repaired: [UInt8]?, _ sentence: String
    ) -> Defect {
        Defect(
            kind: kind, pointer: nil, place: TextPlace(range, in: text), found: found,
            repaired: repaired.map { String(shown: $0) }, isNote: false, sentence: sentence)
    }
}
