"""The commands of docs/scale-out.md do what the page says, as they stand there, on a machine of their own."""

import re
import time
import uuid

import pytest
from support.scratch_machine import Failed, ScratchMachine, page_scripts
from support.server import ROOT

PAGE = (ROOT / "docs/scale-out.md").read_text()
BALANCER, NODES = "http://127.0.0.1:8080", ("http://127.0.0.1:8081", "http://127.0.0.1:8082")
HOUSEKEEPING = 'frontdesk_database_leases_held{lease="housekeeping"}'


class Installed:
    """What the page's commands brought up, with a key, a conversation and what was acknowledged in it."""

    def __init__(self, machine):
        self.machine, self.acknowledged = machine, []
        for script in page_scripts(PAGE, "setup"):
            self.printed = machine.run(script)
        made = machine.run("runuser -u frontdesk -- frontdesk key create --name rehearsal --business 'My business' "
                           "--data /var/lib/frontdesk/1")
        self.key = re.search(r"fd_live_\S+", made).group(0)
        business = next(one for one in self.ask("GET", "/api/businesses")["data"] if one["name"] == "My business")
        begun = self.ask("POST", f"/api/phone/{business['id']}/messages",
                         {"id": str(uuid.uuid4()), "text": "Hello", "locale": "en_US"}, 201, key=None)
        self.conversation = begun["message"]["conversation"]

    def ask(self, method, path, body=None, expect=200, to=BALANCER, **more):
        """One exchange, through HAProxy unless a node is named."""
        found = []

        def is_answered():
            found[:] = self.machine.ask(method, to + path, body, **{"key": self.key, **more})
            return method != "GET" or found[0] not in (502, 503)
        # What was sent to a node that died, or begins, is asked again, as any client does.
        self.machine.until(is_answered)
        status, answer = found
        assert status == expect, f"{method} {path}: {status} {answer}\n{self.machine.logs()}"
        return answer

    def say(self, count, to=BALANCER):
        """Sends messages, each until it is acknowledged, as a client has to; returns their texts."""
        texts = []
        for _ in range(count):
            one = {"id": str(uuid.uuid4()), "type": "text", "body": f"message {len(self.acknowledged)}"}

            def is_acknowledged(one=one):
                path = f"/api/conversations/{self.conversation}/messages"
                return self.machine.ask("POST", to + path, one, self.key)[0] in (200, 201)
            self.machine.until(is_acknowledged)
            self.acknowledged.append(one["body"])
            texts.append(one["body"])
        return texts

    def read(self, to=BALANCER):
        """The texts of the conversation's messages, without the first, in order."""
        page = self.ask("GET", f"/api/conversations/{self.conversation}/messages?after=1&page[size]=300", to=to)
        return [one["payload"]["body"] for one in page["data"]]

    def sql(self, statement, cluster="frontdesk"):
        """What psql prints for a statement, the columns separated by |."""
        return self.machine.run(
            f"runuser -u postgres -- psql --cluster 15/{cluster} -XAtqd frontdesk -c \"{statement}\"").strip()

    def metric(self, name, nodes=NODES):
        """The sum of a metric over the nodes that answer."""
        text = self.machine.run(
            f"for node in {' '.join(nodes)}; do curl --silent --max-time 20 $node/metrics || true; done")
        assert f"# TYPE {name.split('{')[0]} " in text, f"no {name}"
        return sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name + " "))

    def node_of(self, number):
        """The number of a node's process."""
        return self.machine.run(f"cat /run/services/frontdesk@{number}").strip()

    def check_standby(self):
        """Expects that what is acknowledged is on the standby, and that a node sees it so."""
        shown = self.sql("SELECT application_name, state, sync_state FROM pg_stat_replication")
        assert shown == "standby|streaming|quorum", shown
        count = self.sql("SELECT count(*) FROM messages")
        # Flushed there before it is acknowledged, and visible soon after.
        self.machine.until(
            lambda: self.sql("SELECT pg_is_in_recovery(), count(*) FROM messages", "standby") == f"t|{count}")

    def head(self):
        """The cursor of a reader that has everything so far."""
        return self.ask("GET", f"/api/conversations/{self.conversation}/messages")["head"]

    def stream(self, after):
        """The beginning of the stream of events after a cursor."""
        printed = self.machine.run(
            "sed '/^event: live/q' < <(curl --silent --no-buffer --max-time 20 "
            f"--header 'Authorization: Bearer {self.key}' --header 'Last-Event-ID: {after}' {BALANCER}/api/events)")
        assert "event: live" in printed, printed
        return printed


@pytest.fixture(scope="module")
def installed():
    """The machine after the page's part about bringing it up."""
    machine = ScratchMachine()
    began = time.monotonic()
    try:
        installation = Installed(machine)
        print(f"note: the page's commands took {time.monotonic() - began:.0f} s")
        yield installation
    finally:
        machine.stop()


