import { h, replace } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import "../lib/brand-bar.js";
import { address, plainText, readMarkdown } from "./markdown.js";

await registerStrings({ en: () => import("../i18n/en/docs.js"), ja: () => import("../i18n/ja/docs.js") });

/** A document of the server, whose Markdown is at the page's own address. */
class DocumentPage extends HTMLElement {
  #blocks = null;
  #problem = "";
  #main = h("main", { class: "document" });

  async connectedCallback() {
    onLanguageChange(() => this.#draw());
    this.#draw();
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/markdown" } });
      if (!answer.ok) throw new Error(String(answer.status));
      this.#blocks = readMarkdown(await answer.text());
    } catch {
      this.#problem = "docs.unreadable";
    }
    this.#draw();
    if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }

  #draw() {
    const title = this.#blocks?.find(({ tag }) => tag === "h1");
    document.title = title ? `${plainText(title)} · Frontdesk` : t("docs.title");
    if (!this.firstChild) this.append(h("brand-bar"), this.#main);
    const index = location.pathname === "/docs/" ? null
      : h("nav", { class: "document-index" }, h("a", { href: "/docs/" }, t("docs.index")));
    replace(this.#main, index, this.#problem ? h("p", { role: "alert" }, t(this.#problem))
      : this.#blocks ? this.#blocks.map(node) : h("p", { role: "status" }, t("shared.loading")));
  }
}

function node(part) {
  if (typeof part === "string") return part;
  const attributes = { ...part.attributes };
  if (part.tag === "a") {
    attributes.href = address(attributes.href, location.pathname);
    if (!attributes.href) return h("span", null, part.children.map(node));
    if (attributes.href.startsWith("http")) attributes.rel = "noopener";
  }
  const children = part.children.map(node);
  if (/^h[2-6]$/.test(part.tag)) {
    const name = t("docs.anchor", { title: plainText(part) });
    children.push(h("a", { class: "document-anchor", href: `#${attributes.id}`, "aria-label": name }, "#"));
  }
  const element = h(part.tag, attributes, children);
  return part.tag === "table" || part.tag === "pre"
    ? h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": t(`docs.${part.tag}`) }, element) : element;
}

customElements.define("document-page", DocumentPage);
