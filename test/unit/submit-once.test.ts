import { beforeEach, expect, test, vi } from 'vitest';
import { planners } from '../../src/cli/compose/conversions.ts';
import type { Toolchain } from '../../src/cli/compose/toolchain.ts';
import type { Caller } from '../../src/domain/client.ts';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { parseMediaPath } from '../../src/domain/media-path.ts';
import { dryRunRequest } from '../../src/jobs/submit/dry-run.ts';
import { submitJob } from '../../src/jobs/submit/submit.ts';
import { mediaRoot } from '../support/media-root.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

vi.mock(import('../../src/domain/media-path.ts'), { spy: true });

const request: ConversionRequest = { input: 'a.mov', output: 'b.mp4', parameters: { 'c:v': 'libx264', crf: '23' } };
const caller: Caller = { clientId: 'amy', scopes: [], root: mediaRoot('/media'), policy: {} };

function deps() {
  const catalogue = recordedCatalogue();
  const live = { current: catalogue, ensure: async () => catalogue };
  const statPaths = vi.fn(async (_root: unknown, paths: readonly unknown[]) =>
    paths.map(() => ({ kind: 'missing' }) as const),
  );
  return {
    ...planners(Promise.resolve({ catalogue: live } as unknown as Toolchain)),
    media: { statPaths },
    idempotency: { find: async () => undefined },
    insertJob: vi.fn(async () => undefined),
    now: () => new Date(),
    changes: { publish: () => {} },
  };
}

const parsedPaths = () => vi.mocked(parseMediaPath).mock.calls.map(([text]) => text);

/** Runs `act`, and counts how often it serialises the request or a part of it that has the options. */
async function countSerialised(act: () => Promise<unknown>): Promise<number> {
  const stringify = vi.spyOn(JSON, 'stringify');
  await act();
  const { calls } = stringify.mock;
  stringify.mockRestore();
  return calls.filter(([value]) => typeof value === 'object' && value !== null && 'parameters' in value).length;
}

beforeEach(() => void vi.mocked(parseMediaPath).mockClear());

test('a submission of a known shape parses each path once, stats once and serialises for the cache and the store', async () => {
  const d = deps();
  const submit = () => submitJob({ ...d, planner: d.pathPlanner }, caller, request);
  await submit();
  vi.mocked(parseMediaPath).mockClear();
  d.media.statPaths.mockClear();
  expect(await countSerialised(submit)).toBe(2);
  expect(parsedPaths().toSorted()).toEqual(['a.mov', 'b.mp4']);
  expect(d.media.statPaths).toHaveBeenCalledOnce();
});

test('a submission of an unknown shape parses each path once for the cache and once for the plan', async () => {
  const d = deps();
  const idempotency = { key: 'k', bodyHash: 'h' };
  const submit = () => submitJob({ ...d, planner: d.pathPlanner }, caller, request, { idempotency });
  expect(await countSerialised(submit)).toBe(2);
  expect(parsedPaths().toSorted()).toEqual(['a.mov', 'a.mov', 'b.mp4', 'b.mp4']);
  expect(d.media.statPaths).toHaveBeenCalledOnce();
});

test('a dry run parses each path once and stats once', async () => {
  const d = deps();
  await dryRunRequest(d, caller, request);
  expect(parsedPaths().toSorted()).toEqual(['a.mov', 'b.mp4']);
  expect(d.media.statPaths).toHaveBeenCalledOnce();
});
