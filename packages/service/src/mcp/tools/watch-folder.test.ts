import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import { operationsOn } from '../../../../../test/support/watch-operations.ts';
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
  watches = operationsOn(WATCH),
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
  const folders = { list: async () => [{ path: 'in/a.mov' as MediaPath, bytes: 5, version: 'v' }] };
  const args = { action: 'create', ...NEW, dryRun: true };
  const { answer, audited } = await call(args, operationsOn(WATCH, { folders }));
  expect(answer).toMatchObject({
    structured: { files: 1, examined: 1, examples: [{ path: 'in/a.mov', outputs: ['out/a.mp4'] }] },
  });
  expect(audited).toEqual([]);
});

test('a watch is made with the defaults of the API, is recorded, and names the model', async () => {
  const made: Watch[] = [];
  const watches = operationsOn(WATCH, { onAdd: (watch) => made.push(watch) });
  const { answer, audited } = await call({ action: 'create', ...NEW, patterns: ['*.mov'] }, watches);
  expect(made).toMatchObject([{ folder: 'in/', patterns: ['*.mov'], subfolders: true, request: { llmId: 'model' } }]);
  const target = made[0]?.watchId;
  expect(answer).toMatchObject({ structured: { watchId: target, state: 'ACTIVE' } });
  expect(audited).toEqual([['watch.create', { target, details: { folder: 'in/' } }]]);
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
  const files = [file('in/a.mov'), file('in/b.mov')];
  const watches = operationsOn(WATCH, { counts: { NEEDS_ATTENTION: 2, CONVERTED: 3 }, files });
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
  const files = [{ path: 'in/a.mov', failure: { code: 'INPUT_INVALID', message: 'No.' } } as unknown as WatchedFile];
  const watches = operationsOn(watch, { counts: { NEEDS_ATTENTION: 300 }, files });
  const { answer } = await call({ action: 'get', watchId: ID }, watches);
  expect(answer).toMatchObject({
    structured: {
      ...{ request: { output: 'out/{name}.mp4' }, patterns: ['*.mov'] },
      stopped: { code: 'INSUFFICIENT_SCOPE' },
      failures: [{ code: 'INPUT_INVALID', files: 1, paths: ['in/a.mov'] }],
      failuresOf: 'These are the first 1 of 300 files that need attention.',
    },
  });
  const listed = await call({ action: 'list' }, watches);
  expect(listed.answer).toMatchObject({ structured: { watches: [{ stopped: { code: 'INSUFFICIENT_SCOPE' } }] } });
});

test('a call that mixes actions is rejected, and does nothing', async () => {
  const errorsOf = async (args: Record<string, unknown>) => {
    const { answer } = await call(args);
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
    const { answer, audited } = await call({ action, watchId: ID, dryRun: true });
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
  const { answer } = await call({ action: 'delete', watchId: ID, paths: ['in/a.mov'] });
  expect(answer).toMatchObject({ error: { errors: [{ code: 'CONFLICT', field: '/paths' }] } });
});

test('a change sets only what was sent, and is recorded', async () => {
  const watches = operationsOn({ ...WATCH, name: 'cards' });
  const { answer, audited } = await call({ action: 'change', watchId: ID, patterns: ['*.mov'] }, watches);
  expect(answer).toMatchObject({ structured: { watchId: ID, name: 'cards', patterns: ['*.mov'] } });
  expect(audited).toEqual([['watch.change', { target: ID, details: { changed: ['patterns'], state: 'ACTIVE' } }]]);
});

test('a client that only reads may see its watches, and not pause them', async () => {
  const seen = await call({ action: 'list' }, undefined, ['jobs:read']);
  expect(seen.answer).toMatchObject({ structured: { watches: [{ watchId: ID, state: 'ACTIVE' }] } });
  expect(seen.answer).not.toHaveProperty('structured.watches.0.request');
  const paused = await call({ action: 'change', watchId: ID, state: 'PAUSED' }, undefined, ['jobs:read']);
  expect(paused.answer).toMatchObject({ error: { code: 'INSUFFICIENT_SCOPE' } });
  expect(paused.audited).toEqual([['watch.change', { refused: 'INSUFFICIENT_SCOPE' }]]);
});

test.each([
  [false, [['watch.create', { refused: 'INSUFFICIENT_SCOPE' }]]],
  [true, []],
])('that a client may not make a watch is recorded, unless it is a dry run: %s', async (dryRun, records) => {
  const { answer, audited } = await call({ action: 'create', folder: 'in', dryRun }, undefined, ['jobs:read']);
  expect(answer).toMatchObject({ error: { code: 'INSUFFICIENT_SCOPE' } });
  expect(audited).toEqual(records);
});
