import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { ticketQueue } from '../../packages/service/src/queue/tickets.ts';
import { openService } from '../../packages/service/src/start/service.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { submitOne } from '../contracts/engine.ts';
import { testFolder } from '../support/folders.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const log = { info() {}, warn() {}, error() {}, isLevelEnabled: () => false } as never;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));

/** Opens the database, runs `use` and closes it. */
async function withStore<T>(dataDir: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqlite(join(dataDir, 'telecine.db'));
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Stores jobs that were cancelled `days` ago. */
const cancelledAgo = (dataDir: string, ...days: readonly number[]): Promise<readonly string[]> =>
  withStore(dataDir, async (store) => {
    const ids: string[] = [];
    for (const ago of days) {
      const jobId = await submitOne({ store, queue: ticketQueue(store.database) });
      const at = new Date(Date.now() - ago * DAY_MS).toISOString();
      await store.transactions.run((tx) =>
        store.jobs.endPending(tx, [jobId], 'CANCELLED', { code: 'CANCELLED', message: '' }, at),
      );
      ids.push(jobId);
    }
    return ids;
  });

/** Runs a service for an hour, and returns the ids of the jobs that are left. */
async function jobsAfterAnHour(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  await mkdir(join(dataDir, '../media'), { recursive: true });
  const config = readConfig({
    ...settings,
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: join(dataDir, '../media'),
    // Missing: no job runs here.
    FFMPEG_PATH: join(dataDir, 'ffmpeg'),
  });
  const service = await openService(config, log, { role: 'api' });
  await service.started.catch(() => {});
  vi.advanceTimersByTime(HOUR_MS);
  await service.close();
  return withStore(dataDir, async (store) => (await store.jobs.list({ limit: 9 })).map(({ jobId }) => jobId));
}

test('jobs that ended more than 30 days ago are deleted within an hour', async () => {
  const dataDir = join(await testFolder(), 'data');
  const [recent] = (await cancelledAgo(dataDir, 29.9, 30.1)) as [string, string];
  expect(await jobsAfterAnHour(dataDir, {})).toEqual([recent]);
});

test('the operator chooses how long finished jobs are kept, and 0 keeps them for ever', async () => {
  const dataDir = join(await testFolder(), 'data');
  const [recent, old] = (await cancelledAgo(dataDir, 1, 3)) as [string, string];
  expect(await jobsAfterAnHour(dataDir, { TELECINE_JOB_RETENTION_DAYS: '0' })).toEqual([old, recent]);
  expect(await jobsAfterAnHour(dataDir, { TELECINE_JOB_RETENTION_DAYS: '2' })).toEqual([recent]);
});
