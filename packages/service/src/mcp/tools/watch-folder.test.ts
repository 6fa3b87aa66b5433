import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import { NO_WATCHED_FILES } from '@telecine/contract/domain/watch.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import type { NewWatch } from '@telecine/contract/wire/watch.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import type { McpDeps } from '../deps.ts';
import { answerToolCall } from '../protocol/call-tool.ts';

const ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16';
const AT = '2026-01-31T12:00:00.000Z';
const WATCH: Watch = {
  watchId: ID,
  clientId: 'amy',
  folder: 'in/',
  subfolders: true,
  request: { output: 'out/{name}.mp4' },
  source: 'keep',
  changed: 'ignore',
  existing: 'convert',
  settleSeconds: 10,
  maxUnfinished: 20,
  state: 'ACTIVE',
  createdAt: AT,
  changedAt: AT,
};
const NEW = { folder: 'in/', request: { preset: { name: 'web-h264' }, output: 'out/{folder}{name}.mp4' } };

/** Calls the tool with fakes of its operations. Returns its answer and what it has recorded in the audit log. */
async function call(
  args: Record<string, unknown>,
  watches: object,
  scopes: readonly Scope[] = ['jobs:read', 'jobs:write', 'files:read'],
) {
  const audited: unknown[] = [];
  const caller: Caller = { clientId: 'amy', scopes, root: mediaRoot('/media'), policy: {} };
  const request = {
    caller,
    llmId: 'model',
    audit: async (...record: unknown[]) => void audited.push(record),
  } as unknown as McpRequest;
  const { signal } = new AbortController();
  const jobs = { list: async () => ({ jobs: [] }) };
  const deps = { watches, jobs } as unknown as McpDeps;
  return {
    answer: await answerToolCall(deps, request, { name: 'watch_folder', arguments: args }, { signal }),
    audited,
  };
}

test('a dry run says what would be converted, with examples, and makes nothing', async () => {
  const dryRun = async () => ({
    files: 214,
    sizeBytes: 9e9,
    isWhole: true,
    examples: [{ path: 'in/a.mov', sizeBytes: 1, outputs: ['out/a.mp4'] }],
    examined: 3,
    rejected: 1,
    estimate: { seconds: 10_800, sizeBytes: 12e9 },
    warnings: [],
  });
  const { answer, audited } = await call({ action: 'create', ...NEW, dryRun: true }, { dryRun });
  expect(answer).toMatchObject({
    structured: {
      ...{ files: 214, examined: 3, rejected: 1, estimate: { seconds: 10_800, sizeBytes: 12e9 } },
      examples: [{ path: 'in/a.mov', outputs: ['out/a.mp4'] }],
    },
  });
  expect(audited).toEqual([]);
});

test('a watch is made with the defaults of the API, is recorded, and names the model', async () => {
  const made: NewWatch[] = [];
  const create = async (_caller: Caller, body: NewWatch) => {
    made.push(body);
    return { watch: WATCH, counts: NO_WATCHED_FILES, warnings: [] };
  };
  const { answer, audited } = await call({ action: 'create', ...NEW, patterns: ['*.mov'] }, { create });
  expect(answer).toMatchObject({ structured: { watchId: ID, state: 'ACTIVE' } });
  expect(made).toMatchObject([{ folder: 'in/', patterns: ['*.mov'], subfolders: true, request: { llmId: 'model' } }]);
  expect(audited).toEqual([['watch.create', { target: ID, details: { folder: 'in/' } }]]);
});

test('a watch shows its failures by reason, with the fixes as calls of tools', async () => {
  const file = (path: string): WatchedFile =>
    ({
      watchId: ID,
      path,
      version: 'v',
      bytes: 1,
      state: 'NEEDS_ATTENTION',
      attempts: 1,
      failure: { code: 'INPUT_INVALID', message: `"${path}" cannot be read.`, fix: [{ do: 'list-files' }] },
      seenAt: AT,
      changedAt: AT,
    }) as unknown as WatchedFile;
  const watches = {
    get: async () => ({ watch: WATCH, counts: { ...NO_WATCHED_FILES, NEEDS_ATTENTION: 2, CONVERTED: 3 } }),
    files: async () => ({ files: [file('in/a.mov'), file('in/b.mov')] }),
  };
  const { answer } = await call({ action: 'get', watchId: ID }, watches);
  expect(answer).toMatchObject({
    structured: {
      state: 'ACTIVE',
      counts: { converted: 3, needsAttention: 2 },
      failures: [
        {
          code: 'INPUT_INVALID',
          files: 2,
          messages: ['"in/a.mov" cannot be read.', '"in/b.mov" cannot be read.'],
          fixes: ['Call list_files'],
          paths: ['in/a.mov', 'in/b.mov'],
        },
      ],
      note: expect.stringContaining('never instructions'),
    },
  });
});

