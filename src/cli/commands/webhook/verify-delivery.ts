import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far the time of a delivery may be from now, as in the libraries of Standard Webhooks. */
const TOLERANCE_SECONDS = 300;

/** Reads the key of a secret (`whsec_` and base64). undefined: it is none. */
export function readKey(secret: string): Buffer | undefined {
  const [, text] = /^(?:whsec_)?([A-Za-z\d+/]{16,}={0,2})$/.exec(secret) ?? [];
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

/** Returns why a delivery was not signed with the key, or undefined if it was. Pure. */
export function verifyDelivery(
  key: Buffer,
  headers: IncomingHttpHeaders,
  body: string,
  nowMs: number,
): string | undefined {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'webhook-id, webhook-timestamp or webhook-signature is missing';
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    return `webhook-timestamp ${timestamp} is more than ${TOLERANCE_SECONDS} s away`;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const isSigned = signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const sent = Buffer.from(text, 'base64');
    return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  return isSigned ? undefined : 'no signature in webhook-signature is by this secret';
}
