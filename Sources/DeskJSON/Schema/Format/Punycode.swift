/// The encoding of labels beyond ASCII, RFC 3492.
enum Punycode {
    /// Decodes the text after `xn--`; nil when it is no encoding.
    static func decode(_ text: [UInt8]) -> [Unicode.Scalar]? {
        var output: [UInt32] = []
        var index = 0
        if let dash = text.lastIndex(of: 0x2D) {
            output = text[..<dash].map { UInt32($0) }
            index = dash + 1
        }
        guard index < text.count, text.count <= 64 else { return nil }
        var point = 128
        var insertAt = 0
        var bias = 72
        while index < text.count {
            let before = insertAt
            var weight = 1
            var step = 36
            while true {
                guard index < text.count, let digit = value(text[index]) else { return nil }
                index += 1
                insertAt += digit * weight
                guard insertAt < 1 << 32 else { return nil }
                let threshold = threshold(step, bias)
                if digit < threshold { break }
                weight *= 36 - threshold
                guard weight < 1 << 32 else { return nil }
                step += 36
            }
            let count = output.count + 1
            bias = adapted(insertAt - before, count, isFirst: before == 0)
            point += insertAt / count
            insertAt %= count
            guard point <= 0x10FFFF else { return nil }
            output.insert(UInt32(point), at: insertAt)
            insertAt += 1
        }
        let scalars = output.compactMap { Unicode.Scalar($0) }
        return scalars.count == output.count ? scalars : nil
    }

    /// Encodes scalars as the text after `xn--`.
    static func encode(_ label: [Unicode.Scalar]) -> [UInt8] {
        var output = label.filter { $0.isASCII }.map { UInt8($0.value) }
        let basic = output.count
        if basic > 0 { output.append(0x2D) }
        var point = 128
        var delta = 0
        var bias = 72
        var handled = basic
        while handled < label.count {
            guard let next = label.lazy.map({ Int($0.value) }).filter({ $0 >= point }).min() else {
                return output
            }
            delta += (next - point) * (handled + 1)
            point = next
            for scalar in label {
                if scalar.value < point { delta += 1 }
                guard scalar.value == point else { continue }
                appendNumber(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            point += 1
        }
        return output
    }

    private static func appendNumber(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
        var left = delta
        var step = 36
        while true {
            let threshold = threshold(step, bias)
            if left < threshold { break }
            output.append(digit(threshold + (left - threshold) % (36 - threshold)))
            left = (left - threshold) / (36 - threshold)
            step += 36
        }
        output.append(digit(left))
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26)
    }

    private static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x61...0x7A: Int(byte) - 0x61
        case 0x30...0x39: Int(byte) - 0x30 + 26
        default: nil
        }
    }

    private static func threshold(_ step: Int, _ bias: Int) -> Int {
        step <= bias ? 1 : min(step - bias, 26)
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var left = isFirst ? delta / 700 : delta / 2
        left += left / count
        var step = 0
        while left > 455 {
            left /= 35
            step += 36
        }
        return step + 36 * left / (left + 38)
    }
}
