import FuzzChecks

/// Gives libFuzzer's bytes to the check of the schema compiler and evaluator.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSchema(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe SchemaCheck.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
