"""Certificates of tests, made by openssl; only the tests trust them."""

import subprocess


def make_certificate(folder, name, days=90, names="DNS:localhost,IP:127.0.0.1"):
    """Makes an ECDSA P-256 certificate, for localhost or other names; returns the files of chain and key."""
    chain, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-keyout", str(key), "-out", str(chain), "-days", str(days),
         "-subj", f"/CN={name}",
         "-addext", f"subjectAltName={names}"],
        check=True, capture_output=True)
    return chain, key
