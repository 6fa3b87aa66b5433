import type { WebhookEvent } from './api.ts';

/** The headers of a request, in the form of fetch, Node or a framework. Names are case-insensitive. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Why a request is rejected. `MISSING_HEADER`: a header of Standard Webhooks is missing. `TIMESTAMP_OUT_OF_RANGE`: the request was signed
 * too long ago, or in the future. `WRONG_SIGNATURE`: no given secret signed it. `INVALID_BODY`: the body is not JSON.
 */
export type WebhookErrorCode = 'MISSING_HEADER' | 'TIMESTAMP_OUT_OF_RANGE' | 'WRONG_SIGNATURE' | 'INVALID_BODY';

/** The request is not from the service, or it was changed or repeated on the way. Reply with 400 and ignore the content. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface VerifyOptions {
  /** How many seconds the clocks of the service and of this machine may differ. Default: 300. */
  readonly toleranceSeconds?: number;
}

/**
 * Returns the event of a request if the service signed the request with one of the secrets (Standard Webhooks,
 * https://www.standardwebhooks.com). Otherwise rejects with `WebhookError`. Rejects with `TypeError` for a malformed secret. Needs
 * WebCrypto, which compares signatures in constant time.
 *
 * @param body The bytes or text as received. JSON that was parsed and serialized again can differ.
 * @param secret `whsec_…`, or several secrets.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'));
  const keys = await Promise.all([secret].flat().map(importKey));
  const ageSeconds = Date.now() / 1000 - (/^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookError(
      'TIMESTAMP_OUT_OF_RANGE',
      `The webhook-timestamp ${JSON.stringify(timestamp)} is not within ${toleranceSeconds} s of the clock of this machine.`,
    );
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const results = await Promise.all(
    keys.flatMap((key) => signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed))),
  );
  if (!results.includes(true))
    throw new WebhookError(
      'WRONG_SIGNATURE',
      'The secret did not sign this request, or the request was changed since.',
    );
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch {
    throw new WebhookError('INVALID_BODY', 'The body is signed, but it is not JSON.');
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError('MISSING_HEADER', `The request has no header "${name}", or has it more than once.`);
}

/** Do not use `instanceof`: frameworks have their own classes. */
const hasGet = (headers: WebhookHeaders): headers is Headers =>
  'get' in headers && typeof (headers.get as unknown) === 'function';

/** The maximum number of signatures that are checked. The service sends one or two. */
const MAX_SIGNATURES = 10;

/** The signatures of version 1. In the header, spaces separate signatures. Other versions are ignored. */
const signaturesOf = (header: string): readonly Uint8Array<ArrayBuffer>[] =>
  header
    .split(' ', MAX_SIGNATURES)
    .flatMap((entry) => (entry.startsWith('v1,') ? [decodeBase64(entry.slice('v1,'.length))] : []))
    .filter((bytes) => bytes !== undefined);

const PREFIX = 'whsec_';

async function importKey(secret: string) {
  const bytes = decodeBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError(`The secret of the webhook is malformed. It is "${PREFIX}" and base64.`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Decodes base64. undefined: the text is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = atob(text);
    return btoa(bytes) === text ? Uint8Array.from(bytes, (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
