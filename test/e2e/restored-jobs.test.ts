import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { expectNoContradiction, prepareJobs } from '../support/restored-jobs.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const test = needs('ffmpeg');

test('jobs that ended after a backup are complete again after its restore, and no webhook says otherwise', async () => {
  const receiver = await startReceiver();
  const env = { TELECINE_WEBHOOK_HOSTS: receiver.host };
  const server = await startServer({ env });
  const { dataDir, mediaRoot } = server;
  await putSmallMovie(mediaRoot, 1, 'movie.mp4');
  await putSmallMovie(mediaRoot, 1, 'gone.mp4');
  const prepared = await prepareJobs(await adminClient(server), receiver);
  const settings = { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: mediaRoot };
  const file = join(await testFolder('backup'), 'backup.db');
  expect(await runCli(['backup', file], settings)).toMatchObject({ code: 0 });

  const jobs = await prepared.run();
  // Another file takes the path of a job that was not complete.
  await writeFile(join(mediaRoot, 'foreign.mkv'), 'of another program');
  await rm(join(mediaRoot, 'gone.mp4'));
  await server.stop();
  expect(await runCli(['restore', file, '--replace'], settings)).toMatchObject({ code: 0 });

  const restored = await startServer({ dataDir, mediaRoot, env });
  await expectNoContradiction(await adminClient(restored), receiver, jobs);
});
