import { afterAll, beforeAll, beforeEach, expect, type Mock, test, vi } from 'vitest';
import type { Caller } from '../../packages/contract/src/domain/client.ts';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { probingPlanner } from '../../packages/service/src/jobs/submit/probed-plans.ts';
import { mediaRoot } from '../support/media-root.ts';
import { CATALOGUE, ON_THE_LOOP } from '../support/planning.ts';
import { UNCOUNTED } from '../support/uncounted-files.ts';

const MEDIA_PATH = '../../packages/contract/src/domain/media-path.ts';

let planners: typeof import('../../packages/service/src/jobs/ffmpeg/conversions.ts')['planners'];
let submitJob: typeof import('../../packages/service/src/jobs/submit/submit.ts')['submitJob'];
let dryRunRequest: typeof import('../../packages/service/src/jobs/submit/dry-run.ts')['dryRunRequest'];
let parseMediaPath: Mock<(text: string) => unknown>;

beforeAll(async () => {
  // Other test files of this run share the loaded modules, so load them again with a spy.
  vi.resetModules();
  vi.doMock(MEDIA_PATH, { spy: true });
  ({ planners } = await import('../../packages/service/src/jobs/ffmpeg/conversions.ts'));
  ({ submitJob } = await import('../../packages/service/src/jobs/submit/submit.ts'));
  ({ dryRunRequest } = await import('../../packages/service/src/jobs/submit/dry-run.ts'));
  ({ parseMediaPath } = await import(MEDIA_PATH));
}, 30_000);

beforeEach(() => void parseMediaPath.mockClear());

afterAll(() => {
  vi.doUnmock(MEDIA_PATH);
  vi.resetModules();
});

const request: ConversionRequest = { input: 'a.mov', output: 'b.mp4', parameters: { 'c:v': 'libx264', crf: '23' } };
const caller: Caller = { clientId: 'amy', scopes: [], root: mediaRoot('/media'), policy: {} };

function fakeDeps() {
  const statPaths = vi.fn(async (_root: unknown, paths: readonly unknown[]) =>
    // The input must exist: for a missing input, the service also looks up other spellings.
    paths.map((path) =>
      path === 'a.mov' ? ({ kind: 'file', fileId: '1:1', fingerprint: '1' } as const) : ({ kind: 'missing' } as const),
    ),
  );
  return {
    ...planners(async () => ({ recent: [CATALOGUE], away: [] }), ON_THE_LOOP),
    media: { statPaths },
    idempotency: { find: async () => undefined },
    jobs: { get: async () => undefined, getMany: async () => [] },
    insertJob: async () => ({ earlier: undefined }),
    usage: { ofDay: async () => ({ jobs: 0, mediaSeconds: 0 }) },
    stored: UNCOUNTED,
    now: () => new Date(),
    changes: { publish: () => {} },
  };
}

const parsedPaths = (): string[] => parseMediaPath.mock.calls.map(([text]) => text).sort();

/** Runs `act`, and counts how often it serialises the request or its options. */
async function countSerialised(act: () => Promise<unknown>): Promise<number> {
  const stringify = vi.spyOn(JSON, 'stringify');
  await act();
  const { calls } = stringify.mock;
  stringify.mockRestore();
  const hasOptions = (value: unknown): boolean =>
    value === request.parameters || (typeof value === 'object' && value !== null && 'parameters' in value);
  return calls.filter(([value]) => hasOptions(value)).length;
}

test('a submission of a known shape parses each path once, stats once and serialises for the cache and the store', async () => {
  const deps = fakeDeps();
  const submit = () => submitJob({ ...deps, planner: deps.submissionPlanner }, caller, request);
  await submit();
  parseMediaPath.mockClear();
  deps.media.statPaths.mockClear();
  expect(await countSerialised(submit)).toBe(2);
  expect(parsedPaths()).toEqual(['a.mov', 'b.mp4']);
  expect(deps.media.statPaths).toHaveBeenCalledOnce();
});

test('a submission of an unknown shape parses each path once for the cache and once for the plan', async () => {
  const deps = fakeDeps();
  const idempotency = { key: 'k', bodyHash: 'h' };
  const submit = () => submitJob({ ...deps, planner: deps.submissionPlanner }, caller, request, { idempotency });
  expect(await countSerialised(submit)).toBe(2);
  expect(parsedPaths()).toEqual(['a.mov', 'a.mov', 'b.mp4', 'b.mp4']);
  expect(deps.media.statPaths).toHaveBeenCalledOnce();
});

test('a dry run parses each path once and stats once', async () => {
  const deps = fakeDeps();
  await dryRunRequest({ ...deps, planner: probingPlanner(deps.planner, undefined) }, caller, request);
  expect(parsedPaths()).toEqual(['a.mov', 'b.mp4']);
  expect(deps.media.statPaths).toHaveBeenCalledOnce();
});
