/**
 * Reads a payload into what a card draws. A payload may be half-typed: every reader takes anything
 * and answers with something drawable; nothing here throws.
 */

/** @param {unknown} value @returns {Record<string, any>} */
export function record(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** @param {unknown} value @returns {any[]} */
export function list(value) {
  return Array.isArray(value) ? value : [];
}

/** Text of a value; numbers as they read, everything else nothing. @param {unknown} value */
export function words(value) {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

const FEATURES = [
  ["listPicker", "list"], ["event", "time"], ["timePicker", "time"], ["payment", "payment"],
  ["quick-reply", "quickReply"], ["dynamic", "form"], ["authenticate", "authentication"],
  ["notification", "invitation"],
];

/**
 * The kind of message a payload is, by its shape: one of the kinds of the server, or "unknown".
 * @param {unknown} payload
 * @returns {string}
 */
export function kindOf(payload) {
  const { type, interactiveData, interactiveDataRef, richLinkData, richLinkDataRef, body } =
    record(payload);
  if (type === "richLink" || richLinkData) return "richLink";
  if (interactiveData) {
    const { data, appId, appName, URL, bid } = record(interactiveData);
    for (const [key, kind] of FEATURES) {
      if (record(data)[key] !== undefined) return kind;
    }
    const isOurs = words(bid).endsWith("com.apple.icloud.apps.messages.business.extension");
    if (appId !== undefined || appName || URL !== undefined || (bid && !isOurs)) return "app";
    return "unknown";
  }
  if (interactiveDataRef || richLinkDataRef) return "reference";
  if (type === "text" || body !== undefined) return "text";
  return "unknown";
}

/**
 * @typedef {{identifier: string, source: string|null, description: string}} Picture
 * @typedef {{title: string, subtitle: string, style: string, picture: Picture|null,
 *   secondarySubtitle: string, tertiarySubtitle: string, imageTitle: string,
 *   imageSubtitle: string, alternateTitle: string}} Face
 */

/** The pictures of an interactive payload by identifier. @param {unknown} payload */
export function readPictures(payload) {
  const data = record(record(record(payload).interactiveData).data);
  const pictures = new Map();
  for (const image of list(data.images)) {
    const { identifier, data: base64, description } = record(image);
    pictures.set(words(identifier), {
      identifier: words(identifier), source: pictureSource(base64),
      description: words(description),
    });
  }
  return pictures;
}

/**
 * What the bubble shows: `receivedMessage`, or `replyMessage` of an answer.
 * @param {unknown} payload
 * @param {"receivedMessage"|"replyMessage"} [part]
 * @returns {Face}
 */
export function readFace(payload, part = "receivedMessage") {
  const interactive = record(record(payload).interactiveData);
  const face = record(interactive[part] ?? record(interactive.data)[part]);
  const style = ["small", "large"].includes(face.style) ? face.style : "icon";
  return {
    title: words(face.title), subtitle: words(face.subtitle), style,
    picture: readPictures(payload).get(words(face.imageIdentifier)) ?? null,
    secondarySubtitle: words(face.secondarySubtitle),
    tertiarySubtitle: words(face.tertiarySubtitle),
    imageTitle: words(face.imageTitle), imageSubtitle: words(face.imageSubtitle),
    alternateTitle: words(face.alternateTitle),
  };
}

/**
 * The list picker: sections and rows in their `order`; those of an answer as they stand, because
 * its two sections mix rows that were ordered apart.
 * @param {unknown} payload
 * @param {boolean} [isAnswer]
 */
export function readList(payload, isAnswer = false) {
  const picker = record(record(record(record(payload).interactiveData).data).listPicker);
  const pictures = readPictures(payload);
  const sorted = isAnswer ? (rows) => rows.map(record) : inOrder;
  const sections = inOrder(list(picker.sections)).map((section, index) => ({
    key: `section-${index}`,
    title: words(section.title) || (index === 0 ? words(picker.title) : ""),
    isMultiple: (section.multipleSelection ?? picker.multipleSelection) === true,
    items: sorted(list(section.items)).map((item) => ({
      identifier: words(item.identifier), title: words(item.title),
      subtitle: words(item.subtitle), style: words(item.style),
      picture: pictures.get(words(item.imageIdentifier)) ?? null,
    })),
  }));
  return { sections, count: sections.reduce((sum, section) => sum + section.items.length, 0) };
}

/**
 * The time picker: the place and the slots, earliest first.
 * @param {unknown} payload
 * @param {(text: unknown) => Date|null} readTime
 */
export function readEvent(payload, readTime) {
  const data = record(record(record(payload).interactiveData).data);
  const event = record(data.event ?? record(data.timePicker).event);
  const place = record(event.location);
  const number = (value) => (words(value).trim() === "" ? NaN : Number(value));
  const [latitude, longitude] = [number(place.latitude), number(place.longitude)];
  const offset = number(event.timezoneOffset);
  const slots = list(event.timeslots).map((slot) => {
    const { identifier, startTime, duration } = record(slot);
    return {
      identifier: words(identifier), start: readTime(startTime), text: words(startTime),
      seconds: Math.max(0, Number(duration) || 0),
    };
  });
  const moment = (slot) => slot.start?.getTime() ?? Number.MAX_SAFE_INTEGER;
  slots.sort((left, right) => moment(left) - moment(right));
  const hasPoint = Number.isFinite(latitude) && Number.isFinite(longitude);
  return {
    identifier: words(event.identifier), title: words(event.title),
    picture: readPictures(payload).get(words(event.imageIdentifier)) ?? null,
    offset: Number.isFinite(offset) && Math.abs(offset) <= 1440 ? offset : null,
    place: words(place.title) || hasPoint
      ? {
        title: words(place.title), latitude: hasPoint ? latitude : null,
        longitude: hasPoint ? longitude : null, radius: Number(place.radius) || 0,
      } : null,
    slots,
  };
}

/** The payment request. @param {unknown} payload */
export function readPayment(payload) {
  const data = record(record(record(payload).interactiveData).data);
  const payment = record(data.payment);
  const request = record(payment.paymentRequest);
  const line = (value) => {
    const { label, amount, type } = record(value);
    return { label: words(label), amount: words(amount), isPending: type === "pending" };
  };
  return {
    merchant: words(request.merchantName) || words(record(request.total).label),
    currency: words(request.currencyCode), country: words(request.countryCode),
    lines: list(request.lineItems).map(line), total: line(request.total),
    methods: list(request.shippingMethods).map((method) => {
      const { identifier, label, detail, amount } = record(method);
      return {
        identifier: words(identifier), label: words(label), detail: words(detail),
        amount: words(amount),
      };
    }),
    shippingFields: list(request.requiredShippingContactFields).map(words),
    billingFields: list(request.requiredBillingContactFields).map(words),
    fallbackUrl: words(record(payment.endpoints).fallbackUrl),
    state: words(payment.state), status: words(payment.status),
  };
}

/** The link into an app extension. @param {unknown} payload */
export function readApp(payload) {
  const interactive = record(record(payload).interactiveData);
  const parts = /^(.*?):([^:]*):(.*)$/s.exec(words(interactive.bid)) ?? [];
  const [, , team = "", extension = ""] = parts;
  return {
    appId: words(interactive.appId), appName: words(interactive.appName),
    icon: pictureSource(interactive.appIcon), url: words(interactive.URL), team, extension,
    face: readFace(payload), reply: readFace(payload, "replyMessage"),
  };
}

/** An invitation's brand and logo, or the answer to one. @param {unknown} payload */
export function readInvitation(payload) {
  const data = record(record(record(payload).interactiveData).data);
  const notification = record(data.notification);
  const { brandName, brandLogo } = record(notification.parameters);
  const content = record(record(notification.displayContent).determinateResponse);
  return {
    brand: words(brandName), logo: pictureSource(brandLogo),
    reference: words(notification.referenceId) || words(data.referenceId),
    answer: words(content.title) || words(notification.id),
  };
}

/** The quick reply, and the row chosen when the payload is an answer. @param {unknown} payload */
export function readQuickReply(payload) {
  const quick = record(record(record(record(payload).interactiveData).data)["quick-reply"]);
  const items = list(quick.items).map((item) => ({
    identifier: words(record(item).identifier), title: words(record(item).title),
  }));
  const byIndex = items[Number(quick.selectedIndex)] ?? null;
  const chosen = items.find((item) => item.identifier === words(quick.selectedIdentifier))
    ?? (quick.selectedIndex === undefined ? null : byIndex);
  return { summary: words(quick.summaryText), items, chosen };
}

/** The rich link, with the layout that the picture's size gives it. @param {unknown} payload */
export function readRichLink(payload) {
  const link = record(record(payload).richLinkData);
  const assets = record(link.assets);
  const image = record(assets.image);
  const size = pictureSize(image.data);
  let layout = "plain";
  if (pictureSource(image.data)) {
    layout = "large";
    if (size && size.width < 150) layout = "icon";
    else if (size && Math.abs(size.width - size.height) <= size.width * 0.02) layout = "square";
  }
  const url = words(link.url);
  return {
    url, title: words(link.title), host: hostOf(url), layout, size,
    source: pictureSource(image.data, words(image.mimeType)),
    hasVideo: words(record(assets.video).url) !== "",
  };
}

/**
 * What an answer chose: identifiers of rows, of a slot, of a quick reply; the state of a payment.
 * @param {unknown} reply
 * @returns {Set<string>}
 */
export function chosenIn(reply) {
  const data = record(record(record(reply).interactiveData).data);
  const chosen = new Set();
  const quick = readQuickReply(reply).chosen;
  if (quick) chosen.add(quick.identifier);
  // Protocol 2.4: the first section of an answer holds what was selected.
  const [first] = inOrder(list(record(data.listPicker).sections));
  for (const item of list(record(first).items)) chosen.add(words(record(item).identifier));
  const event = record(data.event ?? record(data.timePicker).event);
  for (const slot of list(event.timeslots)) chosen.add(words(record(slot).identifier));
  return chosen;
}

/**
 * Base64 of a picture as an address an `img` may have, or null.
 * @param {unknown} base64
 * @param {string} [mimeType]
 */
export function pictureSource(base64, mimeType = "") {
  const text = words(base64).replace(/\s+/g, "").replace(/^data:[^,]*,/, "");
  if (text.length < 16 || !/^[A-Za-z0-9+/_=-]+$/.test(text.slice(0, 64))) return null;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const known = MAGIC.find(([magic]) => standard.startsWith(magic));
  const type = known?.[1] ?? (/^image\/[\w.+-]+$/.test(mimeType) ? mimeType : "image/png");
  return `data:${type};base64,${standard}`;
}

const MAGIC = [
  ["/9j/", "image/jpeg"], ["iVBOR", "image/png"], ["R0lG", "image/gif"], ["UklG", "image/webp"],
  ["PHN2", "image/svg+xml"], ["PD94", "image/svg+xml"],
];

/**
 * Width and height from a picture's first bytes (PNG, GIF, JPEG, WebP), or null.
 * @param {unknown} base64
 * @returns {{width: number, height: number}|null}
 */
export function pictureSize(base64) {
  const bytes = firstBytes(base64);
  if (!bytes || bytes.length < 24) return null;
  const at = (index) => bytes[index] ?? 0;
  const big = (index) => at(index) * 256 + at(index + 1);
  const little = (index) => at(index) + at(index + 1) * 256;
  if (at(0) === 0x89 && at(1) === 0x50) {
    return { width: big(16) * 65536 + big(18), height: big(20) * 65536 + big(22) };
  }
  if (at(0) === 0x47 && at(1) === 0x49) return { width: little(6), height: little(8) };
  if (at(0) === 0x52 && at(8) === 0x57 && at(15) === 0x20) {
    return { width: little(26) & 0x3fff, height: little(28) & 0x3fff };
  }
  if (at(0) !== 0xff || at(1) !== 0xd8) return null;
  for (let index = 2; index + 9 < bytes.length;) {
    if (at(index) !== 0xff) return null;
    const marker = at(index + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: big(index + 7), height: big(index + 5) };
    index += 2 + Math.max(2, big(index + 2));
  }
  return null;
}

function firstBytes(base64) {
  const text = words(base64).slice(0, 262_144).replace(/\s+/g, "").replace(/=+$/, "");
  try {
    const binary = atob(text.slice(0, text.length - (text.length % 4)));
    return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  } catch {
    return null;  // Safe: half-typed base64 has no size yet.
  }
}

function hostOf(url) {
  try {
    return new URL(url).host.replace(/^www\./, "");
  } catch {
    return url;  // Safe: half-typed; shown as it stands.
  }
}

function inOrder(entries) {
  return entries.map(record)
    .map((entry, index) => ({ entry, index, order: Number(entry.order ?? index) || 0 }))
    .sort((left, right) => left.order - right.order || left.index - right.index)
    .map(({ entry }) => entry);
}
