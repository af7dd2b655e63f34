import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { makeUUID } from "../lib/uuid.js";
import { addressTo, foreignMembers, withMessageID } from "./addressing.js";
import { defectWords } from "./doctor-words.js";
import { Debounce } from "./draft-state.js";
import { exampleChoices, exampleText } from "./examples.js";
import { freshElementID, wordButton } from "./fields.js";
import { outboundSchema } from "./editor/page-schemas.js";
import "./finding-list.js";
import "./json-editor.js";
import { byteCount, layOut, readJSON } from "./json-tokens.js";
import { KindForm } from "./kind-form.js";
import { diagnose } from "./repair-panel.js";
import { countedBytes } from "./sizes.js";
import { focusedIn } from "./styles.js";

/** Raw JSON: any text; it is validated while typing and sent byte for byte. */
export class RawForm extends KindForm {
  #editor = document.createElement("json-editor");
  #list = document.createElement("finding-list");
  #repair = /** @type {import("./repair-panel.js").RepairPanel} */ (document.createElement("repair-panel"));
  /** The pasted text looks damaged, in the server's words. */
  #suspicion = h("div", { class: "cp-suspicion", role: "status", hidden: true });
  #tooling = new Debounce(() => this.#drawTools());
  #tools = h("div", { class: "cp-rawtools" });
  /** Created once: a press that began before the next check of the text still hits it. */
  #buttons = null;
  #info = h("p", { class: "cp-rawinfo" });

