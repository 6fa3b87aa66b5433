import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import { expect, test } from 'vitest';
import type { FoundFile } from './ports.ts';
import { type SubmitFilesDeps, submitFiles } from './submit-files.ts';

const AT = '2026-01-31T12:00:00.000Z';
const WATCH = { watchId: 'w', clientId: 'amy', folder: 'in/', request: { output: 'o/{name}.mp4' }, maxUnfinished: 20 };
const FILE = { watchId: 'w', path: 'in/a.mov', version: '1', state: 'READY', attempts: 0 } as unknown as WatchedFile;

/** Submits one file that is ready. `found`: what is at its path now. */
async function submit(found: Partial<FoundFile> | undefined) {
  const settled: unknown[] = [];
  const deps = {
    ledger: {
      due: async () => [FILE],
      unfinished: async () => 0,
      settle: async (_file: unknown, as: unknown) => void settled.push(as),
    },
    source: { find: async () => found },
    now: () => new Date(AT),
  } as unknown as SubmitFilesDeps;
  const result = await submitFiles(deps, WATCH as Watch, {} as Caller, NEVER);
  return { settled, result };
}

test('a file that is gone is skipped, and its path is read again: its disk may come back', async () => {
  const { settled, result } = await submit(undefined);
  expect(settled).toEqual([{ state: 'SKIPPED', skipReason: 'GONE' }]);
  expect(result.changed).toEqual(['in/a.mov' as MediaPath]);
});

test('a file with other content waits until a scan has seen it whole, behind the others', async () => {
  const { settled, result } = await submit({ version: '2' });
  expect(settled).toEqual([{ state: 'READY', dueAt: '2026-01-31T12:00:30.000Z' }]);
  expect(result).toMatchObject({ submitted: 0, changed: ['in/a.mov'], hasMore: true });
});
