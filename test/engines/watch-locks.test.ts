import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { Watch } from '../../packages/contract/src/domain/watch.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import { insertWatched } from '../../packages/service/src/jobs/submit/submit-watched.ts';
import { bossQueue } from '../../packages/service/src/queue/boss.ts';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { watchEndWrite } from '../../packages/service/src/watches/after-job.ts';
import { AT, endAny, jobToInsert } from '../contracts/engine.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startPostgres } from '../support/postgres.ts';

const WATCH: Watch = {
  ...{ watchId: newJobId(), clientId: 'amy', folder: 'in/', subfolders: true, request: { output: 'out/{name}.mp4' } },
  ...{ source: 'keep', changed: 'ignore', existing: 'convert', settleSeconds: 10, maxUnfinished: 20 },
  ...{ state: 'ACTIVE', createdAt: AT, changedAt: AT },
};
const PATH = 'in/a.mov' as MediaPath;

needs('PostgreSQL')('the end of a job whose file needs attention does not wait for a scan of its watch', async () => {
  const server = await startPostgres(await testFolder('postgres'));
  onTestFinished(() => server.stop());
  const url = server.url('postgres');
  const store = await openPostgres({ url, onOutage: () => {} });
  const queue = await bossQueue(store.database, { onError: () => {} });
  const scan = new Client(url);
  await scan.connect();
  onTestFinished(async () => {
    await scan.end();
    await queue.close();
    await store.close();
  });
  const { watches, watchLedger } = store;
  const { watchId } = WATCH;
  await watches.add(WATCH, 5);
  const file = { path: PATH, version: 'v1', bytes: 10, fileKey: 'key', state: 'READY' } as const;
  await watchLedger.record(watchId, { added: [file], changed: [] }, AT);
  const jobId = newJobId();
  const endWrites = { watches: watchEndWrite(watchLedger) };
  const deps = { ...store, queue, changes: { publish: () => {} }, now: () => new Date(AT), endWrites };
  await insertWatched(deps, jobToInsert('amy', { jobId, watchId }), (tx) => {
    const submission = { watchId, path: PATH, version: 'v1', jobId, outputs: ['out/a.mp4'], origins: [watchId] };
    return watchLedger.submit(tx, 'amy', submission, AT);
  });

  // A scan locks the watch, and later the file.
  await scan.query('begin');
  await scan.query('select state from watches where watch_id = $1 for share', [watchId]);
  const error = { code: 'CANCELLED', message: 'Cancelled.' } as const;
  expect(await endAny(deps, { queued: { jobId, clientId: 'amy' }, error })).toBe(true);
  const locked = await scan.query('select path from watched_files where watch_id = $1 for update nowait', [watchId]);
  expect(locked.rows).toEqual([{ path: PATH }]);
  await scan.query('commit');
  expect(await watchLedger.list(watchId, { limit: 1 })).toMatchObject([{ state: 'NEEDS_ATTENTION' }]);
});
