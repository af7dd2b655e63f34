import FuzzChecks

/// Gives libFuzzer's bytes to the check of the pattern translator.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPattern(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe PatternCheck.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
