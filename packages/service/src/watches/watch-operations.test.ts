import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { NO_WATCHED_FILES, type Watch } from '@telecine/contract/domain/watch.ts';
import { httpHint } from '@telecine/contract/wire/hint-text.ts';
import type { NewWatch, WatchDryRunView, WatchChange as WatchSettingsSent } from '@telecine/contract/wire/watch.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import type { WatchChange } from '../jobs/job-changes.ts';
import type { DryRunJobs } from './dry-run-watch.ts';
import type { WatchDeps } from './watch-deps.ts';
import { watchOperations } from './watch-operations.ts';

const AT = '2026-01-31T12:00:00.000Z';

const OF_AMY = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e01';
const OF_BOB = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e02';

const watchOf = (clientId: string): Watch => ({
  ...{
    watchId: clientId === 'amy' ? OF_AMY : OF_BOB,
    clientId,
    folder: 'in/',
    subfolders: true,
    request: { output: 'out/{name}.mp4' },
  },
  ...{ source: 'keep', changed: 'ignore', existing: 'convert', settleSeconds: 10, maxUnfinished: 20 },
  ...{ state: 'ACTIVE', createdAt: AT, changedAt: AT },
});

const callerOf = (clientId: string, scopes: readonly Scope[]): Caller => ({
  ...{ clientId, scopes },
  ...{ root: mediaRoot('/media'), policy: {} },
});

const AMY = callerOf('amy', ['jobs:read', 'jobs:write', 'files:read']);
const ROOT = callerOf('root', ['jobs:read', 'jobs:write', 'files:read', 'admin']);

/** The operations on the watches of amy and bob. bob was revoked. `change`: of the watch of amy. */
function setting(change: Partial<Watch> = {}, list: WatchDeps['folders']['list'] = async () => []) {
  const stored = [{ ...watchOf('amy'), ...change }, watchOf('bob')];
  const added: Watch[] = [];
  const told: WatchChange[] = [];
  const deps = {
    watches: {
      list: async ({ clientId }: { clientId?: string }) =>
        stored.filter((one) => (clientId ?? one.clientId) === one.clientId),
      get: async (watchId: string) => stored.find((one) => one.watchId === watchId),
      counts: async () => NO_WATCHED_FILES,
      add: async (watch: Watch) => added.push(watch) > 0,
      update: async (watchId: string, change: (watch: Watch) => Watch) =>
        stored.filter((one) => one.watchId === watchId).map((one) => added[added.push(change(one)) - 1])[0],
    },
    folders: { list },
    ledger: {
      retry: async () => 0,
      find: async () =>
        new Map([
          ['in/a.mov', { state: 'SUBMITTED' }],
          ['in/own.mp4', { state: 'SKIPPED', skipReason: 'OWN_OUTPUT' }],
        ]),
    },
    onChange: (change: WatchChange) => void told.push(change),
    callerOf: async (clientId: string) => (clientId === 'bob' ? undefined : AMY),
    now: () => new Date(AT),
  } as unknown as WatchDeps;
  const jobs = { dryRun: async () => ({ warnings: [] }), usage: async () => ({ slots: 1 }) } as unknown as DryRunJobs;
  const all = watchOperations(deps, jobs);
  const shared = { query: {}, signal: NEVER, words: httpHint, origin: '', auditRecord: () => ({}) as never };
  const named = (caller: Caller, watchId: string) => ({ ...shared, caller, params: { watchId } });
  const create = (caller: Caller, body: NewWatch, dryRun: boolean) =>
    all.createWatch({
      ...shared,
      caller,
      params: undefined as never,
      body: body as never,
      query: { dryRun: `${dryRun}` } as never,
    });
  const operations = {
    create: (caller: Caller, body: NewWatch) => create(caller, body, false),
    dryRun: async (caller: Caller, body: NewWatch) => (await create(caller, body, true)).body as WatchDryRunView,
    list: async (caller: Caller, client?: string) =>
      (await all.listWatches({ ...named(caller, ''), query: defined({ client }), body: undefined as never })).body
        ?.watches,
    change: async (caller: Caller, watchId: string, body: WatchSettingsSent) =>
      (await all.changeWatch({ ...named(caller, watchId), body: body as never })).body,
    retry: (caller: Caller, watchId: string, body = {}) => all.retryWatchedFiles({ ...named(caller, watchId), body }),
  };
  return { operations, added, told };
}

const { watchId: _, clientId: __, state: ___, createdAt: ____, changedAt: _____, ...settings } = watchOf('amy');
const NEW = { ...settings, folder: 'cards/' } as NewWatch;

