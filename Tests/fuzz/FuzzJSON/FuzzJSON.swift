import FuzzChecks

/// Gives libFuzzer's bytes to the check of the JSON parser.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe JSONCheck.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
