import FuzzChecks

/// Gives libFuzzer's bytes to the check of the encoding doctor.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDoctor(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe DoctorCheck.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
