/// Finds the word a slip of the fingers was meant to be.
public enum Nearest {
    /// The candidate closest to `word`, if it is close enough to be worth a hint.
    public static func find(_ word: String, among candidates: [String]) -> String? {
        let typed = Array(word.utf8)
        guard !typed.isEmpty, typed.count <= 64 else { return nil }
        let allowed = max(1, typed.count / 3)
        var best: (name: String, distance: Int)?
        for name in candidates {
            let known = Array(name.utf8)
            let isPrefix = typed.count >= 2 && known.starts(with: typed)
            let distance = isPrefix ? 1 : distance(from: typed, to: known)
            guard distance <= allowed else { continue }
            if let found = best, found.distance <= distance { continue }
            best = (name, distance)
        }
        return best?.name
    }

    /// Letters to change, add, drop or swap with their neighbour.
    private static func distance(from first: [UInt8], to second: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = min(
                    last[column + 1] + 1, current[column] + 1,
                    last[column] + (letter == other ? 0 : 1))
                let isSwap =
                    row > 0 && column > 0 && letter == second[column - 1]
                    && first[row - 1] == other
                if isSwap { cost = min(cost, beforeLast[column - 1] + 1) }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }
}
