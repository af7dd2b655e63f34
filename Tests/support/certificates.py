"""Certificates of tests, made by openssl; only the tests trust them."""

import subprocess


def make_certificate(folder, name, days=90, names="DNS:localhost,IP:127.0.0.1", ended=False):
    """Makes an ECDSA P-256 certificate, for localhost or other names; returns the files of chain and key.

    One that has `ended` was valid in January of 2020.
    """
    chain, key = folder / f"{name}.pem", folder / f"{name}.key"
    if ended:
        return make_ended(folder, name, chain, key)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-keyout", str(key), "-out", str(chain), "-days", str(days),
         "-subj", f"/CN={name}",
         "-addext", f"subjectAltName={names}"],
        check=True, capture_output=True)
    return chain, key


def make_ended(folder, name, chain, key):
    """Makes one for other times than from now on, which only an authority does."""
    place = folder / f"{name}-authority"
    place.mkdir()
    (place / "index").write_text("")
    (place / "settings").write_text(
        f"[ca]\ndefault_ca = own\n[own]\ndatabase = {place}/index\nnew_certs_dir = {place}\nrand_serial = yes\n"
        "default_md = sha256\npolicy = any\n[any]\ncommonName = optional\n")
    subprocess.run(
        ["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", str(key),
         "-out", str(place / "request"), "-subj", f"/CN={name}"], check=True, capture_output=True)
    subprocess.run(
        ["openssl", "ca", "-batch", "-config", str(place / "settings"), "-selfsign", "-keyfile", str(key), "-in", str(place / "request"),
         "-out", str(chain), "-startdate", "20200101000000Z", "-enddate", "20200201000000Z"], check=True, capture_output=True)
    return chain, key
