"""A keyboard of the screen that lies over the page, as on iOS, for a browser that has none."""

# What iOS says of its keyboard: the visual viewport is smaller than the page, and the page may be moved up below it.
KEYBOARD = """
  const view = Object.assign(new EventTarget(), { keyboard: 0, offsetTop: 0, offsetLeft: 0, scale: 1 });
  Object.defineProperty(view, "height", { get: () => (document.documentElement.clientHeight - view.keyboard) / view.scale });
  Object.defineProperty(window, "visualViewport", { value: view });
  window.showKeyboard = (height, { top = 0, scale = 1 } = {}) => {
    Object.assign(view, { keyboard: height, offsetTop: top, scale });
    view.dispatchEvent(new Event("resize"));
    view.dispatchEvent(new Event("scroll"));
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  };
"""
