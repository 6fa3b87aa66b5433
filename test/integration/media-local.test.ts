import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { linkSync } from 'node:fs';
import {
  chmod,
  link,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { OutputFiles } from '../../packages/contract/src/domain/plan.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { localIntents } from '../../packages/service/src/media/local/publish/publish-state.ts';
import { failure, type MediaEngine, mediaContract } from '../contracts/media.ts';
import { filesBelow, type LocalUnderTest, openLocal, REMOTE_DISK } from '../fixtures/local-media.ts';
import { at, input, jobOutputOf, output, writeOutputs } from '../fixtures/media-plans.ts';
import { needs } from '../support/needs.ts';
import { waitUntil } from '../support/wait.ts';

const engine = (name: string, ...args: Parameters<typeof openLocal>): MediaEngine => ({
  name,
  open: () => openLocal(...args),
  publishOrder: (intent) => localIntents.read(intent).files.map(({ path }) => path),
});

mediaContract(engine('a local disk', 'own'));
mediaContract(engine("a local disk, in a client's folder below the media root", 'below'));
mediaContract(engine('a local disk, with a client on another one', 'elsewhere'), needs('another disk'));
mediaContract(engine('a network disk', 'own', REMOTE_DISK));
mediaContract(engine('network disks, with a client on another one', 'elsewhere', REMOTE_DISK), needs('another disk'));

describe.each([
  ['a local disk', {}],
  ['a network disk', REMOTE_DISK],
])('%s', (_disk, options) => {
  let t: LocalUnderTest;
  beforeEach(async () => {
    t = await openLocal('own', options);
  });
  afterEach(() => t.close());
  const statPath = async (path: string) => (await t.media.statPaths(t.root, [at(path)]))[0] ?? { kind: 'no answer' };
  const finish = async (out: OutputFiles, files: Readonly<Record<string, string>>, media = t.media) => {
    const scratch = await media.openScratch('job', 7);
    await writeOutputs(media, scratch, files);
    return media.prepare(t.root, scratch, [{ files: out, report: {} }], []);
  };

  test('hard links and symlinks of one file have one file id', async () => {
    await t.put('in.mp4', 'film');
    await link(join(t.rootDir, 'in.mp4'), join(t.rootDir, 'hard.mp4'));
    await symlink('in.mp4', join(t.rootDir, 'soft.mp4'));
    await symlink(t.rootDir, join(t.rootDir, 'again'));
    const file = await statPath('in.mp4');
    expect([await statPath('hard.mp4'), await statPath('soft.mp4'), await statPath('again/again/in.mp4')]).toEqual([
      file,
      file,
      file,
    ]);
    const scratch = await t.media.openScratch('job', 1);
    const onto = (path: string) => t.media.stage(t.root, scratch, [input('in.mp4')], [output(path, { replace: true })]);
    await expect(onto('hard.mp4')).rejects.toThrow('same file as the input');
    await expect(onto('again/soft.mp4')).rejects.toThrow('same file as the input');
  });

  test('a job that would create more than 64 folders fails before it converts', async () => {
    await t.put('in.mp4', 'film');
    const scratch = await t.media.openScratch('job', 1);
    const stage = (folders: number) =>
      t.media.stage(t.root, scratch, [input('in.mp4')], [output(`${'n/'.repeat(folders)}o.mp4`)]);
    await expect(stage(65)).rejects.toEqual(failure('UNSUPPORTED'));
    await expect(stage(65)).rejects.toThrow('has more than 64 missing folders in its path');
    await expect(stage(64)).resolves.toHaveLength(1);
  });

  test('an error names the output that cannot be written, of several', async () => {
    // Some disks have shorter limits than the 255 bytes that a request may have.
    const long = `${'n'.repeat(256)}/b.mp4`;
    const scratch = await t.media.openScratch('job', 7);
    await writeOutputs(t.media, scratch, { '0/a.mp4': 'a', '1/b.mp4': 'b' });
    const outputs = [
      output('a.mp4', { subfolder: '0/', logical: 'out/0/a.mp4' }),
      output('b.mp4', { subfolder: '1/', logical: 'out/1/b.mp4', path: long as MediaPath }),
    ].map((files) => ({ files, report: {} }));
    await expect(t.media.prepare(t.root, scratch, outputs, [])).rejects.toThrow(`"${long}" has a name`);
    expect(await t.get('a.mp4')).toBeUndefined();
  });

  test('the path of an object in a bucket never becomes the path of a folder', async () => {
    await t.put('s3:/footage/in.mp4', 'film');
    const path = 's3://footage/in.mp4' as MediaPath;
    expect(await t.media.statPaths(t.root, [path])).toEqual([{ kind: 'missing' }]);
    const scratch = await t.media.openScratch('job', 1);
    await expect(t.media.stageFile(t.root, path, 'in/0.mp4')).rejects.toThrow('is not a path on the disk');
    const onto = { ...output('o.mp4'), path, folder: 's3://footage/' };
    await expect(t.media.stage(t.root, scratch, [], [onto])).rejects.toThrow('is not a path on the disk');
    await writeOutputs(t.media, scratch, { 'o.mp4': 'x' });
    await expect(t.media.prepare(t.root, scratch, [{ files: onto, report: {} }], [])).rejects.toThrow();
    expect(await t.get('s3:/footage/in.mp4')).toBe('film');
  });

  test('a path through a symlink that leaves the media root is outside, wherever the symlink is', async () => {
    await mkdir(join(t.home, 'private'));
    await mkdir(join(t.rootDir, 'sub'));
    await symlink('/etc', join(t.rootDir, 'etc'));
    await symlink('../private', join(t.rootDir, 'up'));
    await symlink('../../nowhere/at/all', join(t.rootDir, 'sub', 'dangling'));
    await symlink('etc', join(t.rootDir, 'twice'));
    await symlink('../media-else', join(t.rootDir, 'near'));
    await symlink('.telecine/jobs', join(t.rootDir, 'scratch'));
    for (const path of ['etc', 'etc/passwd', 'etc/none', 'up', 'up/x.mp4', 'sub/dangling', 'twice/passwd', 'near/x'])
      expect([path, await statPath(path)]).toEqual([path, { kind: 'outside' }]);
    expect(await statPath('scratch/x.mp4')).toEqual({ kind: 'outside' });
    const scratch = await t.media.openScratch('job', 1);
    await t.put('in.mp4', 'film');
    await expect(t.media.stage(t.root, scratch, [input('etc/passwd')], [output('o.mp4')])).rejects.toEqual(
      failure('INPUT_INVALID'),
    );
    for (const path of ['up/o.mp4', 'up/deep/o.mp4', 'sub/dangling', 'sub/dangling/o.mp4'])
      await expect(t.media.stage(t.root, scratch, [input('in.mp4')], [output(path)])).rejects.toEqual(
        failure('UNSUPPORTED'),
      );
    await writeOutputs(t.media, scratch, { 'o.mp4': 'x' });
    for (const path of ['up/o.mp4', 'up/deep/o.mp4', 'sub/dangling/o.mp4'])
      await expect(t.media.prepare(t.root, scratch, [{ files: output(path), report: {} }], [])).rejects.toEqual(
        failure('UNSUPPORTED'),
      );
    expect(await readdir(join(t.home, 'private'))).toEqual([]);
    const kept = join(t.home, 'private', 'kept.mp4');
    await writeFile(kept, 'private');
    await t.media.removeOutputs(t.root, [await jobOutputOf('up/kept.mp4', kept)]);
    expect(await readdir(join(t.home, 'private'))).toEqual(['kept.mp4']);
  });

  test('no client reaches reserved files, even if its media root contains them', async () => {
    const reserved = [join(t.home, 'data'), join(t.home, 'keys', 'secret')];
    const home = localRoot(t.home);
    const media = await t.restart({ reserved });
    await mkdir(join(t.home, 'data'));
    await mkdir(join(t.home, 'keys'));
    await mkdir(join(t.home, 'database'));
    for (const path of [join(t.home, 'data', 'telecine.db'), join(t.home, 'keys', 'secret')])
      await writeFile(path, 'secret');
    await writeFile(join(t.home, 'database', 'in.mp4'), 'film');
    await symlink('data', join(t.home, 'alias'));
    const closed = ['data/telecine.db', 'DATA/telecine.db', 'data/new.mp4', 'data', 'keys/secret', 'alias/telecine.db'];
    for (const path of closed)
      expect([path, await media.statPaths(home, [at(path)])]).toEqual([path, [{ kind: 'outside' }]]);
    expect(await media.statPaths(home, [at('keys/in.mp4'), at('database/in.mp4')])).toMatchObject([
      { kind: 'missing' },
      { kind: 'file' },
    ]);

    const scratch = await media.openScratch('job', 1);
    const stage = (path: string, out = output('keys/o.mp4')) => media.stage(home, scratch, [input(path)], [out]);
    for (const path of ['data/telecine.db', 'keys/secret', 'alias/telecine.db'])
      await expect(stage(path)).rejects.toThrow('reserved file');
    await expect(stage('database/in.mp4')).resolves.toHaveLength(1);
    for (const path of ['data/telecine.db', 'data/new.mp4', 'keys/secret'])
      await expect(stage('database/in.mp4', output(path, { replace: true }))).rejects.toEqual(failure('UNSUPPORTED'));

    await writeOutputs(t.media, scratch, { 'o.m3u8': 'list', secret: 'mine' });
    const names = [['o.m3u8'], ['secret']];
    for (const path of ['keys/o.m3u8', 'data/o.m3u8'])
      await expect(
        media.prepare(home, scratch, [{ files: output(path, { replace: true, names }), report: {} }], []),
      ).rejects.toEqual(failure('UNSUPPORTED'));
    await media.removeOutputs(home, [
      await jobOutputOf('data/telecine.db', join(t.home, 'data', 'telecine.db')),
      await jobOutputOf('keys/secret', join(t.home, 'keys', 'secret')),
    ]);
    expect(await readdir(join(t.home, 'data'))).toEqual(['telecine.db']);
    expect(await readdir(join(t.home, 'keys'))).toEqual(['secret']);
  });

  test('clients reach a media root inside a reserved folder, but not the rest of that folder', async () => {
    const media = await t.restart({ reserved: [t.home, join(t.mediaRoot, 'data')] });
    await t.put('in.mp4', 'film');
    await t.put('data/telecine.db', 'secret');
    expect(await media.statPaths(t.root, [at('in.mp4'), at('data/telecine.db')])).toMatchObject([
      { kind: 'file' },
      { kind: 'outside' },
    ]);
    await mkdir(join(t.home, 'else'));
    expect(
      await media.statPaths(localRoot('/'), [at(`${t.rootDir}/in.mp4`), at(`${t.home}/else/x.mp4`)]),
    ).toMatchObject([{ kind: 'file' }, { kind: 'outside' }]);
  });

  test('statPaths shows that a file was written over by one of the same size, whose time was set back', async () => {
    const stat = async () => (await t.media.statPaths(t.root, [at('in.mp4')]))[0];
    const file = join(t.rootDir, 'in.mp4');
    await t.put('in.mp4', 'film');
    await utimes(file, 1e9, 1e9);
    const before = await stat();
    expect(await stat()).toEqual(before);
    // Kernels before 6.13 take the times of a file from a tick of the clock, so write until the tick is another one.
    await waitUntil('another version', async () => {
      await writeFile(file, 'word');
      await utimes(file, 1e9, 1e9);
      return isDeepStrictEqual(await stat(), before) ? undefined : true;
    });
  });

  test('follows symlinks that stay inside the media root, dangling ones too', async () => {
    await t.put('real/in.mp4', 'film');
    await symlink('real', join(t.rootDir, 'alias'));
    await symlink('real/later/../later.mp4', join(t.rootDir, 'later.mp4'));
    await symlink('loop', join(t.rootDir, 'loop'));
    expect((await statPath('alias/in.mp4')).kind).toBe('file');
    expect(await statPath('alias/none.mp4')).toEqual({ kind: 'missing' });
    expect(await statPath('later.mp4')).toEqual({ kind: 'missing' });
    expect(await statPath('loop')).toEqual({ kind: 'special' });
    const scratch = await t.media.openScratch('job', 1);
    await expect(t.media.stage(t.root, scratch, [input('alias/in.mp4')], [output('later.mp4')])).rejects.toEqual(
      failure('OUTPUT_EXISTS'),
    );
    const intent = await finish(output('alias/new/o.mp4'), { 'o.mp4': 'new' });
    expect(await t.media.publish(intent)).toBe(true);
    expect(await t.get('real/new/o.mp4')).toBe('new');
  });

  test('rejects devices, pipes and sockets', async () => {
    const socket = createServer().listen(join(t.rootDir, 'socket'));
    await new Promise((resolve) => socket.once('listening', resolve));
    try {
      expect(await statPath('socket')).toEqual({ kind: 'special' });
      const scratch = await t.media.openScratch('job', 1);
      await expect(t.media.stage(t.root, scratch, [input('socket')], [output('o.mp4')])).rejects.toThrow('socket');
    } finally {
      socket.close();
    }
  });

  test('scratch folders are private; published files and their folders follow the umask', async () => {
    const intent = await finish(output('a/o.mp4'), { 'o.mp4': 'new' });
    const scratch = { name: intent.scratch };
    const folder = t.media.scratchFolder(scratch);
    await chmod(join(folder, 'out', 'o.mp4'), 0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(t.mediaRoot, '.telecine'))).mode & 0o777).toBe(0o700);
    const again = await t.media.prepare(t.root, scratch, [{ files: output('a/o.mp4'), report: {} }], []);
    await t.media.publish(again);
    expect((await stat(join(t.rootDir, 'a/o.mp4'))).mode & 0o777).toBe(0o666 & ~process.umask());
    expect((await stat(join(t.rootDir, 'a'))).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  test('rejects an intent of another engine or of a later build', async () => {
    const intent = await finish(output('o.mp4'), { 'o.mp4': 'new' });
    for (const foreign of [{ engine: 's3' }, { version: 2 }])
      await expect(t.media.publish({ ...intent, ...foreign })).rejects.toEqual(failure('STORAGE_FAULT'));
  });

  test('publishing on one disk links and does not copy', async () => {
    const intent = await finish(output('o.mp4'), { 'o.mp4': 'new' });
    await t.media.publish(intent);
    const { dev, ino, nlink } = await stat(join(t.rootDir, 'o.mp4'));
    expect(`${dev}:${ino}`).toBe(localIntents.read(intent).files[0]?.fileId);
    expect(nlink).toBe(2);
  });

  test('publishing does not follow an output folder that became a symlink', async () => {
    const intent = await finish(output('a/o.mp4'), { 'o.mp4': 'new' });
    await rename(join(t.rootDir, 'a'), join(t.rootDir, 'b'));
    await mkdir(join(t.home, 'private'));
    await symlink(join(t.home, 'private'), join(t.rootDir, 'a'));
    await expect(t.media.publish(intent)).rejects.toEqual(failure('UNSUPPORTED'));
    await t.media.unpublish(intent);
    expect(await readdir(join(t.home, 'private'))).toEqual([]);
  });

  test('publish resolves to false if the output folder is gone', async () => {
    const intent = await finish(output('a/o.mp4'), { 'o.mp4': 'new' });
    await rmdir(join(t.rootDir, 'a'));
    expect(await t.media.publish(intent)).toBe(false);
  });

  test('rejects an output with a reserved name', async () => {
    const files = { 'o.m3u8': 'list', '.telecine-x.ts': 'x' };
    const names = [['o.m3u8'], ['.telecine-x.ts']];
    await expect(finish(output('o.m3u8', { names }), files)).rejects.toEqual(failure('UNSUPPORTED'));
  });

  test('publishes nothing if ffmpeg made a symlink, a hard link, a pipe or a socket, whatever its name', async () => {
    await t.put('foreign.ts', 'of another client');
    const make: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
      symlink: (path) => symlink('/etc/passwd', path),
      'symlink to a folder': (path) => symlink('/etc', path),
      'hard link': (path) => link(join(t.rootDir, 'foreign.ts'), path),
      pipe: (path) => promisify(execFile)('mkfifo', [path]),
      socket: (path) => once(createServer().unref().listen(path), 'listening'),
    };
    for (const [n, [kind, makeAt]] of Object.entries(make).entries()) {
      const scratch = await t.media.openScratch('job', n + 1);
      await writeOutputs(t.media, scratch, { 'o.m3u8': 'list' });
      await makeAt(join(t.media.scratchFolder(scratch), 'out', 'o0.ts'));
      const prepared = t.media.prepare(t.root, scratch, [{ files: output('o.m3u8'), report: {} }], []);
      await expect(prepared, kind).rejects.toThrow('"o0.ts", which is not an ordinary file of its own');
      await t.media.discard(scratch);
    }
    expect(await t.list()).toEqual(['foreign.ts']);
  });

  test('sweep ends leftover processes and removes scratch folders, but none that is live or open', async () => {
    await writeOutputs(t.media, await t.media.openScratch('dead', 1), { 'half.mp4': 'half' });
    await t.media.openScratch('live', 2);
    const jobsFolder = join(t.mediaRoot, '.telecine/jobs');
    const next = await t.restart();
    await next.sweep(async () => ['live.2']);
    expect(t.ended).toContain(jobsFolder);
    const endedBefore = t.ended.length;
    const young = await next.openScratch('young', 1);
    await next.sweep(async () => ['live.2']);
    expect(await readdir(jobsFolder)).toEqual(['live.2', 'young.1']);
    expect(t.ended).toHaveLength(endedBefore);
    await next.discard(young);
  });

  test('ends processes at the first sweep only, because a later one would end those of a new job', async () => {
    const next = await t.restart();
    await next.sweep(async () => []);
    const endedBefore = t.ended.length;
    await next.sweep(async () => []);
    expect(t.ended).toHaveLength(endedBefore);
  });

  test.each(['a symlink', 'a file'])('recovers a job whose scratch folder was replaced by %s', async (what) => {
    const intent = await finish(output('o.mp4'), { 'o.mp4': 'new' });
    const media = await t.restart();
    const [scratch, moved] = ['job.7', 'moved'].map((name) => join(t.mediaRoot, '.telecine/jobs', name));
    await rename(scratch ?? '', moved ?? '');
    await (what === 'a file' ? writeFile(scratch ?? '', 'file') : symlink(moved ?? '', scratch ?? ''));
    expect(await media.publish(intent)).toBe(false);
    await media.unpublish(intent);
    await media.discard({ name: intent.scratch });
    expect(await t.list()).not.toContain('o.mp4');
    expect(await readdir(join(t.mediaRoot, '.telecine/jobs'))).toEqual(['moved']);
  });

  test('discard rejects a name that is not of a scratch folder', async () => {
    await t.put('a/o.mp4', 'film');
    for (const name of ['../../a', 'a/o.mp4', '..', '.', '', join(t.rootDir, 'a')])
      await expect(t.media.discard({ name })).rejects.toThrow('not a scratch name');
    expect(await t.get('a/o.mp4')).toBe('film');
  });

  test('scratch is in the data folder if .telecine in the media root is a symlink', async () => {
    await rm(join(t.mediaRoot, '.telecine'), { recursive: true });
    await symlink(join(t.home), join(t.mediaRoot, '.telecine'));
    const media = await t.restart();
    const intent = await finish(output('o.mp4'), { 'o.mp4': 'new' }, media);
    const folder = await realpath(media.scratchFolder({ name: intent.scratch }));
    expect(folder).toBe(join(t.home, 'data/scratch/jobs/job.7'));
    expect(await media.publish(intent)).toBe(true);
    await media.discard({ name: intent.scratch });
    expect(await t.get('o.mp4')).toBe('new');
    expect(await filesBelow(join(t.home, 'data'))).toEqual([]);
    expect(t.warnings).toHaveLength(1);
  });

  test('discards the scratch folder of a crashed job where .telecine in the media root is a file', async () => {
    await rm(join(t.mediaRoot, '.telecine'), { recursive: true });
    await writeFile(join(t.mediaRoot, '.telecine'), 'not a folder');
    const media = await t.restart();
    const scratch = await media.openScratch('job', 1);
    await writeOutputs(media, scratch, { 'o.mp4': 'x' });
    const recovered = await t.restart();
    await recovered.discard(scratch);
    expect(await filesBelow(join(t.home, 'data'))).toEqual([]);
  });
});

test('rejects a sequence of too many frames', { tags: 'long' }, async () => {
  const t = await openLocal();
  onTestFinished(() => t.close());
  await t.put('pics/0.png', 'x');
  for (let n = 1; n <= 10_000; n++) linkSync(join(t.rootDir, 'pics/0.png'), join(t.rootDir, `pics/${n}.png`));
  const scratch = await t.media.openScratch('job', 1);
  const frames = input('pics/%d.png', { logical: 'in/0/%06d.png', sequence: {} });
  await expect(t.media.stage(t.root, scratch, [frames], [output('o.mp4')])).rejects.toThrow('more than 10000 frames');
});
