// @module-tag long
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putClip } from '../support/media.ts';
import { AS_NOBODY, needs } from '../support/needs.ts';
import { probe } from '../support/probe.ts';
import { runCli } from '../support/run-cli.ts';
import { seedCatalogues, startServer } from '../support/server.ts';

const NOBODY = 65534;

/** Folders that the user nobody owns. */
async function folders(): Promise<{ readonly dataDir: string; readonly mediaRoot: string }> {
  const folder = await testFolder('nobody');
  const created = { dataDir: join(folder, 'data'), mediaRoot: join(folder, 'media') };
  for (const path of [folder, created.dataDir, created.mediaRoot]) {
    await mkdir(path, { recursive: true });
    await chown(path, NOBODY, NOBODY);
  }
  return created;
}

needs('sandbox', 'another user')('an ordinary user serves, and conversions run in the sandbox', async () => {
  const created = await folders();
  await putClip(created.mediaRoot, '480p', 3, 'movie.mp4');
  const server = await startServer({ ...created, launcher: AS_NOBODY, env: { TELECINE_SANDBOX: 'required' } });
  const admin = await adminClient(server);
  expect((await admin.request<ReadyView>('/ready')).body).toMatchObject({
    status: 'ready',
    checks: { sandbox: { status: 'ok' } },
  });
  const parameters = {
    'c:v': 'libx264',
    preset: 'ultrafast',
    vf: 'scale=320:-2,hflip',
    'b:v': '200k',
    pass: '2',
    t: '1',
  };
  const job = await admin.run({ input: 'movie.mp4', output: 'made/by/nobody.mp4', parameters });
  expect(job.error).toBeUndefined();
  const file = join(created.mediaRoot, 'made/by/nobody.mp4');
  expect((await probe(file)).streams[0]).toMatchObject({ codec_name: 'h264', width: 320, height: 180 });
  expect((await stat(file)).uid).toBe(NOBODY);

  expect(await readdir(join(created.mediaRoot, '.telecine/jobs'))).toEqual([]);
});

needs('sandbox', 'another user')('an ordinary user hears from the doctor what it may not do', async () => {
  const { dataDir } = await folders();
  const theirs = await testFolder('root');
  const settings = { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: join(theirs, 'media') };
  const { code, stdout } = await runCli(['doctor'], settings, AS_NOBODY);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✓ sandbox/m);
  expect(stdout).toMatch(/^✗ media root +EACCES/m);
  expect(stdout).toMatch(/that this user can read and write, or set TELECINE_MEDIA_ROOT/);
});

needs('ffmpeg', 'another user')(
  'folders that an ordinary user may not use stop the start, in one sentence',
  async () => {
    const { dataDir, mediaRoot } = await folders();
    const theirs = await testFolder('root');
    const serviceEnv = { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: mediaRoot, TELECINE_PORT: '0' };
    await chmod(theirs, 0o755);
    for (const [setting, path] of [
      ['TELECINE_DATA_DIR', theirs],
      ['TELECINE_DATA_DIR', join(theirs, 'data')],
    ] as const) {
      const { code, stdout } = await runCli(['serve'], { ...serviceEnv, [setting]: path }, AS_NOBODY);
      expect(code).toBe(1);
      expect(stdout).not.toContain('    at ');
      expect(stdout).toContain(
        `cannot be used by this user. Make ${path} a folder that this user can read and write, or`,
      );
      expect(stdout).toContain(`set ${setting} to another folder.`);
    }
  },
);

needs('ffmpeg', 'another user')('an input that the service may not read, a folder that it may not write', async () => {
  const created = await folders();
  await putClip(created.mediaRoot, '480p', 3, 'movie.mp4');
  const hidden = join(created.mediaRoot, 'hidden');
  await mkdir(hidden, { mode: 0o700 });
  await putClip(hidden, '480p', 3, 'movie.mp4');
  await mkdir(join(created.mediaRoot, 'closed'), { mode: 0o755 });
  await seedCatalogues(created.dataDir);
  for (const name of await readdir(created.dataDir, { recursive: true }))
    await chown(join(created.dataDir, name), NOBODY, NOBODY);
  const admin = await adminClient(await startServer({ ...created, launcher: AS_NOBODY }));
  const copy = { parameters: { c: 'copy' } };
  const unread = await admin.run({ input: 'hidden/movie.mp4', output: 'a.mkv', ...copy });
  expect(unread).toMatchObject({
    status: 'FAILED',
    error: { code: 'INPUT_INVALID', fix: expect.stringMatching(/read access/) },
  });
  const unwritten = await admin.run({ input: 'movie.mp4', output: 'closed/a.mkv', ...copy });
  expect(unwritten, 'only a person can mend it, so it is not tried again').toMatchObject({
    status: 'FAILED',
    attempt: 1,
    error: { code: 'STORAGE_FAULT', fix: expect.stringMatching(/write access/) },
  });
});
