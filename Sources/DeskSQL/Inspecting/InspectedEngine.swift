/// What differs between the engines in a reading of the whole store.
package struct InspectedEngine: Sendable {
    /// A query for the position up to which rows of conversations have everything.
    let settled: String
    /// Whether a conversation's row is written in the commit of each of its messages.
    ///
    /// Then nothing was written while the log did not grow, and the sums over all rows can be compared.
    let writesRowsAtOnce: Bool
    /// Places of the log in one step.
    let stride: Int64

    /// States the differences.
    package init(settled: String, writesRowsAtOnce: Bool, stride: Int64) {
        self.settled = settled
        self.writesRowsAtOnce = writesRowsAtOnce
        self.stride = stride
    }
}