def test_the_pages_commands_bring_up_two_nodes_with_a_synchronous_standby(installed):
    assert "#setup=" in installed.printed
    # What one node acknowledged, the other one reads, and HAProxy sends every request to the next one.
    said = installed.say(2, to=NODES[0]) + installed.say(2, to=NODES[1]) + installed.say(4)
    assert installed.read(NODES[0]) == installed.read(NODES[1]) == installed.read() == said
    shown = installed.machine.run(
        "runuser -u postgres -- psql --cluster 15/frontdesk -XAtc \"SELECT count(DISTINCT client_port) >= 12 "
        "FROM pg_stat_activity WHERE application_name = 'frontdesk'\"").strip()
    assert shown == "t", "one node alone has connections"
    installed.check_standby()
    # Each node sees the standby, by the right that the page gives to its role.
    assert installed.metric("frontdesk_database_synchronous_standbys") == 2
    assert installed.metric("frontdesk_database_standby_missing") == 0
    assert "database_statistics_hidden" not in installed.machine.logs()
    installed.machine.until(lambda: installed.metric(HOUSEKEEPING) == 1)
    # The page's unit runs it as its user.
    assert installed.machine.run(f"stat -c %U /proc/{installed.node_of(1)}").strip() == "frontdesk"


def test_control_a_standby_that_is_not_synchronous_is_seen(installed):
    machine, place = installed.machine, "/etc/postgresql/15/frontdesk/conf.d/replication.conf"

    def state():
        return installed.sql("SELECT sync_state FROM pg_stat_replication")
    machine.run(f"mv {place} /tmp/kept && systemctl reload postgresql@15-frontdesk")
    machine.until(lambda: state() == "async")
    with pytest.raises(AssertionError, match="async"):
        installed.check_standby()
    machine.run(f"mv /tmp/kept {place} && systemctl reload postgresql@15-frontdesk")
    machine.until(lambda: state() == "quorum")


def test_a_node_that_is_killed_is_survived_and_started_again(installed):
    # The one that works for all.
    killed = next(one for one in (1, 2) if installed.metric(HOUSEKEEPING, [NODES[one - 1]]))
    before = installed.node_of(killed)
    installed.machine.run(f"systemctl kill --signal=KILL frontdesk@{killed}")
    installed.say(10)
    assert installed.read() == installed.acknowledged
    installed.machine.until(lambda: installed.node_of(killed) != before)
    installed.machine.until(lambda: installed.machine.ask("GET", NODES[killed - 1] + "/readyz")[0] == 200)
    assert installed.read(NODES[killed - 1]) == installed.acknowledged
    # What it did for all, another one does, or itself again.
    installed.machine.until(lambda: installed.metric(HOUSEKEEPING) == 1)
    installed.machine.until(lambda: installed.metric("frontdesk_database_lease_takeovers_total") > 0)


def test_a_backup_and_the_log_since_give_back_a_moment_with_all_that_was_acknowledged(installed):
    machine = installed.machine
    before = installed.say(5)
    for script in page_scripts(PAGE, "backup"):
        machine.run(script)
    # After the base backup: these come from the write-ahead log.
    between = installed.say(10)
    kept = installed.read()
    assert kept[-15:] == before + between
    moment = installed.sql("SELECT clock_timestamp()")
    later = installed.say(5)
    newest = installed.head()
    assert "event: reset" not in installed.stream(newest)
    for script in page_scripts(PAGE, "restore"):
        machine.run(script, moment=moment, backup=machine.run("echo /var/backups/frontdesk/base-*").strip())
    machine.until(lambda: machine.ask("GET", BALANCER + "/readyz")[0] == 200)
    read = installed.read()
    assert read == kept and not set(later) & set(read)
    # Places of before would name other events as soon as the log has grown.
    installed.say(10)
    assert "event: reset" in installed.stream(newest)
    installed.acknowledged = installed.read()
    assert installed.read(NODES[0]) == installed.read(NODES[1])


def test_a_primary_that_is_gone_is_replaced_and_nothing_acknowledged_is_missing(installed):
    machine = installed.machine
    # The rehearsal left the clusters of before as they were.
    machine.run("systemctl stop frontdesk@1 frontdesk@2 postgresql@15-restored\n"
                "systemctl start postgresql@15-frontdesk postgresql@15-standby\n"
                "sed -i 's|127.0.0.1:5435/frontdesk|127.0.0.1:5433,127.0.0.1:5434/frontdesk?target_session_attrs=read-write|' "
                "/etc/frontdesk/frontdesk.env\n"
                "systemctl start frontdesk@1 frontdesk@2")
    machine.until(lambda: machine.ask("GET", BALANCER + "/readyz")[0] == 200)
    installed.say(5)
    kept = installed.read()
    installed.check_standby()
    machine.run("pg_ctlcluster --skip-systemctl-redirect -m immediate 15 frontdesk stop")
    for script in page_scripts(PAGE, "failover"):
        machine.run(script)
    installed.say(5)
    assert installed.read()[:len(kept)] == kept
    assert machine.run("cat /run/services/frontdesk@1 /run/services/frontdesk@2").split(), "both nodes still run"


# Controls


def test_control_a_wrong_command_of_the_page_fails():
    first = page_scripts(PAGE, "setup")[1]
    assert first.count("--encoding UTF8") == 1
    machine = ScratchMachine()
    try:
        with pytest.raises(Failed, match="Unknown option: codeset"):
            machine.run(first.replace("--encoding UTF8", "--codeset UTF8"))
        with pytest.raises(Failed, match="is not installed"):
            machine.run("apt-get install --yes postgresql-of-nobody")
        unit = "\n".join(page_scripts(PAGE, "setup"))
        unit = re.search(r"(cat > /etc/systemd/system/.*?)systemctl enable", unit, re.S).group(1)
        assert unit.count("User=frontdesk") == 1
        read = "systemctl enable frontdesk@1"
        machine.run(unit + read)
        with pytest.raises(Failed, match="Unknown key 'Usre'"):
            machine.run(unit.replace("User=frontdesk", "Usre=frontdesk") + read)
    finally:
        machine.stop()
