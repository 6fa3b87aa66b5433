import { copyFile, lstat, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { testFolder } from '../support/folders.ts';
import { hostileFfmpeg } from '../support/hostile-ffmpeg.ts';
import { insertClient } from '../support/insert-client.ts';
import { isMet, needs } from '../support/needs.ts';
import { startCli } from '../support/run-cli.ts';
import { sampled } from '../support/sampled.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';
import { serveOnSmallDisk } from '../support/small-disk.ts';

/** A service with a program of an attacker in place of ffmpeg, and a media root that contains a movie. */
function takenOver(sandbox: SandboxMode): () => Promise<SharedServer> {
  let started: Promise<SharedServer> | undefined;
  const start = async (): Promise<SharedServer> => {
    const shared = await sharedServer({
      env: {
        ...(await hostileFfmpeg()),
        TELECINE_SANDBOX: sandbox,
        TELECINE_CLIENT_LIMITS: 'scratch=50M,output=1G',
      },
    })();
    await copyFile(samplePath('480p'), join(shared.server.mediaRoot, 'movie.mp4'));
    return shared;
  };
  return () => {
    started ??= start();
    return started;
  };
}

const request = (output: string, more: Readonly<Record<string, string>> = {}) => ({
  input: 'movie.mp4',
  output,
  parameters: { c: 'copy', ...more },
});

/** Waits until no scratch folder is left. */
async function scratchIsGone(mediaRoot: string): Promise<void> {
  const jobsFolder = join(mediaRoot, '.telecine/jobs');
  for (let left = await readdir(jobsFolder); left.length > 0; left = await readdir(jobsFolder)) await sleep(50);
}

const UNPLANNED = /is not a file of the output|is not an ordinary file of its own/;
const UNCOUNTED = /deleted files that ffmpeg still has open/;
const TOO_MANY = /more than (?:32 levels|\d+ (?:entries|files))/;

type SandboxMode = 'required' | 'bubblewrap' | 'landlock' | 'off';

/** What the attacker's program does, by the output's name without extension; and the failure of the job. */
const ATTACKS = {
  hidden: ['FFMPEG_FAILED', UNPLANNED],
  names: ['FFMPEG_FAILED', UNPLANNED],
  foreign: ['FFMPEG_FAILED', UNPLANNED],
  links: ['FFMPEG_FAILED', UNPLANNED],
  symlink: ['FFMPEG_FAILED', UNPLANNED],
  hardlink: ['FFMPEG_FAILED', UNPLANNED],
  special: ['FFMPEG_FAILED', UNPLANNED],
  pipe: ['FFMPEG_FAILED', UNPLANNED],
  deep: ['LIMIT_EXCEEDED', TOO_MANY],
  hoard: ['LIMIT_EXCEEDED', /limit "scratch"/],
  deleted: ['LIMIT_EXCEEDED', /limit "scratch"/],
  nameless: ['LIMIT_EXCEEDED', /limit "scratch"/],
  mapped: ['FFMPEG_FAILED', UNCOUNTED],
  many: ['LIMIT_EXCEEDED', TOO_MANY],
  // In bubblewrap the kernel limits the threads of users other than root, so the program fails first.
  threads: process.getuid?.() === 0 ? ['LIMIT_EXCEEDED', /limit "processes"/] : [expect.any(String), /./],
  sparse: ['LIMIT_EXCEEDED', /limit "output"/],
} as const;

const ENDED = new RegExp(`limit "(?:scratch|processes)"|${UNCOUNTED.source}`);

/**
 * Attacks that a service without a sandbox does not stop: processes that leave the process group of ffmpeg and outlive
 * it.
 */
const ATTACKS_BY_PROCESSES = {
  child: ['LIMIT_EXCEEDED', /limit "scratch"/],
  hopping: [expect.any(String), ENDED],
  // The code depends on the user of the tests: root may read a process that other users may not.
  unreadable: [expect.any(String), ENDED],
} as const;

/** What Landlock does not let ffmpeg create. Without it, an honest output remains, or none. */
const CREATED_WITHOUT_LANDLOCK = ['links', 'special', 'symlink', 'pipe'] as const;

/** The attacks that matter in a sandbox: with Landlock ffmpeg can start no process. */
function attacksIn(sandbox: SandboxMode) {
  if (sandbox === 'off') return Object.entries(ATTACKS);
  if (sandbox === 'bubblewrap') return Object.entries({ ...ATTACKS, ...ATTACKS_BY_PROCESSES });
  const denied: readonly string[] = CREATED_WITHOUT_LANDLOCK;
  return Object.entries(ATTACKS).filter(([mode]) => !denied.includes(mode));
}

for (const sandbox of ['bubblewrap', 'landlock', 'off'] as const) {
  const start = takenOver(sandbox);
  const test = needs('ffmpeg', 'linux', 'a C compiler', ...(sandbox === 'off' ? [] : [sandbox]));

  // The checks of files are the same in each sandbox.
  const tags = sandbox === 'off' && isMet('bubblewrap') ? ['long'] : [];

  test.each(sampled(attacksIn(sandbox), 10))(
    `sandbox ${sandbox}: an ffmpeg that was taken over publishes nothing by "%s"`,
    { timeout: 60_000, tags },
    async (mode, [code, message]) => {
      const { admin, server } = await start();
      const before = (await readdir(server.mediaRoot)).sort();
      const movie = await stat(join(server.mediaRoot, 'movie.mp4'));
      const [job, other] = await Promise.all([
        admin.run(request(`${mode}.mkv`, { y: '' })),
        admin.run(request(`honest-${mode}.mkv`)),
      ]);
      expect(job).toMatchObject({ status: 'FAILED', attempt: 1, error: { code } });
      expect(job.error?.message).toMatch(message);
      expect(job.error?.message).not.toContain('\n');
      expect(other).toMatchObject({ status: 'COMPLETED', outputs: [{ sizeBytes: 1000 }] });
      await scratchIsGone(server.mediaRoot);
      expect((await readdir(server.mediaRoot)).sort()).toEqual([...before, `honest-${mode}.mkv`].sort());
      expect((await stat(join(server.mediaRoot, 'movie.mp4'))).ino).toBe(movie.ino);
      expect(await admin.request<ReadyView>('/ready')).toMatchObject({ status: 200 });
    },
  );

  test(`sandbox ${sandbox}: folders without permissions do not stay`, { tags }, async () => {
    const { admin, server } = await start();
    expect(await admin.run(request('closed.mkv'))).toMatchObject({ status: 'FAILED' });
    await scratchIsGone(server.mediaRoot);
  });
}

const confined = takenOver('landlock');

needs('ffmpeg', 'linux', 'a C compiler', 'landlock').for(CREATED_WITHOUT_LANDLOCK)(
  'sandbox landlock: nothing but ordinary files comes of "%s"',
  async (mode) => {
    const { admin, server } = await confined();
    const before = await readdir(server.mediaRoot);
    const job = await admin.run(request(`${mode}.mkv`));
    await scratchIsGone(server.mediaRoot);
    const published = (await readdir(server.mediaRoot)).filter((name) => !before.includes(name));
    expect(published).toEqual(job.status === 'COMPLETED' ? [`${mode}.mkv`] : []);
    for (const name of published) expect((await lstat(join(server.mediaRoot, name))).isFile()).toBe(true);
  },
);

const sandboxed = takenOver('required');
const test = needs('ffmpeg', 'linux', 'sandbox', 'a C compiler');

test('a process that ffmpeg leaves ends with its sandbox and writes nothing more', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const { admin, server } = await sandboxed();
  const job = await admin.run(request('leftover.mkv'));
  await scratchIsGone(server.mediaRoot);
  const published = await stat(join(server.mediaRoot, 'leftover.mkv')).catch(() => undefined);
  // If the process wrote its file before the sandbox ended, the job fails because of an unplanned file.
  if (job.status === 'FAILED') expect(job.error?.message).toMatch(UNPLANNED);
  else expect(published?.size).toBe(job.outputs?.[0]?.sizeBytes);
  await sleep(200);
  const later = await stat(join(server.mediaRoot, 'leftover.mkv')).catch(() => undefined);
  expect(later?.size).toBe(published?.size);
});

