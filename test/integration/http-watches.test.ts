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

test('records each action on a watch in the audit log, with who did it and from where', async () => {
  const counted = { watch: WATCH, counts: COUNTS };
  const { inject, audited } = httpApp({
    watches: fakeWatches({
      create: async () => ({ ...counted, warnings: [] }),
      dryRun: async () => ({
        files: 1,
        sizeBytes: 1,
        isWhole: true,
        examples: [],
        examined: 0,
        rejected: 0,
        warnings: [],
      }),
      change: async (_caller, _id, { state = WATCH.state }) => ({ ...counted, watch: { ...WATCH, state } }),
      retry: async () => 3,
      scan: async () => {},
      remove: async () => WATCH,
    }),
  });
  const url = `/api/watches/${WATCH.watchId}`;
  const requestIds: unknown[] = [];
  const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object): Promise<void> => {
    const reply = await inject({
      ...{ method, url: path, headers: BEARER, remoteAddress: '203.0.113.7' },
      ...(payload && { payload }),
    });
    expect([path, reply.statusCode < 300]).toEqual([path, true]);
    requestIds.push(reply.headers['x-request-id']);
  };
  const { folder, request } = WATCH;
  await send('POST', '/api/watches?dryRun=true', { folder, request });
  await send('POST', `${url}/scan`, { Records: [{ s3: { object: { key: 'in/a.mov' } } }] });
  expect(audited).toEqual([]);
  requestIds.length = 0;
  await send('POST', '/api/watches', { folder, request });
  await send('PATCH', url, { name: 'incoming', settleSeconds: 5 });
  for (const state of ['PAUSED', 'ACTIVE', 'DRAINING']) await send('PATCH', url, { state });
  await send('POST', `${url}/scan`, {});
  await send('POST', `${url}/retry`, {});
  await send('DELETE', url);
  const of = { outcome: 'done', via: 'rest', clientId: 'alice', target: WATCH.watchId, address: '203.0.113.7' };
  const stateChange = (state: string) => ({ ...of, action: 'watch.change', details: { changed: ['state'], state } });
  expect(audited).toEqual(
    [
      { ...of, action: 'watch.create', details: { folder } },
      { ...of, action: 'watch.change', details: { changed: ['name', 'settleSeconds'], state: 'ACTIVE' } },
      ...['PAUSED', 'ACTIVE', 'DRAINING'].map(stateChange),
      { ...of, action: 'watch.scan' },
      { ...of, action: 'watch.retry', details: { files: 3 } },
      { ...of, action: 'watch.delete', details: { folder } },
    ].map((event, index) => ({ ...event, requestId: requestIds[index] })),
  );
});

test('records no dry run and no event of a bucket, also if it is refused or fails', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('The disk is broken.');
  };
  const { inject, audited } = httpApp({ watches: fakeWatches({ dryRun: fail, create: fail, scan: fail }) });
  const { folder, request } = WATCH;
  const send = async (url: string, payload: object, headers: { authorization: string } = BEARER) =>
    (await inject({ method: 'POST', url, headers, payload })).statusCode;
  const create = '/api/watches';
  const readOnly = { authorization: 'Bearer only-jobs:read' };
  expect(await send(`${create}?dryRun=true`, { folder, request }, readOnly)).toBe(403);
  expect(await send(`${create}?dryRun=true`, { folder, request })).toBe(500);
  const event = { Records: [{ s3: { object: { key: 'in/a.mov' } } }] };
  expect(await send(`${create}/${WATCH.watchId}/scan`, event)).toBe(500);
  expect(audited).toEqual([]);
  expect(await send(`${create}?dryRun=false`, { folder, request }, readOnly)).toBe(403);
  expect(await send(create, { folder, request })).toBe(500);
  expect(await send(`${create}/${WATCH.watchId}/scan`, {})).toBe(500);
  expect(audited).toMatchObject([
    { action: 'watch.create', outcome: 'refused', code: 'INSUFFICIENT_SCOPE' },
    { action: 'watch.create', outcome: 'failed', code: 'INTERNAL' },
    { action: 'watch.scan', outcome: 'failed', code: 'INTERNAL', target: WATCH.watchId },
  ]);
});

test('records that a client without the scope may not change a watch', async () => {
  const { inject, audited } = httpApp();
  const url = `/api/watches/${WATCH.watchId}`;
  const headers = { authorization: 'Bearer only-jobs:read' };
  await inject({ method: 'DELETE', url, headers });
  await inject({ method: 'POST', url: `${url}/scan`, headers, payload: {} });
  const of = { outcome: 'refused', code: 'INSUFFICIENT_SCOPE', target: WATCH.watchId };
  expect(audited).toMatchObject([
    { ...of, action: 'watch.delete' },
    { ...of, action: 'watch.scan' },
  ]);
});
