/** Texts of the code that a customer joins with. */
export default {
  "sandbox.code.alt": "QR code that opens {url}",
  "sandbox.code.typed": "Or type this at {place}",
  "sandbox.code.copy": "Copy the link",
  "sandbox.code.left": "Renews itself, {time} left",
  "sandbox.code.openPhone": "Open a simulated phone",
  "sandbox.code.failed": "No code: {detail}",
  "sandbox.loopback": "Only this computer can reach this address. For a real phone on your network, start Frontdesk with make run LAN=1.",
  "sandbox.loopback.flags": "Only this computer can reach this address. For a real phone on your network, start Frontdesk with --listen and --public-url set to this computer's network address.",
  "sandbox.loopback.nothing": "Only this computer can reach this address, as it is with every ephemeral gateway. Play the customer in a browser here.",
};
