/// How much one commit may hold.
public enum CommitSize {
    /// Most bytes of one request's write; every store is built to commit as much at once.
    public static let maximumBytes = 67_108_864
}
