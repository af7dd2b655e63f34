/** Whether an address leads to the machine itself, where no phone gets. @param {string} address */
export function isLoopback(address) {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address, location.href).hostname);
}
