import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { expect, test } from 'vitest';
import { testFolder } from '../../../../../test/support/folders.ts';
import { scratchUsage } from '../../media/scratch/scratch-folders.ts';
import { previewSpace } from '../../previews/preview-staging.ts';
import { trialSpace } from './trial-space.ts';

/** Runs a trial that writes ten files of 100 kB each and does not end by itself. Resolves to the reason of its stop within `ms`. */
async function stopOf(policy: ClientLimits, { reserve = 0, ms = 50_000 } = {}): Promise<unknown> {
  const folder = await testFolder('space');
  const out = join(folder, 'out');
  await Promise.all([out, join(folder, 'pass')].map((path) => mkdir(path)));
  const limits = { dataDir: folder, minFreeDataBytes: reserve };
  const inSpace = trialSpace({
    ...limits,
    reserve: previewSpace({ ...limits, mediaRoot: folder, minFreeBytes: reserve }),
    usageOf: (dir) => scratchUsage({ isLocal: false, pathOf: (name) => join(dir, name) }),
  });
  return inSpace(folder, policy, async (watch) => {
    const { signal, end } = watch(folder);
    for (let at = 0; at < 10; at++) await writeFile(join(out, `${at}.bmp`), Buffer.alloc(100_000));
    const limit = AbortSignal.timeout(ms);
    const stop = AbortSignal.any([signal, limit]);
    // On a slow machine, the trial is stopped while it writes.
    if (!stop.aborted) await once(stop, 'abort');
    end();
    return limit.aborted ? undefined : signal.reason;
  });
}

test.each<[limit: string, policy: ClientLimits]>([
  ['scratch', { scratch: 500_000 }],
  ['files', { files: 5 }],
])('a trial is stopped that exceeds the limit "%s" of its client', async (limit, policy) => {
  expect(await stopOf(policy)).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringContaining(`limit "${limit}"`),
  });
});

test('a trial within the limits goes on', async () => {
  expect(await stopOf({ scratch: 10_000_000, files: 100 }, { ms: 2000 })).toBeUndefined();
});

test('no trial starts that might use the reserve of the disk', async () => {
  await expect(stopOf({}, { reserve: Number.MAX_SAFE_INTEGER })).rejects.toMatchObject({
    failure: { code: 'NO_SPACE' },
  });
});