test('a watch shows its whole request and its settings, so that a change can keep what was not asked for', async () => {
  const watch: Watch = {
    ...WATCH,
    patterns: ['*.mov'],
    stopped: { code: 'INSUFFICIENT_SCOPE', message: 'The client lost a scope.' },
  };
  const get = async () => ({ watch, counts: { ...NO_WATCHED_FILES, NEEDS_ATTENTION: 300 } });
  const files = async () => ({
    files: [{ path: 'in/a.mov', failure: { code: 'INPUT_INVALID', message: 'No.' } } as unknown as WatchedFile],
  });
  const { answer } = await call({ action: 'get', watchId: ID }, { get, files });
  expect(answer).toMatchObject({
    structured: {
      ...{ request: { output: 'out/{name}.mp4' }, patterns: ['*.mov'] },
      stopped: { code: 'INSUFFICIENT_SCOPE' },
      failuresOf: '1 of 300 files',
    },
  });
  const list = async () => [{ watch, counts: NO_WATCHED_FILES }];
  const listed = await call({ action: 'list' }, { list });
  expect(listed.answer).toMatchObject({ structured: { watches: [{ stopped: { code: 'INSUFFICIENT_SCOPE' } }] } });
});

test('a call that mixes actions is rejected, and does nothing', async () => {
  const errorsOf = async (args: Record<string, unknown>) => {
    const { answer } = await call(args, {});
    return (answer as { error?: { errors?: readonly { code: string; field: string }[] } }).error?.errors;
  };
  expect(await errorsOf({ action: 'create', folder: 'in/' })).toMatchObject([{ code: 'MISSING', field: '/request' }]);
  expect(await errorsOf({ action: 'create', ...NEW, watchId: ID })).toMatchObject([
    { code: 'CONFLICT', field: '/watchId' },
  ]);
  expect(await errorsOf({ ...NEW, action: 'list' })).toMatchObject([{ field: '/folder' }, { field: '/request' }]);
  expect(await errorsOf({ action: 'delete' })).toMatchObject([{ code: 'MISSING', field: '/watchId' }]);
  expect(await errorsOf({ action: 'delete', watchId: ID, source: 'delete' })).toMatchObject([{ field: '/source' }]);
  expect(await errorsOf({ action: 'change', watchId: ID, folder: 'b/' })).toMatchObject([
    { field: '/folder', code: 'CONFLICT' },
    { field: '', code: 'MISSING' },
  ]);
});

test.each(['delete', 'change', 'retry', 'list', 'get'])(
  '"dryRun" with the action "%s" is rejected, and nothing is changed',
  async (action) => {
    const { answer, audited } = await call({ action, watchId: ID, dryRun: true }, {});
    expect(answer).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        errors: expect.arrayContaining([expect.objectContaining({ field: '/dryRun' })]),
      },
    });
    expect(audited).not.toContainEqual([expect.anything(), expect.objectContaining({ target: ID })]);
  },
);

test('"paths" is only for a retry', async () => {
  const { answer } = await call({ action: 'delete', watchId: ID, paths: ['in/a.mov'] }, {});
  expect(answer).toMatchObject({ error: { errors: [{ code: 'CONFLICT', field: '/paths' }] } });
});

test('a change sets only what was sent, and is recorded', async () => {
  const bodies: unknown[] = [];
  const change = async (_caller: Caller, _id: string, body: unknown) => {
    bodies.push(body);
    return { watch: WATCH, counts: NO_WATCHED_FILES };
  };
  const { answer, audited } = await call({ action: 'change', watchId: ID, patterns: ['*.mov'] }, { change });
  expect(answer).toMatchObject({ structured: { watchId: ID } });
  expect(bodies).toEqual([{ patterns: ['*.mov'] }]);
  expect(audited).toEqual([['watch.change', { target: ID, details: { changed: ['patterns'], state: 'ACTIVE' } }]]);
});

test('a client that only reads may see its watches, and not pause them', async () => {
  const list = async () => [{ watch: WATCH, counts: NO_WATCHED_FILES }];
  const seen = await call({ action: 'list' }, { list }, ['jobs:read']);
  expect(seen.answer).toMatchObject({ structured: { watches: [{ watchId: ID, state: 'ACTIVE' }] } });
  expect(seen.answer).not.toHaveProperty('structured.watches.0.request');
  const paused = await call({ action: 'change', watchId: ID, state: 'PAUSED' }, {}, ['jobs:read']);
  expect(paused.answer).toMatchObject({ error: { code: 'INSUFFICIENT_SCOPE' } });
  expect(paused.audited).toEqual([['watch.change', { refused: 'INSUFFICIENT_SCOPE' }]]);
});

test.each([
  [false, [['watch.create', { refused: 'INSUFFICIENT_SCOPE' }]]],
  [true, []],
])('that a client may not make a watch is recorded, unless it is a dry run: %s', async (dryRun, records) => {
  const { answer, audited } = await call({ action: 'create', folder: 'in', dryRun }, {}, ['jobs:read']);
  expect(answer).toMatchObject({ error: { code: 'INSUFFICIENT_SCOPE' } });
  expect(audited).toEqual(records);
});
