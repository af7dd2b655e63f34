"""What shells and man read of the program: the completion for bash and the manual page, made from its table of commands."""

import os
import re
import subprocess

import pytest
from support.binary import BINARY

COMPLETED = r"""
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_frontdesk frontdesk "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""

# The macros of man(7) and the requests of roff that the page uses.
KNOWN = {".TH", ".SH", ".SS", ".TP", ".PP", ".IP", ".br", ".nh", ".ad"}

SECTIONS = ["NAME", "SYNOPSIS", "COMMANDS", "FLAGS", "ENVIRONMENT", "FILES", "EXIT STATUS", "SEE ALSO"]


def printed(*words):
    """What a command prints that writes nothing beside it."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("FRONTDESK_")}
    done = subprocess.run([str(BINARY), *words], capture_output=True, text=True, timeout=60, check=False, env=plain)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """What bash offers for a command line that ends with its last word."""
    script = tmp_path_factory.mktemp("completion") / "frontdesk"
    script.write_text(printed("completion", "bash"))

    def complete(*words):
        done = subprocess.run(["bash", "--norc", "-uc", COMPLETED, "bash", str(script), "frontdesk", *words],
                              capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0 and not done.stderr, done
        return done.stdout.split()

    return complete


def commands():
    """Every command with the names of its flags, as the help pages have them."""
    rows = re.findall(r"^  ([a-z-]+(?: [a-z-]+)?) ", printed("help").split("\nCommands:\n")[1], re.M)
    assert len(rows) > 40
    found = {}
    for row in rows:
        # An argument is in capitals; a word of two is one command.
        page = printed("help", *row.split())
        found[row] = set(re.findall(r"^  --([a-z-]+)", page, re.M)) - {"help"}
    return found


@pytest.fixture(scope="module")
def table():
    return commands()


# Completion


@pytest.mark.parametrize("words, offered", [
    (["se"], {"serve", "secrets", "second-factor"}),
    (["key", "cr"], {"create"}),
    (["key", ""], {"create", "list", "revoke"}),
    (["serve", "--li"], {"--listen", "--limit"}),
    (["serve", "--log-level", ""], {"debug", "info", "warning", "error"}),
    # As bash splits --log-level=wa, and as a shell does that does not.
    (["serve", "--log-level", "=", "wa"], {"warning"}),
    (["serve", "--log-level=wa"], {"--log-level=warning"}),
    (["serve", "--sandbox", "="], {"on", "off"}),
    (["serve", "--limit", "key-messages-b"], {"key-messages-burst="}),
    (["gateway", "reg"], {"register"}),
    (["gateway", "--eph"], {"--ephemeral"}),
    (["gateway", "register", "--ms"], {"--msp-id"}),
    (["help", "key", "cr"], {"create"}),
    (["transcript", "--format", ""], {"text", "html", "json"}),
    # A path, which bash completes by itself, and a name that only its server knows.
    (["serve", "--tls-cert", ""], set()), (["lint", ""], set()), (["key", "create", "--name", ""], set()),
    (["no-such-command", ""], set()),
])
def test_a_word_is_completed(complete, words, offered):
    assert set(complete(*words)) == offered


def test_every_command_and_every_flag_is_completed(complete, table):
    first = {row.split()[0] for row in table}
    assert first | {"help", "--help", "--version"} == set(complete(""))
    for row, flags in table.items():
        assert row.split()[-1] in complete(*row.split())
        assert set(complete(*row.split(), "--")) == {f"--{flag}" for flag in flags} | {"--help"}, row


def test_bash_knows_the_function_by_the_name_of_the_program(tmp_path):
    script = tmp_path / "frontdesk"
    script.write_text(printed("completion", "bash"))
    done = subprocess.run(["bash", "--norc", "-c", f"source {script} && complete -p frontdesk"],
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "-F _frontdesk frontdesk" in done.stdout, done


# The manual page


def shown(text):
    """Text of the page without the escapes of roff."""
    for escape, sign in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~")):
        text = text.replace(escape, sign)
    return re.sub(r"\\f[BIR]", "", text).replace(r"\&", "").replace(r"\e", "\\")


@pytest.fixture(scope="module")
def page():
    return printed("manual")


def test_the_page_has_the_sections_that_man_pages_have(page):
    assert re.findall(r"^\.SH (.+)$", page, re.M) == SECTIONS
    assert page.splitlines()[0].startswith(".TH FRONTDESK 1 ")


def test_every_line_is_text_or_a_known_macro_and_every_dash_is_one(page):
    assert page.isascii()
    for line in page.splitlines():
        assert line and not line.startswith("'"), line
        if line.startswith("."):
            assert line.split()[0] in KNOWN, line
        if not line.startswith(".TH"):
            assert not re.search(r"(?<!\\)-", line), line
        # Nothing else is an escape.
        assert not re.search(r"\\(?![-&e]|f[BIR]|\((?:aq|ga|ha|ti)|\[u[0-9A-F]{4,5}\])", line), line


def test_every_command_flag_and_variable_is_on_the_page(page, table):
    chapters = dict(zip(SECTIONS, re.split(r"^\.SH .+\n", page, flags=re.M)[1:], strict=True))
    tags = re.findall(r"^\.TP\n(.+)$", chapters["COMMANDS"], re.M)
    named = {re.match(r"\\fB(.+?)\\fR", tag)[1] for tag in tags}
    assert {shown(name) for name in named} == set(table)
    flags = shown(chapters["FLAGS"])
    parts = dict(re.findall(r"^\.SS (?:frontdesk )?(.+)\n((?:(?!\.SS).*\n?)*)", flags, re.M))
    for row, own in table.items():
        if own:
            assert own <= set(re.findall(r"--([a-z-]+)", parts[row])), row
    pages = "".join(printed("help", *row.split()) for row in table)
    for variable in re.findall(r"FRONTDESK_[A-Z_]+(?=\.)", pages):
        assert variable in chapters["ENVIRONMENT"], variable
    assert "FRONTDESK_ENCRYPTION_KEY_FILE" in chapters["ENVIRONMENT"]


def test_groff_reads_the_page_without_a_warning(page):
    done = subprocess.run(["groff", "-man", "-ww", "-z"], input=page, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
