/// A number that is kept as text in the table `settings`.
package enum SettingNumber {
    /// Reads a number; nil without the row.
    ///
    /// - Throws: `damaged` for what no program wrote, with the row and what to do: what is computed from it would
    ///   end the process without a word.
    package static func read(
        _ bytes: [UInt8]?, of name: String, in range: ClosedRange<Int64>
    ) throws(StoreError) -> Int64? {
        guard let bytes else { return nil }
        let number = Int64(String(decoding: bytes, as: UTF8.self))
        guard let number, range.contains(number) else {
            throw StoreError(
                .damaged,
                "the row \(name) of the table settings is damaged: remove it while no server runs, "
                    + "and it is made anew")
        }
        return number
    }
}
