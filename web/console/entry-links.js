import { api } from "../lib/api.js";
import { adopt, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { isLoopback } from "../lib/loopback.js";
import { confirmAction, copyField, field, savingForm, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { linkStyles } from "./link-styles.js";
import { loadAlert } from "./load-alert.js";
import { showNamedPart } from "./shown-part.js";

adopt(linkStyles);

/**
 * A business's entry links: the QR to print, the link's address, the button's snippet.
 *
 * Values down: `business`, whose `permissions` decide whether links may be created and deleted.
 */
class EntryLinks extends HTMLElement {
  business = null;
  #isShown = false;

  get #mayManage() {
    return may(this.business, "entry_links.manage");
  }

  connectedCallback() {
    this.#load();
  }

  get #path() {
    return `/api/businesses/${this.business.id}/links`;
  }

  async #load(refusal = "") {
    let links;
    try {
      links = (await api.get(this.#path)).data;
    } catch (problem) {
      replace(this, loadAlert(problem, () => this.#load()));
      return;
    }
    replace(this, h("h2", null, t("console.entryLinks")),
      h("p", { class: "fd-help" }, t("console.entryLinksLead")),
      refusal ? h("p", { class: "fd-error", role: "alert" }, refusal) : null,
      links.some(({ url }) => isLoopback(url)) ? h("p", { class: "callout is-warning" }, t("console.linkLoopback")) : null,
      links.map((link) => this.#card(link)), this.#mayManage ? this.#form() : null);
    if (!this.#isShown) showNamedPart(this, "entry-links");
    this.#isShown = true;
  }

  #card(link) {
    const title = link.label || t("console.defaultLink");
    const qr = (href, format) => h("a", {
      class: "fd-button", href, download: `${title}.${format}`, "aria-label": t("console.qrDownload", { title, words: t(`console.qr.${format}`) }),
    }, t(`console.qr.${format}`));
    return h("article", { class: "link-card", dataset: { link: link.id } },
      h("img", { class: "qr", src: link.qrSvg, width: 168, height: 168,
        alt: t("console.qrOf", { url: link.url }) }),
      h("div", { class: "stack" },
        h("h3", null, title),
        link.intent || link.group ? h("p", { class: "fd-help" },
          [link.intent && t("console.intent", { intent: link.intent }),
            link.group && t("console.group", { group: link.group })].filter(Boolean).join(" · ")) : null,
        copyField(t("console.linkText"), link.url),
        copyField(t("console.buttonSnippet"), link.buttonSnippet),
        h("div", { class: "form-actions" },
          h("a", { class: "fd-button", href: link.url, target: "_blank", rel: "noopener" },
            t("console.tryIt")),
          qr(link.qrSvg, "svg"), qr(link.qrPng, "png"),
          link.id === "default" || !this.#mayManage ? null : h("button", {
            type: "button", class: "fd-button is-danger", onClick: () => this.#delete(link),
          }, t("shared.delete")))));
  }

  #form() {
    const input = (name) => h("input", { class: "fd-input", name, maxlength: 200 });
    const [label, intent, group, body] = ["label", "intent", "group", "body"].map(input);
    label.required = true;
    return h("details", { class: "more" },
      h("summary", null, t("console.newLink")),
      savingForm({
        save: t("console.makeLink"),
        onSave: async () => {
          const made = await api.post(this.#path, {
            label: label.value, intent: intent.value || null, group: group.value || null,
            body: body.value || null,
          });
          await this.#load();
          // What is done with it next is to carry it elsewhere.
          /** @type {HTMLElement|null} */ (this.querySelector(`[data-link="${made.id}"] button`))?.focus();
        },
      },
      field("link-label", t("console.linkLabel"), label, t("console.linkLabelHelp")),
      field("link-intent", t("console.linkIntent"), intent, t("console.linkIntentHelp")),
      field("link-group", t("console.linkGroup"), group, t("console.linkGroupHelp")),
      field("link-body", t("console.linkBody"), body, t("console.linkBodyHelp"))));
  }

  async #delete(link) {
    if (!(await confirmAction(t("console.deleteLink", { label: link.label }), t("shared.delete")))) return;
    try {
      await api.delete(`${this.#path}/${link.id}`);
      await this.#load();
    } catch (problem) {
      await this.#load(sentence(problem));
    }
  }
}

customElements.define("entry-links", EntryLinks);
