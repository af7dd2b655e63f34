// What widget.js uses and knows nothing of the page: one expression, which the server puts into it.
(() => {
  const words = {
    en: { close: "Close", dismiss: "Dismiss", unread: (count) => `${count} unread message${count === 1 ? "" : "s"}`, failed: "The conversation cannot be opened in this page.", outside: "Open it in a new tab" },
    ja: { close: "閉じる", dismiss: "閉じる", unread: (count) => `未読メッセージ${count}件`, failed: "このページでは会話を開けません。", outside: "新しいタブで開く" },
  };

  /** The drawings of the button: to open, and to close. */
  const BUBBLE = "M21 11.5a8.4 8.4 0 0 1-12.2 7.5L3 21l2-5.8A8.4 8.4 0 1 1 21 11.5Z";
  const CROSS = "M6 6l12 12M18 6L6 18";

  /** White or black, whichever is easier to read on a colour. */
  const inkOn = (colour) => {
    const shares = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
    const [r, g, b] = shares.map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.36 ? "#000" : "#fff";
  };

  /** Whether a path fits a pattern, in which `*` stands for any text; in time linear in the path for each part. */
  const fits = (pattern, path) => {
    const [first, ...parts] = pattern.split("*");
    if (parts.length === 0) return pattern === path;
    const last = parts.pop();
    const end = path.length - last.length;
    let at = first.length;
    if (at > end || !path.startsWith(first) || !path.endsWith(last)) return false;
    return parts.every((part) => {
      const found = path.indexOf(part, at);
      at = found + part.length;
      return found >= 0 && at <= end;
    });
  };

  /** How to read what the browser keeps under a key, and how to add to it. */
  const kept = (key) => {
    const memory = new Map();
    const recall = (place) => {
      // Safe: without storage it lasts as long as the page.
      try { return memory.get(place) ?? JSON.parse(globalThis[place].getItem(key) ?? "{}") ?? {}; } catch { return {}; }
    };
    const keep = (place, values) => {
      const all = { ...recall(place), ...values };
      try {
        globalThis[place].setItem(key, JSON.stringify(all));
        memory.delete(place);
      } catch { memory.set(place, all); }  // Safe: as above.
    };
    return [recall, keep];
  };

  /** Has a style say what is seen above a keyboard that lies over the page, as on iOS. */
  const aboveKeyboard = (style) => {
    const view = globalThis.visualViewport;
    const fit = () => {
      const { height, offsetTop, scale } = view;
      const covered = innerHeight - height;
      for (const [name, pixels] of [["top", offsetTop], ["below", covered - offsetTop], ["seen", height]])
        style.setProperty(`--${name}`, scale < 1.01 && covered > 99 ? `${pixels}px` : "");
    };
    view?.addEventListener("resize", fit);
    view?.addEventListener("scroll", fit);
  };

  return { words, fits, inkOn, kept, aboveKeyboard, BUBBLE, CROSS };
})()
