import { expect, test } from 'vitest';
import type { Watch } from '../../packages/contract/src/domain/watch.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { fakeWatches } from '../support/http-fakes.ts';

const AT = '2026-01-31T12:00:00.000Z';
const SECRET = `tcn_${'x'.repeat(43)}`;
const WATCH: Watch = {
  ...{ watchId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16', clientId: 'alice', folder: 'in/', subfolders: true },
  ...{ request: { output: 'out/{name}.mp4' }, source: 'keep', changed: 'ignore', existing: 'convert' },
  ...{ settleSeconds: 10, maxUnfinished: 20, state: 'ACTIVE', createdAt: AT, changedAt: AT },
};
const COUNTS = { READY: 0, SUBMITTED: 0, CONVERTED: 0, FAILED: 0, NEEDS_ATTENTION: 0, SKIPPED: 0 };

/** A watch with a notification URL. `bodies`: the notifications for it. */
function notified() {
  const bodies: unknown[] = [];
  const watches = fakeWatches({
    change: async () => ({
      watch: { ...WATCH, hasNotificationUrl: true },
      counts: COUNTS,
      notificationSecret: SECRET,
    }),
    notify: async (_watch, body) => void bodies.push(body),
  });
  const { findNotified } = watches;
  const { inject, lines, audited } = httpApp({
    watches: { ...watches, findNotified: async (secret) => (secret === SECRET ? WATCH : findNotified(secret)) },
  });
  const send = (payload: object, secret = SECRET) =>
    inject({ method: 'POST', url: `/api/watch-notifications/${secret}`, payload });
  return { bodies, lines, audited, inject, send };
}

test('a bucket notifies a watch without a token, in the form of S3 and in that of EventBridge', async () => {
  const { send, bodies } = notified();
  const records = { EventName: 's3:ObjectCreated:Put', Records: [{ s3: { object: { key: 'in/a.mov' } } }] };
  const event = { 'detail-type': 'Object Created', detail: { bucket: {}, object: { key: 'in/b.mov', size: 1 } } };
  for (const body of [records, event]) expect((await send(body)).statusCode).toBe(202);
  expect(bodies).toEqual([records, event]);
});

test.each([{}, { Records: [{}] }, { detail: { object: {} } }, { Type: 'SubscriptionConfirmation' }])(
  'a notification that names no object is rejected: %j',
  async (body) => {
    const { send, bodies } = notified();
    const reply = await send(body);
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'INVALID_REQUEST']);
    expect(bodies).toEqual([]);
  },
);

test('the secret of a notification URL is shown once, and is in no log', async () => {
  const { inject, send, lines, audited } = notified();
  const url = `/api/watches/${WATCH.watchId}`;
  const changed = await inject({ method: 'PATCH', url, headers: BEARER, payload: { notificationUrl: 'new' } });
  expect(changed.json()).toMatchObject({
    notificationUrl: `/api/watch-notifications/${SECRET}`,
    hasNotificationUrl: true,
  });
  await send({});
  await send({ Records: [] });
  const wrong = await send({ Records: [] }, `tcn_${'y'.repeat(43)}`);
  expect([wrong.statusCode, wrong.json().code]).toEqual([403, 'INVALID_LINK']);
  expect(lines.filter(({ fields }) => fields['path'] === '/api/watch-notifications/(hidden)')).toHaveLength(3);
  expect(JSON.stringify([lines, audited])).not.toMatch(/tcn_/);
});
