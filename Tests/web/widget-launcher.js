import { readFileSync } from "node:fs";
import vm from "node:vm";

const file = (name) => readFileSync(new URL(`../../web/widget/${name}`, import.meta.url), "utf8");
const script = (name) => file(name).replace(/^ *(\/\/.*|\/\*[^]*?\*\/)\n/gm, "");
// As the server puts it together.
export const source = script("widget.js").replace('"STYLES"', () => JSON.stringify(file("widget.css"))).replace('"PARTS"', () => script("widget-parts.js").trim());
export const KEY = "frontdesk.shop";
export const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve)); };

/** As much of an element as the launcher uses. */
class FakeElement {
  children = [];
  attributes = {};
  dataset = {};
  style = { setProperty() {} };
  listeners = {};
  hidden = false;
  isConnected = false;
  constructor(tag) { this.tag = tag; if (tag === "iframe") this.contentWindow = { heard: [], postMessage(data) { structuredClone(data); this.heard.push(data); } }; }
  set textContent(text) { this.children = []; this.text = text; }
  get textContent() { return this.text; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  attachShadow() { return (this.root = new FakeElement("root")); }
  appendChild(child) { this.children.push(child); child.parent = this; child.isConnected = true; return child; }
  append(...all) { for (const one of all) this.appendChild(one); }
  remove() { this.isConnected = false; if (this.parent) this.parent.children = this.parent.children.filter((one) => one !== this); }
  contains() { return false; }
  querySelectorAll() { return []; }
  focus() {}
  find(test) { return test(this) ? this : this.children.map((one) => one.find(test)).find(Boolean); }
}

/** A page of the shop with the script, and the server that it asks. */
export function page({ answer = {}, stored = {}, dataset = {}, path = "/", respond = null, early = undefined, impatient = false, script = {} } = {}) {
  const kept = new Map(Object.entries(stored).map(([key, value]) => [key, JSON.stringify(value)]));
  const storage = (map) => ({ getItem: (key) => map.get(key) ?? null, setItem: (key, value) => { map.set(key, value); } });
  const asked = [];
  const listeners = {};
  const ticks = [];
  const body = new FakeElement("body");
  const said = [];
  const found = {
    user: null, unread: 0, hasConversation: false, business: { id: "shop", name: "Tea" },
    launcher: { position: "right", colour: "#336699", label: "Chat" }, greetings: [], ...answer,
  };
  const context = {
    document: {
      currentScript: { localName: "script", src: "https://desk.example/widget.js", dataset: { business: "SHOP", ...dataset }, ...script }, body,
      documentElement: { lang: "en" }, hidden: false, createElement: (tag) => new FakeElement(tag), createElementNS: (_, tag) => new FakeElement(tag),
    },
    location: { pathname: path }, navigator: { language: "en" }, localStorage: storage(kept), sessionStorage: storage(new Map()),
    CSSStyleSheet: class { replaceSync() {} }, URL, URLSearchParams, AbortSignal: { timeout: (milliseconds) => milliseconds }, crypto, performance,
    console: { error: (text) => said.push(String(text)) },
    setTimeout: (work, milliseconds, ...all) => (impatient ? setImmediate(work, ...all) : setTimeout(work, milliseconds, ...all).unref()), ...(early && { Frontdesk: early }), setInterval: (work, milliseconds) => ticks.push({ work, milliseconds }),
    addEventListener: (name, listener) => { (listeners[name] ??= []).push(listener); },
    fetch: async (url, options) => {
      const one = { method: options.method ?? "GET", url: String(url), ...options };
      asked.push(one);
      const special = await respond?.(one);
      if (special instanceof Error) throw special;
      if (one.method === "DELETE") return { status: 204, ok: true };
      return { status: 200, ok: true, json: async () => ({ ...found, ...special }) };
    },
  };
  vm.createContext(context);
  vm.runInContext(source, context);
  const fire = (name, event = {}) => { for (const one of listeners[name] ?? []) one(event); };
  const tick = (milliseconds) => { for (const one of ticks) if (one.milliseconds === milliseconds) one.work(); };
  const host = () => body.find((one) => one.tag === "frontdesk-widget");
  const element = (test) => host()?.root.find(test);
  const self = {
    context, asked, said, body, fire, tick, host, element, found,
    frontdesk: (...values) => context.Frontdesk(...values),
    kept: () => JSON.parse(kept.get(KEY) ?? "{}"),
    keep: (values) => kept.set(KEY, JSON.stringify(values)),
    frame: () => element((one) => one.tag === "iframe"),
    hear: (frontdesk, more = {}) => fire("message", { data: { frontdesk, ...more }, origin: "https://desk.example", source: self.frame().contentWindow }),
    badge: () => element((one) => one.attributes.class === "badge"),
    methods: () => asked.map((one) => one.method),
  };
  return self;
}
