"""The texts of the pages, read from the pages' own tables, so that a test uses both languages."""

import re

from support.server import ROOT

LINE = re.compile(r'^\s*"([\w.-]+)":\s*(?:"((?:[^"\\]|\\.)*)"|\{(.*)\}),?\s*$')
FORM = re.compile(r'(\w+): "((?:[^"\\]|\\.)*)"')


class Words:
    """The texts of one language; `words("console.close")`, with values by keyword."""

    def __init__(self, language):
        self.language = language
        self.texts = {}
        for file in (ROOT / "web" / "i18n" / language).glob("*.js"):
            for line in file.read_text().splitlines():
                found = LINE.match(line)
                if found:
                    key, text, forms = found.groups()
                    self.texts[key] = text if forms is None else dict(FORM.findall(forms))
        assert len(self.texts) > 200, f"no table was read for {language}"

    def __call__(self, key, **values):
        text = self.texts[key]
        if isinstance(text, dict):
            one = values.get("count") == 1 and "one" in text
            text = text["one" if one else "other"]
        for name, value in values.items():
            text = text.replace("{%s}" % name, str(value))
        return text.replace('\\"', '"').replace("\\\\", "\\")
