/** A random key of 128 bits. `crypto.randomUUID` is missing on pages that were loaded by http from another machine. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