needs(
  'ffmpeg',
  'linux',
  'bubblewrap',
  'a C compiler',
)(
  'a job that fills the disk with a deleted file is stopped, and not the job of another',
  { tags: 'long', timeout: 60_000 },
  async () => {
    const { admin } = await serveOnSmallDisk(300_000_000, {
      ...(await hostileFfmpeg()),
      TELECINE_SANDBOX: 'required',
      TELECINE_MIN_FREE_DISK: '100000000',
    });
    const [honest, hiding] = await Promise.all([admin.run(request('slow.mkv')), admin.run(request('deleted.mkv'))]);
    expect(hiding).toMatchObject({ status: 'FAILED', attempt: 1, error: { code: 'NO_SPACE' } });
    expect(hiding.error?.message).toContain('used all free disk space');
    expect(honest).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  },
);

test('telecine convert saves nothing from an ffmpeg that was taken over', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const { server } = await sandboxed();
  await mkdir(join(server.mediaRoot, 'amy'));
  const { clientId, clientSecret } = await insertClient(server, 'amy', { root: 'amy' });
  const cwd = await testFolder('here');
  await copyFile(samplePath('480p'), join(cwd, 'in.mp4'));
  await writeFile(join(cwd, '.bash_profile'), 'mine');
  const settings = {
    TELECINE_URL: server.url,
    TELECINE_CLIENT_ID: clientId,
    TELECINE_CLIENT_SECRET: clientSecret,
  };
  const convert = (output: string) =>
    startCli(['convert', 'in.mp4', output, '-p', 'c=copy', '-y'], settings, { cwd }).ended;
  const { code, stderr } = await convert('hidden.mkv');
  expect(code).not.toBe(0);
  expect(stderr).toMatch(UNPLANNED);
  expect((await readdir(cwd)).sort()).toEqual(['.bash_profile', 'in.mp4']);
  expect((await stat(join(cwd, '.bash_profile'))).size).toBe(4);
  expect(await convert('honest.mkv')).toMatchObject({ code: 0 });
  expect((await readdir(cwd)).sort()).toEqual(['.bash_profile', 'honest.mkv', 'in.mp4']);
});
