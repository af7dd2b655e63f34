import DeskDiagnosis
import DeskJSON

/// What has to hold of the encoding doctor for any bytes; a breach traps.
public enum DoctorCheck {
    /// Examines the bytes, and what came out of them.
    public static func run(_ bytes: [UInt8]) {
        let diagnosis = Doctor.examine(bytes)
        for defect in diagnosis.defects {
            precondition(defect.sentence.hasSuffix("."), "a defect has no sentence")
            precondition(defect.place.line >= 1 && defect.place.column >= 1)
        }
        if let repaired = diagnosis.repaired {
            precondition(!diagnosis.defects.isEmpty, "a healthy text was changed")
            precondition(repaired != bytes, "a repair changed nothing")
            precondition(repaired.count <= Doctor.maximumBytes, "a repair grew too large")
            _ = Doctor.examine(repaired)
        }
        do throws(JSONError) {
            _ = try JSONDocument(parsing: diagnosis.json().bytes(), limits: .unlimited)
        } catch {
            preconditionFailure("a diagnosis is no JSON: \(error)")
        }
    }
}