test('a client lists its own watches, and an administrator those of all clients', async () => {
  const { operations } = setting();
  const clients = async (caller: Caller, client?: string) =>
    (await operations.list(caller, client))?.map((watch) => watch.client);
  expect(await clients(AMY)).toEqual(['amy']);
  expect(await clients(ROOT)).toEqual(['amy', 'bob']);
  expect(await clients(ROOT, 'bob')).toEqual(['bob']);
  await expect(clients(AMY, 'bob')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

test('the watch of a revoked client can be paused, and another change is a conflict, not a wrong token', async () => {
  const { operations } = setting();
  await expect(operations.change(ROOT, OF_BOB, { name: 'other' })).rejects.toMatchObject({ code: 'CLIENT_REVOKED' });
  expect(await operations.change(ROOT, OF_BOB, { state: 'PAUSED' })).toMatchObject({ state: 'PAUSED' });
});

test('an administrator whose client lacks a scope is told of the client, and not of the own token', async () => {
  const { operations } = setting({ source: { moveTo: 'done/' } });
  const lacking = {
    code: 'CLIENT_LACKS_SCOPE',
    message:
      'A watch that moves or deletes its files needs the scope files:write, which its client "amy" does not have.',
    fix: 'Let the operator give it to the client, or give the watch "source": "keep".',
  };
  const change = (sent: WatchSettingsSent) => operations.change(ROOT, OF_AMY, sent);
  for (const sent of [{ name: 'cards' }, { state: 'ACTIVE' }, { source: 'delete' }] as const)
    await expect(change(sent)).rejects.toMatchObject(lacking);
  await expect(operations.retry(ROOT, OF_AMY)).rejects.toMatchObject(lacking);
  await expect(operations.change(AMY, OF_AMY, { name: 'cards' })).rejects.toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    scopes: ['files:write'],
  });
  expect(await change({ state: 'PAUSED' })).toMatchObject({ state: 'PAUSED' });
  expect(await change({ source: 'keep', state: 'ACTIVE' })).toMatchObject({ source: 'keep' });
});

test('a watch of a revoked client is not resumed or retried by an administrator', async () => {
  const { operations } = setting();
  for (const attempt of [operations.change(ROOT, OF_BOB, { state: 'ACTIVE' }), operations.retry(ROOT, OF_BOB)])
    await expect(attempt).rejects.toMatchObject({ code: 'CLIENT_REVOKED' });
});

test('a request that is sent as its watch is shown keeps the callback, whose query is hidden', async () => {
  const callbackUrl = 'https://shop.example/hook?token=s3cret';
  const { operations, added } = setting({ request: { output: 'out/{name}.mp4', callbackUrl } });
  const change = async (sent: string) => {
    await operations.change(AMY, OF_AMY, { request: { output: 'out/{name}.mkv', callbackUrl: sent } });
    return added.at(-1)?.request;
  };
  expect(await change('https://shop.example/hook?(hidden)')).toEqual({ output: 'out/{name}.mkv', callbackUrl });
  expect(await change('https://shop.example/other')).toMatchObject({ callbackUrl: 'https://shop.example/other' });
  expect(await change('https://other.example/hook?(hidden)')).not.toMatchObject({ callbackUrl });
});

test('a folder is the same with and without a slash at its end', async () => {
  const { operations, added } = setting();
  await operations.create(AMY, { ...NEW, folder: 'cards' });
  await operations.create(AMY, { ...NEW, folder: '/', request: { output: 'out/{name}.mp4' }, patterns: ['*.mov'] });
  expect(added.map(({ folder }) => folder)).toEqual(['cards/', '']);
});

test.each(['s3://', 's3://raw', 's3://raw/', 's3:///x', 's3://raw/../x', '../in/'])(
  'a folder that no client can watch is rejected as such: %s',
  async (folder) => {
    const { operations, added } = setting();
    for (const make of [operations.create, operations.dryRun])
      await expect(make(AMY, { ...NEW, folder })).rejects.toMatchObject({ errors: [{ field: '/folder' }] });
    expect(added).toEqual([]);
  },
);

test('a dry run warns of another watch of the folder that may take the same files', async () => {
  const { operations } = setting();
  const warnings = async (change: Partial<NewWatch>) =>
    (await operations.dryRun(AMY, { ...NEW, folder: 'in/', ...change })).warnings;
  expect(await warnings({})).toEqual([
    expect.stringContaining('Your watch "0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e01" has the same folder'),
  ]);
  expect(await warnings({ patterns: ['*.mov'] })).toHaveLength(1);
  expect(await warnings({ folder: 'other/' })).toEqual([]);
});

test('a client has two dry runs at a time, and all clients eight', async () => {
  const end = Promise.withResolvers<void>();
  const { operations } = setting({}, async () => {
    await end.promise;
    return [];
  });
  const clients = ['amy', 'bob', 'eve', 'joe'].map((clientId) => callerOf(clientId, AMY.scopes));
  const runs = [...clients, ...clients.slice(1)].map((caller) => operations.dryRun(caller, NEW));
  runs.push(operations.dryRun(AMY, NEW));
  await expect(operations.dryRun(AMY, NEW)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const late = callerOf('zoe', AMY.scopes);
  await expect(operations.dryRun(late, NEW)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  end.resolve();
  await Promise.all(runs);
  expect(await operations.dryRun(late, NEW)).toMatchObject({ files: 0 });
});

test('dry runs that fail leave room for others', async () => {
  let isBroken = true;
  const { operations } = setting({}, async () => {
    if (isBroken) throw new Problem('FOLDER_UNREACHABLE', 'It cannot be read.');
    return [];
  });
  for (let count = 0; count < 9; count += 1)
    await expect(operations.dryRun(AMY, NEW)).rejects.toMatchObject({ code: 'FOLDER_UNREACHABLE' });
  isBroken = false;
  expect(await operations.dryRun(AMY, NEW)).toMatchObject({ files: 0 });
});

test('the request of a watch has at most 64 KB, also after a change', async () => {
  const { operations, added } = setting();
  const empty = { output: 'out/{name}.mp4', parameters: { 'filter:v': '' } };
  const requestOf = (bytes: number) => ({
    ...empty,
    parameters: { 'filter:v': 'x'.repeat(bytes - JSON.stringify(empty).length) },
  });
  await operations.create(AMY, { ...NEW, request: requestOf(65_536) });
  const tooLong = { errors: [{ field: '/request', code: 'TOO_LONG' }] };
  const request = requestOf(65_537);
  await expect(operations.create(AMY, { ...NEW, request })).rejects.toMatchObject(tooLong);
  await expect(operations.dryRun(AMY, { ...NEW, request })).rejects.toMatchObject(tooLong);
  await expect(operations.change(AMY, OF_AMY, { request })).rejects.toMatchObject(tooLong);
  expect(added).toHaveLength(1);
});

test('a change checks what it changes, and not what was checked when it was sent', async () => {
  const text = 'x'.repeat(65_536);
  const { operations } = setting({
    folder: 's3://revoked/in/',
    request: { output: '{name}.mp4', parameters: { text } },
  });
  expect(await operations.change(AMY, OF_AMY, { name: 'cards' })).toMatchObject({ name: 'cards' });
  expect(await operations.change(AMY, OF_AMY, { subfolders: false })).toMatchObject({ subfolders: false });
  await expect(operations.change(AMY, OF_AMY, { source: { moveTo: '../done/' } })).rejects.toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
  });
  const writer = callerOf('amy', [...AMY.scopes, 'files:write']);
  await expect(operations.change(writer, OF_AMY, { source: { moveTo: '../done/' } })).rejects.toMatchObject({
    errors: [{ field: '/source/moveTo' }],
  });
});

test('a change of subfolders is checked against the folder to which files are moved', async () => {
  const { operations } = setting({ source: { moveTo: 'in/done/' }, subfolders: false });
  const writer = callerOf('amy', [...AMY.scopes, 'files:write']);
  await expect(operations.change(writer, OF_AMY, { subfolders: true })).rejects.toMatchObject({
    errors: [{ field: '/source/moveTo', code: 'CIRCLE' }],
  });
});

test('a retry of nothing says why', async () => {
  const { operations } = setting();
  const reason = async (paths?: readonly string[]) => (await operations.retry(AMY, OF_AMY, paths && { paths })).body;
  expect(await reason()).toEqual({
    files: 0,
    reason: 'No file needs attention. Send "paths" to convert others again.',
  });
  expect(await reason(['in/a.mov', 'in/own.mp4', 'in/x.mov', 'in/y.mov'])).toEqual({
    files: 0,
    reason:
      '"in/a.mov" is SUBMITTED, "in/own.mp4" is OWN_OUTPUT, "in/x.mov" is unknown to the watch: only files that are CONVERTED, FAILED, NEEDS_ATTENTION or SKIPPED by EXISTED or GONE are converted again. The other paths are not either.',
  });
});

test('a client without a scope is told which one a watch needs, and what needs it less', async () => {
  const { operations } = setting();
  await expect(operations.create(callerOf('amy', ['files:read']), NEW)).rejects.toMatchObject({
    message: 'A watch needs the scope jobs:write, which its client "amy" does not have.',
  });
  await expect(operations.create(AMY, { ...NEW, source: 'delete' })).rejects.toMatchObject({
    scopes: ['files:write'],
    fix: expect.stringContaining('"source": "keep"'),
  });
});

test('all services are told of a change by a client', async () => {
  const { operations, told } = setting();
  await operations.change(AMY, OF_AMY, { state: 'ACTIVE' });
  expect(told).toEqual([{ watchId: OF_AMY, clientId: 'amy', isByClient: true }]);
});
