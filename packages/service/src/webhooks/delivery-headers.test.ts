import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newWebhookSecret, signedHeaders } from './delivery-headers.ts';

const BODY = '{"type":"job.completed","data":{"text":"Grüße 🎬"}}';

test('the library of Standard Webhooks makes the same signature', () => {
  const secret = newWebhookSecret();
  const at = new Date();
  expect(signedHeaders([secret], 'msg_1', at, BODY)['webhook-signature']).toBe(
    new Webhook(secret).sign('msg_1', at, BODY),
  );
});

test('a receiver with any of the secrets accepts the event, another one does not', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const headers = { ...signedHeaders(secrets, 'msg_1', new Date(), BODY) };
  for (const secret of secrets) expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow();
  expect(() => new Webhook(String(secrets[0])).verify(BODY.replace('job', 'jab'), headers)).toThrow();
});

test('secrets have 256 bits and never repeat', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
});
