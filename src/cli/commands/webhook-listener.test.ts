import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newWebhookSecret } from '../../webhooks/signatures.ts';
import { readKey, verifyDelivery } from './webhook-listener.ts';

const BODY = '{"type":"webhook.test"}';
const AT = new Date('2026-01-31T12:00:00.000Z');
const secret = newWebhookSecret();

/** The headers that the library of Standard Webhooks makes. */
const signedBy = (...secrets: readonly string[]) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(AT.getTime() / 1000),
  'webhook-signature': secrets.map((one) => new Webhook(one).sign('msg_1', AT, BODY)).join(' '),
});
const verify = (headers: object, body = BODY, nowMs = AT.getTime(), by = secret) =>
  verifyDelivery(readKey(by) ?? Buffer.alloc(0), { ...headers }, body, nowMs);

test('accepts what the library signed, also among other signatures', () => {
  expect(verify(signedBy(secret))).toBeUndefined();
  expect(verify(signedBy(newWebhookSecret(), secret))).toBeUndefined();
});

test('rejects another secret, another body, another id, an old time and missing headers', () => {
  const headers = signedBy(secret);
  expect(verify(headers, BODY, AT.getTime(), newWebhookSecret())).toContain('no signature');
  expect(verify(headers, `${BODY} `)).toContain('no signature');
  expect(verify({ ...headers, 'webhook-id': 'msg_2' })).toContain('no signature');
  expect(verify(headers, BODY, AT.getTime() + 301_000)).toContain('more than 300 s away');
  expect(verify({ ...headers, 'webhook-timestamp': 'now' })).toContain('more than 300 s away');
  expect(verify({ 'webhook-id': 'msg_1' })).toContain('is missing');
  const [, signature = ''] = headers['webhook-signature'].split(',');
  expect(verify({ ...headers, 'webhook-signature': `v2,${signature}` })).toContain('no signature');
});

test('reads secrets with and without their prefix, and nothing else', () => {
  expect(readKey(secret)).toHaveLength(32);
  expect(readKey(secret.slice('whsec_'.length))).toEqual(readKey(secret));
  for (const text of ['', 'whsec_', 'secret', 'whsec_not base64 at all!']) expect(readKey(text)).toBeUndefined();
});
