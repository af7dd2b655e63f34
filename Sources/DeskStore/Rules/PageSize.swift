/// How much one page of a thread or of templates holds.
package enum PageSize {
    /// Most bytes of payloads on one page; at least one element is always on it.
    package static let maximumBytes = 8 * 1_048_576
}
