"""What the operator says of a provider with SAML: its metadata, certificates and attributes."""

import os
import re
import subprocess

import pytest
import requests
from support import saml
from support.binary import BINARY
from support.company import email_of
from support.saml import METADATA, Signer, described
from support.saml_company import Company, answered
from support.server import Session


@pytest.mark.parametrize("case, said", [
    ("no file", "No such file"), ("no XML", "no XML"), ("a document type", "document_type"), ("no provider", "0 identity providers"),
    ("no redirect", "HTTP-Redirect"), ("no certificate", "0 certificates"), ("rubbish", "X509Certificates"), ("1,024 bits", "2,048"),
    ("http", "no https:// address"), ("no domain", "--sso-domain"), ("both", "both name a provider"), ("subject", "--saml-subject needs --saml-metadata"), ("PEM", "base64 without lines"),
    ("no domain in the variable", "names no domain"), ("a domain alone", "needs --sso-issuer or --saml-metadata")])
def test_metadata_that_cannot_be_used_are_named_at_the_start(tmp_path, case, said):
    good = Signer(tmp_path).text
    file = tmp_path / "provider.xml"
    text = {
        "no XML": "{}", "a document type": "<!DOCTYPE x>" + described(good), "no provider": f'<EntityDescriptor xmlns="{METADATA}" entityID="x"/>',
        "no redirect": described(good, binding="HTTP-POST"), "no certificate": described(good, use=' use="encryption"'), "rubbish": described("AAAA"), "PEM": described(Signer(tmp_path).certificate.read_text()),
        "1,024 bits": described(Signer(tmp_path, bits=1_024).text), "http": described(good, location="http://id.example.com/login")}.get(case, described(good))
    if case != "no file":
        file.write_text(text)
    flags = {"no domain": ["--saml-metadata", str(file)], "both": ["--saml-metadata", str(file), "--sso-issuer", "https://id.example.com"],
             "subject": ["--saml-subject", "uid"], "no domain in the variable": ["--saml-metadata", str(file)], "a domain alone": ["--sso-domain", "example.com"]}.get(case, ["--saml-metadata", str(file), "--sso-domain", "example.com"])
    ran = subprocess.run([BINARY, "serve", "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0", *flags], capture_output=True, text=True, timeout=60,
                         env={**os.environ, **({"FRONTDESK_SSO_DOMAIN": ","} if "variable" in case else {})})
    assert ran.returncode == 2 and said in ran.stderr, ran.stderr


def test_a_second_certificate_is_for_the_day_on_which_the_first_ends(tmp_path):
    company = Company(tmp_path)
    try:
        heir = Signer(tmp_path, "ec")
        company.join("ida@example.com", "Ida")
        assert answered(company, signer=heir, signature={"method": saml.ECDSA_SHA256}) == "/console#sso=invalid"
        text = company.provider.metadata.read_text()
        start = text.index("<ns0:KeyDescriptor")
        key = (f'<ns0:KeyDescriptor><ns1:KeyInfo xmlns:ns1="{saml.DS}"><ns1:X509Data><ns1:X509Certificate>{heir.text}</ns1:X509Certificate></ns1:X509Data>'
               "</ns1:KeyInfo></ns0:KeyDescriptor>")
        company.provider.metadata.write_text(text[:start] + key + text[start:])
        company.server.end()
        company.server.start()
        company.provider.learn(requests.get(company.server.url + "/sso/metadata", timeout=20).text)
        for more in ({"signer": heir, "signature": {"method": saml.ECDSA_SHA256}}, {}):
            assert answered(company, **more) == "/console", company.server.log_text()[-500:]
    finally:
        company.close()


def test_the_attributes_of_the_operator_decide_who_a_person_is(tmp_path):
    company = Company(tmp_path, "--saml-subject", "employee", "--saml-email", "urn:mail")
    try:
        session = company.join("ida@example.com", "Ida")
        attribute = '<saml:Attribute Name="{}"><saml:AttributeValue>{}</saml:AttributeValue></saml:Attribute>'.format
        # A transient name does no harm where another is the person's.
        more = {"attributes": attribute("employee", "4711") + attribute("urn:mail", "ida@example.com") + attribute("email", "other@example.com"),
                "format": "urn:oasis:names:tc:SAML:2.0:nameid-format:transient", "subject": "_x1"}
        assert answered(company, session, **more) == "/console"
        assert session.fetch("/api/session/identities")["identities"][0]["subject"] == "4711"
        again = Session(company.server)
        assert answered(company, again, **{**more, "subject": "_x2"}) == "/console" and email_of(again) == "ida@example.com"
        assert answered(company) == "/console#sso=invalid"
    finally:
        company.close()


def test_an_address_is_believed_once_the_provider_says_that_it_was_verified(tmp_path):
    company = Company(tmp_path, "--saml-verified", "emailVerified")
    try:
        session = company.join("ida@example.com", "Ida")
        attribute = '<saml:Attribute Name="{}"><saml:AttributeValue>{}</saml:AttributeValue></saml:Attribute>'.format
        for said, page in ((None, "unverified"), ("false", "unverified"), ("true", "")):
            more = attribute("email", "ida@example.com") + (attribute("emailVerified", said) if said else "")
            assert answered(company, session, attributes=more) == ("/console#sso=" + page if page else "/console")
    finally:
        company.close()


def test_only_the_first_certificate_of_a_chain_signs(tmp_path):
    company = Company(tmp_path)
    try:
        company.join("ida@example.com", "Ida")
        authority = Signer(tmp_path)
        text = company.provider.metadata.read_text()
        found = re.search(r"<(\w+:X509Certificate)>[^<]*</\1>", text)
        chained = f"{found[0]}<{found[1]}>{authority.text}</{found[1]}>"
        company.provider.metadata.write_text(text.replace(found[0], chained, 1))
        company.server.end()
        company.server.start()
        company.provider.learn(requests.get(company.server.url + "/sso/metadata", timeout=20).text)
        assert answered(company, signer=authority) == "/console#sso=invalid"
        assert answered(company) == "/console"
    finally:
        company.close()


@pytest.mark.parametrize("flags, subject, lines", [
    ((), "ida@example.com", 1), ((), "4711", 0), (("--saml-subject", "employee"), "ida@example.com", 0)])
def test_the_log_warns_once_of_people_who_are_named_by_their_addresses(tmp_path, flags, subject, lines):
    company = Company(tmp_path, *flags)
    try:
        session = company.join("ida@example.com", "Ida")
        attribute = '<saml:Attribute Name="{}"><saml:AttributeValue>{}</saml:AttributeValue></saml:Attribute>'.format
        more = {"attributes": attribute("employee", "4711") + attribute("email", "ida@example.com"), "subject": subject}
        for _ in range(2):
            assert answered(company, session, **more) == "/console", company.server.log_text()[-500:]
        # Each node says it once.
        said = company.server.log_text().count("event=sso_subject_address")
        assert lines <= said <= lines * company.server.node_count, company.server.log_text()[-2000:]
    finally:
        company.close()
