import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test, vi } from 'vitest';
import { verifyWebhook, WebhookError, type WebhookHeaders } from './webhook.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OLD_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const NOW = new Date('2026-01-31T12:00:00.000Z');
const BODY = '{"type":"job.completed","timestamp":"2026-01-31T12:00:00.000Z","data":{"output":"Käse ✓.mp4"}}';

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));

/** The headers of a request, signed by the library of Standard Webhooks. */
function signed(body: string, { at = NOW, secrets = [SECRET], id = 'msg_1' } = {}): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

const failureOf = (body: string, headers: WebhookHeaders, secret = SECRET): Promise<unknown> =>
  verifyWebhook(body, headers, secret).then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookError ? error.code : error),
  );

test('returns an event that the library of Standard Webhooks signed', async () => {
  expect(await verifyWebhook(BODY, signed(BODY), SECRET)).toEqual(JSON.parse(BODY));
});

test('accepts the headers of fetch, of Node and of frameworks, and a body of bytes', async () => {
  const headers = signed(BODY);
  const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const form of [headers, new Headers(headers), upperCase, { ...headers, 'set-cookie': ['a', 'b'] }])
    expect(await verifyWebhook(new TextEncoder().encode(BODY), form, SECRET)).toEqual(JSON.parse(BODY));
});

test('accepts the old and the new secret while the service rotates it', async () => {
  const headers = signed(BODY, { secrets: [SECRET, OLD_SECRET] });
  for (const secret of [SECRET, OLD_SECRET]) expect(await failureOf(BODY, headers, secret)).toBe('accepted');
  expect(await verifyWebhook(BODY, signed(BODY, { secrets: [OLD_SECRET] }), [SECRET, OLD_SECRET])).toBeDefined();
});

test('rejects a request that another secret signed, or whose body or id was changed', async () => {
  expect(await failureOf(BODY, signed(BODY), OLD_SECRET)).toBe('WRONG_SIGNATURE');
  expect(await failureOf(`${BODY} `, signed(BODY))).toBe('WRONG_SIGNATURE');
  expect(await failureOf(BODY, { ...signed(BODY), 'webhook-id': 'msg_2' })).toBe('WRONG_SIGNATURE');
  expect(await failureOf(BODY, { ...signed(BODY), 'webhook-signature': 'v2,AAAA ?' })).toBe('WRONG_SIGNATURE');
});

test.each([
  [-301, 'TIMESTAMP_OUT_OF_RANGE'],
  [-300, 'accepted'],
  [300, 'accepted'],
  [301, 'TIMESTAMP_OUT_OF_RANGE'],
])('a request that was signed %i seconds from now is: %s', async (seconds, outcome) => {
  expect(await failureOf(BODY, signed(BODY, { at: later(seconds) }))).toBe(outcome);
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('rejects a request without %s', async (name) => {
  expect(await failureOf(BODY, { ...signed(BODY), [name]: undefined })).toBe('MISSING_HEADER');
  expect(await failureOf(BODY, { ...signed(BODY), [name]: ['a', 'b'] })).toBe('MISSING_HEADER');
});

test('reports a signed body that is not JSON, and a malformed secret', async () => {
  expect(await failureOf('<html>', signed('<html>'))).toBe('INVALID_BODY');
  expect(await failureOf(BODY, signed(BODY), 'whsec_not base64!')).toBeInstanceOf(TypeError);
});

test('agrees with the library about requests that were changed anywhere', async () => {
  const library = new Webhook(SECRET);
  const headers = signed(BODY);
  const change = fc.record({
    name: fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'body'),
    at: fc.nat(),
    text: fc.constantFrom('', ' ', '0', '9', 'a', 'v1,', ','),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ name, at, text }) => {
      const parts: Record<string, string> = { ...headers, body: BODY };
      const part = parts[name] ?? '';
      const index = at % part.length;
      const { body = '', ...changed } = { ...parts, [name]: part.slice(0, index) + text + part.slice(index + 1) };
      const accepts = (): boolean => {
        try {
          library.verify(body, changed);
          return true;
        } catch {
          return false;
        }
      };
      expect((await failureOf(body, changed)) === 'accepted').toBe(accepts());
    }),
  );
});
