extension RegistrySchema {
    // `secret` is encrypted, as `Secrets.columns` names it, and NULL when its key was given up; `recovery` has the
    // digests of the recovery codes that were not used, one behind the other.
    static func secondFactors(_ d: Dialect) -> String {
        """
        CREATE TABLE second_factors (
            agent \(d.bytes) PRIMARY KEY, secret \(d.bytes), recovery \(d.bytes) NOT NULL,
            used_step \(d.integer) NOT NULL, created_at \(d.integer) NOT NULL,
            confirmed_at \(d.integer));

        """
    }
}
