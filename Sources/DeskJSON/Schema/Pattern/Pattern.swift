import CRE2

/// A compiled pattern; searching runs in time linear in the text.
// Sendable: the engine's pattern is never changed after init, and searching it is thread-safe.
@safe final class Pattern: @unchecked Sendable {
    /// The pattern as its author wrote it.
    let source: String
    /// The same pattern for the verdict, where it is small enough.
    let table: PatternTable?
    private let engine: OpaquePointer

    /// Compiles an ECMA-262 pattern.
    ///
    /// Limit: 512 bytes of pattern and 1 MiB of compiled program.
    init(_ source: String) throws(PatternError) {
        guard source.utf8.count <= 512 else {
            throw PatternError(
                isUnsupported: true, sentence: "The pattern is longer than 512 bytes.")
        }
        let translated = try PatternTranslator.translate(source)
        self.source = source
        var bytes = translated
        let compiled = unsafe bytes.withUnsafeMutableBufferPointer { text in
            unsafe cre2_compile(
                UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self),
                text.count, 1 << 20)
        }
        if let reason = unsafe cre2_error(compiled) {
            let text = unsafe String(cString: reason)
            unsafe cre2_free(compiled)
            throw PatternError(isUnsupported: true, sentence: "The engine refuses it: \(text).")
        }
        unsafe engine = unsafe compiled
        table = PatternTable(translated)
    }

    deinit { unsafe cre2_free(engine) }

    /// Whether the pattern occurs anywhere in the text.
    func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = unsafe UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
        return unsafe cre2_search(engine, start, text.count) == 1
    }

    /// Whether the pattern occurs anywhere in the text.
    func occurs(in text: [UInt8]) -> Bool {
        unsafe text.withUnsafeBufferPointer { unsafe occurs(in: $0) }
    }
}

/// Why a pattern cannot be used.
struct PatternError: Error {
    /// Right syntax, but more than a linear-time engine can do.
    var isUnsupported: Bool
    var sentence: String
}
