"""A new password ends what the one before let in."""

import re
from concurrent.futures import ThreadPoolExecutor

from support.server import PASSWORD, Installation, Session


def test_who_signs_in_with_a_password_while_it_is_replaced_has_no_session_afterwards():
    with Installation() as server:
        server.make_owner()
        link = re.search(r"#invite=([\w-]+)", server.command("owner", "link").stdout).group(1)
        new = "quite another secret phrase"
        sessions = [Session(server) for _ in range(8)]

        def replace():
            Session(server).post("/api/invitations/accept", {"token": link, "name": "Ada", "password": new}, 201)

        def sign_in(session):
            session.request("POST", f"{server.url}/api/session", timeout=60, json={"email": "ada@example.com", "password": PASSWORD})

        with ThreadPoolExecutor(9) as pool:
            # Passwords are derived one after the other: who waits for that has read the old one already.
            replaced = pool.submit(replace)
            tried = [pool.submit(sign_in, session) for session in sessions]
            replaced.result()
            for one in tried:
                one.result()
        for session in sessions:
            assert session.get(f"{server.url}/api/session", timeout=60).status_code == 401
        Session(server).post("/api/session", {"email": "ada@example.com", "password": new})
