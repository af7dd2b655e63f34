// The launcher of a widget, for pages of other origins: one classic script, which adds a button and nothing else until it
// is opened. How it is used: docs/widget.md.
(() => {
  "use strict";
  const script = document.currentScript?.localName === "script" ? document.currentScript : null;  // An image of this name would name its own server.
  const business = script?.dataset.business?.trim().toLowerCase();
  if (!business) return console.error("Frontdesk: the script needs data-business.");
  const other = globalThis.Frontdesk?.business;
  if (other) return other === business || console.error("Frontdesk: this page has the widget of another business.");
  const desk = new URL(script.src).origin;
  const address = `${desk}/api/widget/${encodeURIComponent(business)}`;
  /** While there is a conversation and no frame follows it, the launcher asks at this interval. */
  const POLL_MILLISECONDS = 60_000;
  /** A frame that is not ready by then counts as refused. */
  const FRAME_MILLISECONDS = 15_000;
  const [REQUEST_MILLISECONDS, SETTLE_MILLISECONDS, IDENTITY_MILLISECONDS] = [20_000, 3_000, 300_000];
  /** How often the first answer is asked for while the browser stays as it is. */
  const MOST_ATTEMPTS = 6;
  const KEY = `frontdesk.${business}`;
  // The server puts widget-parts.js here and widget.css further below.
  const { words, fits, inkOn, kept, aboveKeyboard, BUBBLE, CROSS } = "PARTS";
  let locale = script.dataset.locale || document.documentElement.lang || navigator.language || "en";
  const say = () => (locale.toLowerCase().startsWith("ja") ? words.ja : words.en);
  const [recall, keep] = kept(KEY);
  /** Whether the server has to hear yet that the customer was signed out: nothing is shown before that. */
  const isLeaving = () => Boolean(recall("localStorage").isLeaving);
  const random = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

  // MARK: State
  let [settings, attempts] = [null, 0];
  /** Counts the sign-outs: what was asked before one is not applied. */
  let era = 0;
  let asked = null;  // The language in which the server was asked last.
  let state = { user: null, unread: 0, hasConversation: false };
  let [isOpen, frame, isFrameReady, hasFailed] = [false, null, false, false];
  /** Since when the page has been asked for a new identity; null while none is needed. */
  let expiredAt = null;
  /** What the page says of the customer, without a signature. */
  let [page, greeting] = [{}, null];
  const listeners = new Map();
  const emit = (name, detail) => {
    for (const listener of listeners.get(name) ?? []) try { listener(detail); } catch (error) { console.error(error); }
  };

  // MARK: Drawing
  const host = document.createElement("frontdesk-widget");
  const root = host.attachShadow({ mode: "open" });
  aboveKeyboard(host.style);
  // A constructed sheet is no inline style: a strict policy of the page allows it.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("STYLES");
  root.adoptedStyleSheets = [sheet];

  const add = (parent, tag, attributes = {}, text = "") => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return parent.appendChild(element);
  };
  const panel = add(root, "div", { class: "panel", id: "panel", role: "dialog", hidden: "" });
  const bubble = add(root, "div", { class: "greeting", hidden: "" });
  const launcher = add(root, "button", { class: "launcher", type: "button", "aria-haspopup": "dialog", "aria-expanded": "false", "aria-controls": "panel" });
  const spoken = add(root, "div", { class: "spoken", role: "status" });
  const draws = (parent, tag) => parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", tag));
  const drawing = draws(launcher, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  const line = draws(drawing, "path");
  const badge = add(launcher, "span", { class: "badge", "aria-hidden": "true", hidden: "" });
  const draw = () => {
    if ((host.hidden = settings === null)) return;
    const { launcher: { position, colour, label }, business: { name } } = settings;
    host.className = `${position === "left" ? "is-left" : ""} ${isOpen ? "is-open" : ""}`;
    host.lang = bubble.lang = panel.lang = say() === words.ja ? "ja" : "en";
    for (const [key, value] of [["--colour", colour], ["--ink", inkOn(colour)]]) host.style.setProperty(key, value);
    const count = isOpen ? 0 : state.unread;
    Object.assign(badge, { hidden: count === 0, textContent: count > 9 ? "9+" : String(count) });
    line.setAttribute("d", isOpen ? CROSS : BUBBLE);
    launcher.setAttribute("aria-expanded", String(isOpen));
    launcher.setAttribute("aria-label", isOpen ? say().close : count ? `${label}, ${say().unread(count)}` : label);
    launcher.title = isOpen ? say().close : label;
    panel.setAttribute("aria-label", name);
    panel.hidden = !isOpen;
    bubble.hidden = isOpen || greeting === null;
    if (isOpen) spoken.textContent = "";  // A screen reader would still find it there.
  };
  const setUnread = (count) => {
    if (count === state.unread) return;
    state.unread = count;
    if (!isOpen) spoken.textContent = count ? say().unread(count) : "";
    draw();
    emit("unread", count);
  };

  // MARK: The server
  const ask = async (path, options = {}) => {
    const response = await fetch(address + path, { credentials: "include", referrerPolicy: "no-referrer", signal: AbortSignal.timeout(REQUEST_MILLISECONDS), ...options });
    const body = response.status === 204 ? null : await response.json();
    if (response.ok) return body;
    throw Object.assign(new Error(body?.detail ?? `status ${response.status}`), { code: body?.code ?? "unknown" });
  };
  /** Applies what the server says of the customer; a frame of another customer is loaded anew. */
  const apply = ({ user, unread, hasConversation }, isRead) => {
    const { user: known = null, generation: former = null } = recall("localStorage");
    if (known && !user && renews()) return expire();
    state = { ...state, user, hasConversation };
    if (expiredAt !== null && user === known) post("renewed");
    // Only what is read shows that the browser keeps an identity.
    if (isRead && user) expiredAt = null;
    // What was being written without a name is the customer's who signs in; of two tabs at once both name the same place.
    if (user !== known) keep("localStorage", { user, seen: 0, generation: former && user ? `${former.split("-")[0]}-${user}` : random(), from: known ? null : former });
    follow();
    if (!isFrameReady) setUnread(unread);
  };
  /** Whether the page says again who the customer is when it is asked. */
  const renews = () => listeners.get("expired")?.length > 0;
  const expire = () => {
    // A page whose new identity is of no use is not asked again and again.
    if (expiredAt !== null && performance.now() - expiredAt < POLL_MILLISECONDS) return;
    expiredAt = performance.now();
    emit("expired");
  };
  const load = async () => {
    const [mine, isFirst] = [era, !settings];
    attempts += 1;
    if (isLeaving()) await leave();
    const { seen = 0 } = recall("localStorage");
    settings = await ask(`?${new URLSearchParams({ locale: asked = locale, after: String(seen) })}`);
    if (mine === era) apply(settings, true);
    draw();
    if (isFirst) emit("ready");
  };
  const identify = async ({ token, user, time, hash }, mine) => {
    if (mine !== era) return;
    if (isLeaving()) await leave();
    const { user: known = null, seen = 0 } = recall("localStorage");
    if (isFrameReady && !known) await settle();
    const body = JSON.stringify({ ...(token ? { token } : { user, time, hash }), after: seen });
    const answer = await ask("/identity", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (mine !== era) return;
    apply(answer);
    // What another customer has seen here is no measure for this one.
    if (seen && answer.user !== known) await load().catch(() => {});  // Safe: the next answer counts.
    if (mine !== era) return;
    postPage();
    draw();
    emit("identified", { hasConversation: answer.hasConversation });
  };
  /** Ends the session at the server. A page that goes on at once leaves it to the browser, and a lost request to the next load. */
  const leave = async (isLast = true) => {
    await ask("/identity", { method: "DELETE", keepalive: true });
    if (isLast) keep("localStorage", { isLeaving: false });
  };
  const forget = () => {
    keep("sessionStorage", { held: null });
    [page, expiredAt, era] = [{}, null, era + 1];
    state = { user: null, unread: state.unread, hasConversation: false };
    close();
    drop();
    setUnread(0);
  };
  const reset = () => {
    keep("localStorage", { user: null, seen: 0, generation: random(), from: null, isLeaving: true });
    forget();
    // What is under way may still sign the customer in: then the session is ended once more, after it.
    const isBusy = running > 0;
    const first = leave(!isBusy);
    quietly(first);
    return inOrder(() => (isBusy ? leave() : first));
  };

  // MARK: The frame
  const post = (type, values = {}) => isFrameReady && frame.contentWindow?.postMessage({ frontdesk: type, ...values }, desk);
  const postPage = () => post("page", { page: { ...page, path: decoded() }, greeting: greeting?.text ?? null, renews: renews() && Boolean(recall("localStorage").user) });
  /** Waits until nothing of the frame is on its way; its files are this tab's until it has released them. */
  let settled = null;
  const settle = () => {
    keep("sessionStorage", { held: recall("sessionStorage").held ?? random() });
    return new Promise((resolve) => {
      setTimeout(settled = resolve, SETTLE_MILLISECONDS);
      post("settle", { holder: recall("sessionStorage").held });
    });
  };
  const drop = () => {
    frame?.remove();
    [frame, isFrameReady, hasFailed, panel.textContent] = [null, false, false, ""];
  };
  const reload = () => (drop(), isOpen && makeFrame());
  /** Loads a frame of a former customer anew. */
  const follow = () => {
    const { generation } = recall("localStorage");
    if (frame && generation && generation !== frame.dataset.generation) reload();
  };
  const makeFrame = () => {
    let [{ generation, from, user }, { held }] = [recall("localStorage"), recall("sessionStorage")];
    if (!generation) keep("localStorage", { generation: generation = random() });
    const wanted = new URLSearchParams({ g: generation, locale, ...(from && { from }), ...(held && { held }), ...(user && { named: 1 }) });
    frame = add(panel, "iframe", { title: settings.business.name, src: `${desk}/w/${encodeURIComponent(business)}#${wanted}` });
    add(panel, "button", { class: "corner", type: "button", "aria-label": say().close }, "×").addEventListener("click", () => close());
    frame.dataset.generation = generation;
    setTimeout((own) => {
      if (own !== frame || isFrameReady) return;
      hasFailed = true;
      const box = add(panel, "div", { class: "failed", role: "alert" });
      add(box, "p", {}, say().failed);
      add(box, "a", { href: `${desk}/b/${encodeURIComponent(business)}`, target: "_blank", rel: "noopener" }, say().outside);
    }, FRAME_MILLISECONDS, frame);
  };
  // Another tab of the shop signed the customer in or out, or showed what is unread here.
  addEventListener("storage", ({ key, oldValue }) => {
    if (key !== KEY) return;
    if (isLeaving()) {
      forget();
      // An identity that is under way here is ended after it, too.
      return running > 0 ? quietly(inOrder(() => leave())) : undefined;
    }
    const { user = null, seen = 0 } = recall("localStorage");
    // Another tab signed the customer in: this one's frame without a name keeps its files first.
    if (user && !state.user && isFrameReady) quietly(inOrder(() => isFrameReady && settle().then(follow)));
    else follow();
    if (user !== state.user) return quietly(inOrder(load));
    if (seen <= (JSON.parse(oldValue)?.seen ?? 0)) return;
    state.hasConversation = true;
    setUnread(0);
    post("seen");
  });
  addEventListener("message", ({ data, origin, source }) => {
    if (!frame || source !== frame.contentWindow || origin !== desk || typeof data?.frontdesk !== "string") return;
    const { frontdesk: type, count, sequence } = data;
    if (type === "close") close();
    if (type === "ended") quietly(inOrder(() => alone(load)));
    if (type === "settled") settled?.();
    if (type === "released") keep("sessionStorage", { held: null });
    if (type === "unread" && Number.isInteger(count)) setUnread(count);
    if (type === "seen" && Number.isInteger(sequence)) {
      keep("localStorage", { seen: sequence });
      state.hasConversation = true;
    }
    if (type !== "ready") return;
    [isFrameReady, hasFailed] = [true, false];
    if (root.activeElement?.closest(".corner, .failed")) frame.focus();  // It would be lost with the button.
    for (const one of panel.querySelectorAll(".corner, .failed")) one.remove();
    postPage();
    post(isOpen ? "opened" : "closed");
  });
  const open = () => {
    if (isOpen || !settings || isLeaving()) return;
    isOpen = true;
    keep("sessionStorage", { isQuiet: true });
    if (!frame || hasFailed) reload();
    setUnread(0);
    draw();
    frame.focus();
    postPage();
    post("opened");
    emit("opened");
  };
  const close = () => {
    if (!isOpen) return;
    // Only a focus that would be lost with the frame goes back to the button.
    const hadFocus = document.activeElement === host;
    [isOpen, greeting] = [false, null];
    post("closed");
    draw();
    if (hadFocus) launcher.focus();
    emit("closed");
  };
  launcher.addEventListener("click", () => (isOpen ? close() : isLeaving() ? quietly(inOrder(load).then(open)) : open()));
  root.addEventListener("keydown", ({ key }) => key === "Escape" && (isOpen ? close() : dismiss()));

  // MARK: Greetings
  /** The path as it is read; one that is no UTF-8 as it is sent. */
  const decoded = () => { try { return decodeURI(location.pathname); } catch { return location.pathname; } };
  /** Puts the widget into the page, again where the page has exchanged its body. */
  const attach = () => {
    if (host.isConnected || !document.body) return;
    const wasOpen = frame && isOpen;
    drop();
    document.body.append(host);
    if (wasOpen) makeFrame();
  };
  let [path, since] = [null, 0];
  const tick = () => {
    attach();
    // Pages that change their address without a reload begin anew with each path.
    if (path !== location.pathname) {
      [path, since] = [location.pathname, performance.now()];
      postPage();
    }
    if (!settings || document.hidden || isOpen || greeting || state.unread > 0 || recall("sessionStorage").isQuiet) return;
    const elapsed = (performance.now() - since) / 1000;
    const found = settings.greetings.find((one) => elapsed >= one.seconds && (fits(one.path, path) || fits(one.path, decoded())));
    if (!found) return;
    greeting = found;
    keep("sessionStorage", { isQuiet: true });
    bubble.textContent = "";
    add(bubble, "button", { class: "text", type: "button", dir: "auto" }, found.text).addEventListener("click", open);
    add(bubble, "button", { class: "dismiss", type: "button", "aria-label": say().dismiss }, "×").addEventListener("click", dismiss);
    spoken.textContent = found.text;
    draw();
    emit("greeted", { text: found.text });
  };
  const dismiss = () => {
    if (bubble.contains(root.activeElement)) launcher.focus();
    [greeting, spoken.textContent] = [null, ""];
    draw();
  };

  // MARK: What the page calls
  /** What was called first is done first. */
  let [last, running] = [Promise.resolve(), 0];
  const inOrder = (work) => {
    running += 1;
    const mine = last.then(work);
    last = mine.catch((error) => emit("error", { code: typeof error.code === "string" ? error.code : "offline", detail: error.message })).then(() => { running -= 1; });
    return mine;
  };
  /** One tab after the other, so that the second one finds who was signed in by the first. */
  const alone = async (work) => {
    let done = null;
    try { await navigator.locks.request(KEY, () => (done = work())); } catch { }  // Safe: without locks at once; why the work failed is in `done`.
    return done ?? work();
  };
  let missed = null;  // What shows an identity again that a lost connection kept away, as long as it is accepted.
  const show = (values, mine, since) => inOrder(() => {
    missed = null;
    return alone(() => identify(values, mine)).catch((error) => {
      if (typeof error.code !== "string") missed = () => performance.now() - since < IDENTITY_MILLISECONDS && show(values, mine, since);
      throw error;
    });
  });
  const commands = {
    open: () => inOrder(open),
    close: () => inOrder(close),
    toggle: () => inOrder(() => (isOpen ? close() : open())),
    reset,
    /** A verified identity; what else is said is unverified, as with `set`. */
    identify: (values = {}) => {
      const { token, user, time, hash, ...rest } = values;
      commands.set(rest);
      return token || hash ? show(values, era, performance.now()) : last;
    },
    set: ({ name, email, attributes, locale: wanted } = {}) => {
      for (const [key, value] of Object.entries({ name, email })) if (value !== undefined) page[key] = String(value ?? "");
      // What is none of these could not be handed to the frame, and is not sent.
      const isPlain = ([, value]) => ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
      if (attributes) page.attributes = Object.fromEntries(Object.entries({ ...page.attributes, ...attributes }).filter(isPlain));
      postPage();
      if (!wanted || wanted === locale) return last;
      locale = wanted;
      post("locale", { locale });
      return asked && asked !== locale ? inOrder(load) : last;
    },
    on: (name, listener) => {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
      postPage();
      if (name === "ready" && settings) listener();
    },
    off: (name, listener) => { listeners.set(name, (listeners.get(name) ?? []).filter((one) => one !== listener)); postPage(); },
  };
  const call = (name, ...values) => {
    if (Object.hasOwn(commands, name)) return commands[name](...values);
    throw new TypeError(`Frontdesk: there is no ${name}.`);
  };
  const ofPage = [...(globalThis.Frontdesk?.q ?? [])].map((one) => [...one]);
  globalThis.Frontdesk = Object.assign(call, { business });
  const parsed = (text) => { try { return JSON.parse(text ?? "{}"); } catch { return console.error("Frontdesk: data-attributes is no JSON."); } };
  const { identity, name, email, attributes } = script.dataset;
  commands.set({ name, email, attributes: parsed(attributes) });
  const quietly = (promise) => promise?.catch?.(() => {});  // Safe: the event error has said it.
  // Listeners and identities first: they hear what follows, and are known before the launcher asks.
  const isEarly = ([what]) => what === "on" || what === "identify";
  // One that is wrong keeps no other from being done.
  const run = (one) => { try { quietly(call(...one)); } catch (error) { console.error(error); } };
  ofPage.filter(isEarly).forEach(run);
  if (identity) quietly(commands.identify({ token: identity }));
  quietly(inOrder(load));
  ofPage.filter((one) => !isEarly(one)).forEach(run);
  draw();
  attach();
  addEventListener("DOMContentLoaded", attach);
  setInterval(tick, 1000);
  const poll = () => {
    const isDue = settings ? isLeaving() || (!isFrameReady && state.hasConversation) : attempts < MOST_ATTEMPTS;
    if (document.hidden) return;
    quietly(missed?.());
    if (isDue) quietly(inOrder(load));
  };
  setInterval(poll, POLL_MILLISECONDS);
  addEventListener("online", () => {
    if (hasFailed) reload();
    attempts = 0;
    poll();
  });
  // A page that comes back as it was left may come back to another customer.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    if (isLeaving() || (recall("localStorage").user ?? null) !== state.user) forget();
    quietly(inOrder(load));
  });
})();
