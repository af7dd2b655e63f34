/// The rule for labels that run from right to left, RFC 5893, section 2.
///
/// Scalars are classified by block and general category, which is enough for letters and digits;
/// other characters are refused in labels anyway.
enum BidiRule {
    private enum Direction {
        case left, right, arabicNumber, europeanNumber, mark, neutral
    }

    /// Whether the label has a letter or number that runs from right to left.
    static func runsRightToLeft(_ label: [Unicode.Scalar]) -> Bool {
        label.contains { [.right, .arabicNumber].contains(direction(of: $0)) }
    }

    /// Whether the label is allowed in a name with such labels.
    static func allows(_ label: [Unicode.Scalar]) -> Bool {
        let directions = label.map { direction(of: $0) }
        let ending = directions.last { $0 != .mark }
        switch directions.first {
        case .right:
            let mixesNumbers =
                directions.contains(.arabicNumber) && directions.contains(.europeanNumber)
            return !directions.contains(.left) && !mixesNumbers
                && (ending == .right || ending == .arabicNumber || ending == .europeanNumber)
        case .left:
            return !directions.contains(.right) && !directions.contains(.arabicNumber)
                && (ending == .left || ending == .europeanNumber)
        case .arabicNumber, .europeanNumber, .mark, .neutral, nil: return false
        }
    }

    private static func direction(of scalar: Unicode.Scalar) -> Direction {
        switch scalar.value {
        case 0x30...0x39, 0x6F0...0x6F9: return .europeanNumber
        case 0x660...0x669, 0x66B, 0x66C, 0x6DD, 0x10E60...0x10E7E: return .arabicNumber
        default: break
        }
        let category = scalar.properties.generalCategory
        if category == .nonspacingMark || category == .enclosingMark { return .mark }
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
            return .right
        default: break
        }
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .spacingMark, .decimalNumber, .letterNumber:
            return .left
        default: return .neutral
        }
    }
}
