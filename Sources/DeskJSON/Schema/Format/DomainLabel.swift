/// Judges one label beyond ASCII after IDNA 2008 (RFC 5891 to 5893).
enum DomainLabel {
    /// Whether the label is allowed in a host name.
    static func isValid(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first, let last = label.last else { return false }
        guard first != "-", last != "-" else { return false }
        if label.count >= 4, label[2] == "-", label[3] == "-" { return false }
        // RFC 5891, 4.2.3.2: no combining mark at the start.
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        for place in label.indices where !isAllowed(label[place], at: place, in: label) {
            return false
        }
        return true
    }

    private static func isAllowed(
        _ scalar: Unicode.Scalar, at place: Int, in label: [Unicode.Scalar]
    ) -> Bool {
        switch scalar.value {
        // RFC 5892, 2.6: exceptions.
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x200C, 0x200D, 0x660...0x669, 0x6F0...0x6F9:
            return fitsContext(scalar.value, at: place, in: label)
        case 0x2D: return true
        default: break
        }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isWhitespace
            || properties.isNoncharacterCodePoint
        {
            return false
        }
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
            .decimalNumber:
            // RFC 5892, 2.2: what changes under mapping is unstable.
            return properties.lowercaseMapping.unicodeScalars.elementsEqual([scalar])
        default: return false
        }
    }

    /// RFC 5892, appendix A.
    private static func fitsContext(
        _ value: UInt32, at place: Int, in label: [Unicode.Scalar]
    ) -> Bool {
        let before = place > 0 ? label[place - 1] : nil
        let after = place + 1 < label.count ? label[place + 1] : nil
        switch value {
        case 0xB7: return before == "l" && after == "l"
        case 0x375: return after.map { (0x370...0x3FF).contains($0.value) } ?? false
        case 0x5F3, 0x5F4: return before.map { (0x591...0x5F4).contains($0.value) } ?? false
        case 0x30FB:
            return label.contains {
                (0x3041...0x3096).contains($0.value) || (0x30A1...0x30FA).contains($0.value)
                    || (0x30FC...0x30FE).contains($0.value) || $0.properties.isIdeographic
            }
        case 0x200D: return isVirama(before)
        case 0x200C: return isVirama(before) || joins(place, in: label)
        case 0x660...0x669: return !label.contains { (0x6F0...0x6F9).contains($0.value) }
        default: return !label.contains { (0x660...0x669).contains($0.value) }
        }
    }

    private static func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.canonicalCombiningClass == .virama
    }

    /// Between two Arabic letters a non-joiner changes their form; other scripts are refused.
    private static func joins(_ place: Int, in label: [Unicode.Scalar]) -> Bool {
        func isJoining(_ scalar: Unicode.Scalar) -> Bool {
            (0x620...0x6FF).contains(scalar.value)
                && scalar.properties.generalCategory == .otherLetter
        }
        guard place > 0, place + 1 < label.count else { return false }
        return isJoining(label[place - 1]) && isJoining(label[place + 1])
    }
}
