import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { WatchListView, WatchView } from '../../packages/contract/src/wire/watch.ts';
import { cliUsers } from '../support/cli-user.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';
import type { WatchCounts } from '../support/watch-client.ts';

const createUser = cliUsers(sharedServer());
const test = needs('ffmpeg');

const OPTIONS = ['in/', '--to', 'out/', '-f', 'mkv', '-p', 'c=copy', '--name', 'incoming', '--settle-seconds', '1'];

/** A user with a film and a file that is no media in the folder `in/`. */
async function userWithFiles() {
  const user = await createUser();
  const { run, api, root, cwd } = user;
  await mkdir(join(root, 'in/mon'), { recursive: true });
  await copyFile(join(cwd, 'in.mp4'), join(root, 'in/mon/take.mp4'));
  await writeFile(join(root, 'in/bad.mp4'), 'This is not media.');
  /** Makes the watch, and waits until it has looked at both files. */
  const add = async () => {
    const added = await run('watch', 'add', ...OPTIONS);
    expect(added.code, added.stderr).toBe(0);
    expect(added.stdout).toMatch(/name +incoming/);
    await until({ converted: 1, needsAttention: 1 });
  };
  const until = (counts: WatchCounts) =>
    expect
      .poll(async () => (await api.request<WatchListView>('/api/watches')).body.watches[0]?.counts, { timeout: 60_000 })
      .toMatchObject(counts);
  return { ...user, add, until };
}

test('telecine watch checks a folder, makes a watch, shows what failed, and deletes it', async () => {
  const { run, add } = await userWithFiles();
  const dry = await run('watch', 'add', ...OPTIONS, '--dry-run');
  expect(dry.code, dry.stderr).toBe(0);
  expect(dry.stdout).toMatch(/^2 files would be converted/);
  expect(dry.stdout).toMatch(/in\/mon\/take\.mp4 +→ +out\/mon\/take\.mkv/);
  expect((await run('watch')).stdout).toContain('There are no watches.');

  await add();
  const shown = await run('watch', 'show', 'incoming');
  expect(shown.stdout).toMatch(/counts +ready 0, submitted 0, converted 1, failed 0, needs attention 1/);
  expect(shown.stdout).toMatch(/INPUT_INVALID {2}1 file\n/);
  expect(shown.stdout).toContain('telecine watch retry');
  const none = await run('watch', 'retry', 'incoming', '--path', 'in/none.mp4');
  expect(none.stdout, none.stderr).toContain('"in/none.mp4" is unknown to the watch');
  expect((await run('watch', 'delete', 'incoming')).code).toBe(0);
  expect((await run('watch')).stdout).toContain('There are no watches.');
});

test('telecine watch lists files and jobs, changes and pauses a watch, and retries what failed', {
  tags: 'long',
}, async () => {
  const { run, root, cwd, add, until } = await userWithFiles();
  await add();
  const read = async () => JSON.parse((await run('watch', 'show', 'incoming', '--json')).stdout) as WatchView;
  expect((await run('watch', 'files', 'in/', '--state', 'CONVERTED')).stdout).toMatch(
    /CONVERTED +.*in\/mon\/take\.mp4/,
  );

  const jobs = await run('jobs', '--watch', 'incoming');
  expect(jobs.stdout).toContain('in/mon/take.mp4 → out/mon/take.mkv');
  const changed = await run('watch', 'change', 'incoming', '--pattern', '*.mp4', '--max-unfinished', '5');
  expect(changed.stdout, changed.stderr).toMatch(/^max unfinished +5$/m);
  expect(await read()).toMatchObject({
    patterns: ['*.mp4'],
    maxUnfinished: 5,
    request: { output: 'out/{folder}{name}.mkv' },
  });

  expect((await run('watch', 'pause', 'incoming')).stdout).toMatch(/^now +paused$/m);
  expect((await run('watch')).stdout).toMatch(/incoming +in\/ +\S+ +paused/);
  await copyFile(join(cwd, 'in.mp4'), join(root, 'in/bad.mp4'));
  expect((await run('watch', 'retry', 'incoming')).stdout).toBe('1 file will be converted again.\n');
  expect((await run('watch', 'resume', 'incoming')).code).toBe(0);
  await until({ converted: 2 });

  const mistaken = await run('watch', 'pasue', 'incoming');
  expect(mistaken).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Use one of: add, list, show, change, pause, resume,'),
  });
  const unknown = await run('watch', 'pause', 'none');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('"telecine watch list" shows them.') });
});

test('a watch that would feed itself is rejected with the option at fault', async () => {
  const { run } = await createUser();
  const circle = await run('watch', 'add', 'in/', '--to', 'out/{name}.mp4', '-p', 'c=copy', '--source', 'in/done/');
  expect(circle).toMatchObject({ code: 2, stderr: expect.stringContaining('would land in the watched folder again') });
  const wrong = await run('watch', 'add', 'in/', '--to', 'out/', '-f', 'mp4', '-p', 'crff=23');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('crff') });
});