  blankDraft() {
    return { text: "" };
  }

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener("text-change", (event) => {
      this.draft.text = event.detail.text;
      this.#tooling.after(this.draft.text);
      this.changed();
    });
    this.#editor.schema = outboundSchema;
    this.#editor.known = () => this.#knownValues();
    this.addEventListener("finding-jump", (event) => this.#editor.jump(event.detail.finding));
    this.#repair.hidden = true;
    this.addEventListener("repair-apply", (event) => this.#put(event.detail.text));
    this.addEventListener("repair-close", () => this.#editor.focus());
    // The text is in the field only after the paste event.
    this.#editor.addEventListener("paste", () => setTimeout(() => this.#suspect()));
    this.addEventListener("finding-fix", (event) => this.#editor.fix(event.detail.finding));
  }

  /** Shows a text, as "Edit as Raw JSON" does; undo brings back what stood there. */
  open(text) {
    if (!this.#repair.hidden) this.#repair.close();
    if (this.isBlank()) this.setDraft({ text });
    else this.#put(text);
    this.#editor.focus();
  }

  focus() {
    this.#editor.focus();
  }

  /** The values of this conversation's envelope, by pointer, for suggestions. */
  #knownValues() {
    if (!this.context?.conversation) return {};
    const { id, requestID, business, customer } = this.context.envelope();
    return {
      "/id": id, "/sourceId": business, "/destinationId": customer,
      "/interactiveData/data/requestIdentifier": requestID,
    };
  }

  draw() {
    this.#editor.text = this.draft.text;
    this.draft.text = this.#editor.text;
    this.#drawTools();
    return [this.#tools, this.#suspicion, this.#repair, this.#editor, this.#info, this.#list];
  }

  #drawTools() {
    const { context, draft } = this;
    const id = freshElementID("example");
    let menu = this.#tools.querySelector("select");
    if (!menu) {
      menu = h("select", { class: "cp-input cp-select", id });
      menu.append(new Option(t("composer.raw.examples"), ""));
      for (const [kind, label] of exampleChoices(this.kinds ?? [])) menu.append(new Option(label, kind));
      menu.addEventListener("change", () => {
        if (menu.value) this.#loadExample(menu.value);
        menu.value = "";
      });
      this.#tools.append(h("label", { class: "fd-hidden-text", for: id }, t("composer.raw.examples")), menu);
    }
    const foreign = context?.conversation ? foreignMembers(draft.text, context.envelope()) : [];
    const { error, places } = draft.text ? readJSON(draft.text) : { error: null, places: new Map() };
    const { repair, format, newID, address } = (this.#buttons ??= this.#makeButtons());
    // They keep their places: what cannot be used now is not pressed, and nothing moves below the pointer.
    repair.disabled = !error || !draft.text.trim();
    format.disabled = Boolean(error) || !draft.text;
    newID.disabled = !places.has("/id");
    address.hidden = foreign.length === 0;
    const missing = ["v", "id", "sourceId", "destinationId"].filter((name) => !places.has(`/${name}`));
    this.#info.replaceChildren(draft.text === "" ? t("composer.raw.hint")
      : !error && missing.length && missing.length < 5
        ? `${t("composer.json.bytes", countedBytes(byteCount(draft.text)))} · ${t("composer.raw.missing", { names: missing.join(", ") })}`
        : t("composer.json.bytes", countedBytes(byteCount(draft.text))));
  }

  #makeButtons() {
    const quiet = { className: "cp-quiet" };
    const buttons = {
      repair: wordButton(t("composer.repair.open"), () => this.#openRepair(), { ...quiet, iconName: "spark" }),
      format: wordButton(t("composer.raw.format"), () => this.#put(layOut(this.draft.text)), quiet),
      newID: wordButton(t("composer.raw.newID"), () => this.#put(withMessageID(this.draft.text, makeUUID())), { ...quiet, iconName: "refresh" }),
      address: wordButton(t("composer.raw.address"),
        () => this.#put(addressTo(this.draft.text, this.context.envelope())), { ...quiet, iconName: "edit" }),
    };
    this.#tools.append(...Object.values(buttons));
    return buttons;
  }

  #openRepair() {
    this.#suspicion.hidden = true;
    this.#repair.open(this.context.apiBase, this.draft.text);
  }

  /** Checks whether the pasted text is intact; only a defect is reported. */
  async #suspect() {
    const { text } = this.draft;
    this.#suspicion.hidden = true;
    if (!this.context?.conversation || !text.trim()) return;
    const diagnosis = await diagnose(this.context.apiBase, text).catch(() => null);  // Safe: an offer, not a need.
    if (!diagnosis || diagnosis.isHealthy || text !== this.draft.text || !this.#repair.hidden) return;
    const ill = diagnosis.defects.find(({ isNote }) => !isNote);
    const { words, lang } = defectWords(ill);
    this.#suspicion.replaceChildren(h("p", null, t("composer.repair.suspect"), " ", h("span", { lang }, words)),
      wordButton(t("composer.repair.open"), () => this.#openRepair()));
    this.#suspicion.hidden = false;
  }

  async #loadExample(kind) {
    this.#put(await exampleText(this.kinds.find((entry) => entry.kind === kind), this.context));
    this.#editor.focus();
  }

  #put(text) {
    // Undo brings the text before back.
    this.#editor.replaceText(text);
    // The editor's text (with its line ends) is the text to send.
    this.draft.text = this.#editor.text;
    this.#drawTools();
    this.changed();
  }

  markFindings(findings) {
    this.findings = findings;
    if (!findings.length && !this.draft?.text) this.#suspicion.hidden = true;
    this.#editor.findings = findings;
    this.#list.show(findings, this.draft?.text ?? "", { withFixes: true });
  }

  focusPointer() {
    const [first] = this.findings ?? [];
    if (first) this.#editor.jump(first);
    return Boolean(first);
  }

  text() {
    return this.draft.text;
  }

  payload() {
    try {
      return JSON.parse(this.draft.text);
    } catch {
      return null;  // Safe: half-typed text has no picture yet.
    }
  }

  isBlank() {
    return !this.draft.text.trim();
  }

  /** The same text may be sent again, as another message. */
  sent() {
    this.#put(withMessageID(this.draft.text, makeUUID()));
  }
}
customElements.define("raw-form", RawForm);
