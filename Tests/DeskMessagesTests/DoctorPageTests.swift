import DeskDiagnosis
import Testing

/// The doctor beside the examples and pages of the message kinds.
struct DoctorPageTests {
    @Test func `every defect is on the page of the doctor`() throws {
        let page = try #require(Corpus.text(at: "docs/lint.md"))
        for kind in Defect.Kind.allCases where kind != .tooLarge {
            #expect(page.contains("`\(kind.rawValue)`"), "\(kind)")
        }
    }

    @Test(arguments: Example.all.filter { !$0.isStatedInvalid && $0.findings.isEmpty })
    func `a valid example is healthy`(_ example: Example) {
        let diagnosis = Doctor.examine(example.payload)
        #expect(diagnosis.isHealthy)
        #expect(diagnosis.repaired == nil)
    }
}
