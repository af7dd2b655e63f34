/** JSON written by hand, and an app's message from a file; neither is a kind of message. */
export const myApp = {
  kind: "myApp", tag: "myapp-form", isWritten: true, isRare: true,
  drawing: "M10 3l6 3.3v7.4L10 17l-6-3.3V6.3zM4 6.3l6 3.3l6-3.3M10 9.6V17",
};

export const raw = { kind: "raw", tag: "raw-form", isWritten: true, isRare: true };
