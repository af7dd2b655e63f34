"""A page that is used by its keys alone."""

from playwright.sync_api import expect

# What has the focus, in shadow roots too: "" when it can be seen, else why it cannot.
FOCUS = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return "nothing has the focus";
  const name = `${at.localName}.${at.className} ${at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 30)}`;
  if (!at.matches(":focus-visible")) return `without a ring: ${name}`;
  // A choice that is drawn by its label has its ring there.
  const drawn = at.matches("input[type=checkbox], input[type=radio]") && getComputedStyle(at).opacity === "0" ? at.closest("label") ?? at : at;
  if (!drawn.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return `hidden: ${name}`;
  const { left, right, top, bottom } = drawn.getBoundingClientRect();
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return `out of view: ${name}`;
  const writes = at.matches("textarea, input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file])");
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(drawn);
  const rung = (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  return writes || rung ? "" : `no ring is drawn: ${name}`;
}"""
NAME = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return `${at.localName}.${at.className} ${at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 30)}`;
}"""


class Keys:
    """After each press something has the focus, and it can be seen."""

    def __init__(self, page):
        self.page = page

    def look(self):
        """Waits until the focus can be seen; says why it cannot."""
        try:
            self.page.wait_for_function(f"() => ({FOCUS})() === ''", timeout=8_000)
        except Exception as fault:
            raise AssertionError(self.page.evaluate(FOCUS)) from fault

    def press(self, *keys):
        """Presses one key after the other."""
        for key in keys:
            self.page.keyboard.press(key)
            self.look()

    def type(self, text):
        """Types into what has the focus."""
        self.page.keyboard.type(text)
        self.look()

    def at(self, locator):
        """The focus is there, by itself."""
        expect(locator).to_be_focused()
        self.look()

    def tab_to(self, locator, back=False, most=80):
        """Goes there by the Tab key; every stop on the way can be seen."""
        seen = []
        for _ in range(most):
            if locator.count() == 1 and locator.evaluate("(node) => node.getRootNode().activeElement === node"):
                return self
            self.press("Shift+Tab" if back else "Tab")
            seen.append(self.page.evaluate(NAME))
        raise AssertionError(f"not reached: {locator}; on the way: {seen}")

    def choose(self, text):
        """Goes down the open menu to an item, and chooses it."""
        item = self.page.locator("[role=menu] [role^=menuitem]", has_text=text).first
        expect(item).to_be_visible()
        for _ in range(30):
            if item.evaluate("(node) => document.activeElement === node"):
                break
            self.press("ArrowDown")
        self.at(item)
        self.press("Enter")
