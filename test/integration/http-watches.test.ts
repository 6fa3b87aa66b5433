import { expect, test } from 'vitest';
import type { Watch } from '../../packages/contract/src/domain/watch.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { operationsOn } from '../support/watch-operations.ts';

const AT = '2026-01-31T12:00:00.000Z';
const WATCH: Watch = {
  ...{ watchId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16', clientId: 'alice', folder: 'in/', subfolders: true },
  ...{ request: { output: 'out/{name}.mp4' }, source: 'keep', changed: 'ignore', existing: 'convert' },
  ...{ settleSeconds: 10, maxUnfinished: 20, state: 'ACTIVE', createdAt: AT, changedAt: AT },
};

test('records each action on a watch in the audit log, with who did it and from where', async () => {
  const made: string[] = [];
  const { inject, audited } = httpApp({ watches: operationsOn(WATCH, { onAdd: ({ watchId }) => made.push(watchId) }) });
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
  expect(audited).toEqual([]);
  requestIds.length = 0;
  await send('POST', '/api/watches', { folder, request });
  await send('PATCH', url, { name: 'incoming', settleSeconds: 5 });
  for (const state of ['PAUSED', 'ACTIVE']) await send('PATCH', url, { state });
  await send('POST', `${url}/retry`, {});
  await send('DELETE', url);
  const of = { outcome: 'done', via: 'rest', clientId: 'alice', target: WATCH.watchId, address: '203.0.113.7' };
  const stateChange = (state: string) => ({ ...of, action: 'watch.change', details: { changed: ['state'], state } });
  expect(audited).toEqual(
    [
      { ...of, target: made[0], action: 'watch.create', details: { folder } },
      { ...of, action: 'watch.change', details: { changed: ['name', 'settleSeconds'], state: 'ACTIVE' } },
      ...['PAUSED', 'ACTIVE'].map(stateChange),
      { ...of, action: 'watch.retry', details: { files: 3 } },
      { ...of, action: 'watch.delete', details: { folder } },
    ].map((event, index) => ({ ...event, requestId: requestIds[index] })),
  );
});

test('records no dry run, also if it is refused or fails', async () => {
  const broke = (): never => {
    throw new Error('The disk is broken.');
  };
  const fail = async (): Promise<never> => broke();
  const broken = { folders: { list: fail }, onAdd: broke, ledger: { retry: fail } };
  const { inject, audited } = httpApp({ watches: operationsOn(WATCH, broken) });
  const { folder, request } = WATCH;
  const send = async (url: string, payload: object, headers: { authorization: string } = BEARER) =>
    (await inject({ method: 'POST', url, headers, payload })).statusCode;
  const create = '/api/watches';
  const readOnly = { authorization: 'Bearer only-jobs:read' };
  expect(await send(`${create}?dryRun=true`, { folder, request }, readOnly)).toBe(403);
  expect(await send(`${create}?dryRun=true`, { folder, request })).toBe(500);
  expect(audited).toEqual([]);
  expect(await send(`${create}?dryRun=false`, { folder, request }, readOnly)).toBe(403);
  expect(await send(create, { folder, request })).toBe(500);
  expect(await send(`${create}/${WATCH.watchId}/retry`, {})).toBe(500);
  expect(audited).toMatchObject([
    { action: 'watch.create', outcome: 'refused', code: 'INSUFFICIENT_SCOPE' },
    { action: 'watch.create', outcome: 'failed', code: 'INTERNAL' },
    { action: 'watch.retry', outcome: 'failed', code: 'INTERNAL', target: WATCH.watchId },
  ]);
});

test('records that a client without the scope may not change a watch', async () => {
  const { inject, audited } = httpApp();
  const url = `/api/watches/${WATCH.watchId}`;
  const headers = { authorization: 'Bearer only-jobs:read' };
  await inject({ method: 'DELETE', url, headers });
  await inject({ method: 'POST', url: `${url}/retry`, headers, payload: {} });
  const of = { outcome: 'refused', code: 'INSUFFICIENT_SCOPE', target: WATCH.watchId };
  expect(audited).toMatchObject([
    { ...of, action: 'watch.delete' },
    { ...of, action: 'watch.retry' },
  ]);
});

test('a member that no watch has is rejected: hours, notifications, and events of a bucket', async () => {
  const { inject } = httpApp();
  const url = `/api/watches/${WATCH.watchId}`;
  const { folder, request } = WATCH;
  for (const [method, path, payload] of [
    ['POST', '/api/watches', { folder, request, activeHours: [{ from: '22:00', to: '06:00' }], timeZone: 'UTC' }],
    ['PATCH', url, { notificationUrl: 'new' }],
    ['POST', `${url}/retry`, { Records: [{ s3: { object: { key: 'in/a.mov' } } }] }],
  ] as const) {
    const reply = await inject({ method, url: path, headers: BEARER, payload });
    expect([path, reply.statusCode, reply.json().errors[0].code]).toEqual([path, 400, 'UNKNOWN_FIELD']);
  }
});
