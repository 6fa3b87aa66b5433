import { newWebhookSecret } from '@telecine/service/webhooks/delivery-headers.ts';
import { expect, test } from 'vitest';
import { requireSecret } from './webhook-listener.ts';

test('accepts secrets with and without their prefix, and nothing else', () => {
  const secret = newWebhookSecret();
  expect(requireSecret(secret)).toBe(secret);
  expect(requireSecret(secret.slice('whsec_'.length))).toBe(secret.slice('whsec_'.length));
  for (const text of ['', 'whsec_', 'secret', 'whsec_not base64 at all!'])
    expect(() => requireSecret(text)).toThrow('is not the secret of a webhook');
});
