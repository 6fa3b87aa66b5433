import { join } from 'node:path';
import { expect } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg');

test('new jobs sort after old ones even if the clock was set back before a restart', { tags: 'long' }, async () => {
  const folder = await testFolder('clock');
  const dataDir = join(folder, 'data');
  const store = await openSqlite(join(dataDir, 'telecine.db'));
  const ahead = 'fffffff0-0000-7000-8000-000000000000';
  const job = {
    jobId: ahead,
    clientId: 'amy',
    request: '{"input":"a.mp4","output":"b.mp4"}',
    ...ORDINARY,
  };
  await store.transactions.run((tx) => store.jobs.insert(tx, [{ ...job, createdAt: '2199-01-01T00:00:00.000Z' }]));
  await store.close();

  const server = await startServer({ dataDir, mediaRoot: join(folder, 'media'), args: ['--no-worker'] });
  const admin = await adminClient(server);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push(await admin.accept({ input: 'a.mp4', output: `${i}.mp4` }));
  const { jobs } = await admin.list();
  expect(jobs.map(({ jobId }) => jobId)).toEqual([...ids.toReversed(), ahead]);
});
