import { HIDDEN } from '../domain/secret-options.ts';

/** How much of a reply the log of deliveries keeps. */
export const EXCERPT_BYTES = 256;

/** What may be a credential in a reply, such as an echo of the request. */
const SECRETS = [/whsec_[\w+/=]+/g, /\b(?:Bearer|Basic) +[\w.~+/=-]+/gi, /\bey[\w-]+\.[\w-]+\.[\w-]+/g];

/** The begin of a reply as one line of text, without control characters and credentials. */
export function replyExcerpt(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, EXCERPT_BYTES)).replace(/\uFFFD$/, '');
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return SECRETS.reduce((hidden, secret) => hidden.replace(secret, HIDDEN), line);
}
