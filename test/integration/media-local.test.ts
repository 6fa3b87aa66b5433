import { linkSync } from 'node:fs';
import { chmod, link, mkdir, readdir, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PlannedOutput } from '../../src/domain/plan.ts';
import { failure, mediaContract } from '../contracts/media.ts';
import { filesBelow, type LocalUnderTest, openLocal } from '../fixtures/local-media.ts';
import { at, convert, input, made, output } from '../fixtures/media-plans.ts';
import { needs } from '../support/needs.ts';

mediaContract('a local disk', () => openLocal('own'));
mediaContract("a local disk, in a client's folder below the media root", () => openLocal('below'));
mediaContract('a local disk, with a client on another one', () => openLocal('elsewhere'), needs('another disk'));

describe('a local disk', () => {
  let t: LocalUnderTest;
  beforeEach(async () => {
    t = await openLocal();
  });
  afterEach(() => t.close());
  const look = async (path: string) => (await t.media.look(t.root, [at(path)]))[0] ?? { kind: 'not looked at' };
  const finish = async (out: PlannedOutput, files: Readonly<Record<string, string>>, media = t.media) => {
    const scratch = await media.openScratch(t.root, 'job', 7);
    await convert(scratch, files);
    return media.prepare(t.root, scratch, out, {}, []);
  };

  test('hard links and symlinks of one file have one identity', async () => {
    await t.put('in.mp4', 'film');
    await link(join(t.root, 'in.mp4'), join(t.root, 'hard.mp4'));
    await symlink('in.mp4', join(t.root, 'soft.mp4'));
    await symlink(t.root, join(t.root, 'again'));
    const file = await look('in.mp4');
    expect([await look('hard.mp4'), await look('soft.mp4'), await look('again/again/in.mp4')]).toEqual([
      file,
      file,
      file,
    ]);
    const scratch = await t.media.openScratch(t.root, 'job', 1);
    const onto = (path: string) => t.media.stage(t.root, scratch, [input('in.mp4')], output(path, { replace: true }));
    await expect(onto('hard.mp4')).rejects.toThrow('same file as the input');
    await expect(onto('again/soft.mp4')).rejects.toThrow('same file as the input');
  });

  test('a symlink that leads out is outside, wherever it is on the way and whatever it leads to', async () => {
    await mkdir(join(t.home, 'private'));
    await mkdir(join(t.root, 'sub'));
    await symlink('/etc', join(t.root, 'etc'));
    await symlink('../private', join(t.root, 'up'));
    await symlink('../../nowhere/at/all', join(t.root, 'sub', 'dangling'));
    await symlink('etc', join(t.root, 'twice'));
    await symlink('../media-else', join(t.root, 'near'));
    await symlink('.telecine/jobs', join(t.root, 'scratch'));
    for (const path of ['etc', 'etc/passwd', 'etc/none', 'up', 'up/x.mp4', 'sub/dangling', 'twice/passwd', 'near/x'])
      expect([path, await look(path)]).toEqual([path, { kind: 'outside' }]);
    expect(await look('scratch/x.mp4')).toEqual({ kind: 'outside' });
    const scratch = await t.media.openScratch(t.root, 'job', 1);
    await t.put('in.mp4', 'film');
    await expect(t.media.stage(t.root, scratch, [input('etc/passwd')], output('o.mp4'))).rejects.toEqual(
      failure('INPUT_INVALID'),
    );
    for (const path of ['up/o.mp4', 'up/deep/o.mp4', 'sub/dangling', 'sub/dangling/o.mp4'])
      await expect(t.media.stage(t.root, scratch, [input('in.mp4')], output(path))).rejects.toEqual(
        failure('UNSUPPORTED'),
      );
    await convert(scratch, { 'o.mp4': 'x' });
    for (const path of ['up/o.mp4', 'up/deep/o.mp4', 'sub/dangling/o.mp4'])
      await expect(t.media.prepare(t.root, scratch, output(path), {}, [])).rejects.toEqual(failure('UNSUPPORTED'));
    expect(await readdir(join(t.home, 'private'))).toEqual([]);
    const kept = join(t.home, 'private', 'kept.mp4');
    await writeFile(kept, 'private');
    await t.media.remove(t.root, [await made('up/kept.mp4', kept)]);
    expect(await readdir(join(t.home, 'private'))).toEqual(['kept.mp4']);
  });

  test('the service’s own folders and files are nobody’s, also of a client whose root lies around them', async () => {
    const own = [join(t.home, 'data'), join(t.home, 'keys', 'secret')];
    const media = await t.restart({ own });
    await mkdir(join(t.home, 'data'));
    await mkdir(join(t.home, 'keys'));
    await mkdir(join(t.home, 'database'));
    for (const path of [join(t.home, 'data', 'telecine.db'), join(t.home, 'keys', 'secret')])
      await writeFile(path, 'secret');
    await writeFile(join(t.home, 'database', 'in.mp4'), 'film');
    await symlink('data', join(t.home, 'alias'));
    const closed = ['data/telecine.db', 'DATA/telecine.db', 'data/new.mp4', 'data', 'keys/secret', 'alias/telecine.db'];
    for (const path of closed)
      expect([path, await media.look(t.home, [at(path)])]).toEqual([path, [{ kind: 'outside' }]]);
    expect(await media.look(t.home, [at('keys/in.mp4'), at('database/in.mp4')])).toMatchObject([
      { kind: 'missing' },
      { kind: 'file' },
    ]);

    const scratch = await media.openScratch(t.home, 'job', 1);
    const stage = (path: string, out = output('keys/o.mp4')) => media.stage(t.home, scratch, [input(path)], out);
    for (const path of ['data/telecine.db', 'keys/secret', 'alias/telecine.db'])
      await expect(stage(path)).rejects.toThrow('files of the service');
    await expect(stage('database/in.mp4')).resolves.toHaveLength(1);
    for (const path of ['data/telecine.db', 'data/new.mp4', 'keys/secret'])
      await expect(stage('database/in.mp4', output(path, { replace: true }))).rejects.toEqual(failure('UNSUPPORTED'));

    await convert(scratch, { 'o.m3u8': 'list', secret: 'mine' });
    for (const path of ['keys/o.m3u8', 'data/o.m3u8'])
      await expect(media.prepare(t.home, scratch, output(path, { replace: true }), {}, [])).rejects.toEqual(
        failure('UNSUPPORTED'),
      );
    await media.remove(t.home, [
      await made('data/telecine.db', join(t.home, 'data', 'telecine.db')),
      await made('keys/secret', join(t.home, 'keys', 'secret')),
    ]);
    expect(await readdir(join(t.home, 'data'))).toEqual(['telecine.db']);
    expect(await readdir(join(t.home, 'keys'))).toEqual(['secret']);
  });

  test('a media root that lies in a folder of the service is its clients’, the rest of that folder is not', async () => {
    const media = await t.restart({ own: [t.home, join(t.mediaRoot, 'data')] });
    await t.put('in.mp4', 'film');
    await t.put('data/telecine.db', 'secret');
    expect(await media.look(t.root, [at('in.mp4'), at('data/telecine.db')])).toMatchObject([
      { kind: 'file' },
      { kind: 'outside' },
    ]);
    await mkdir(join(t.home, 'else'));
    expect(await media.look('/', [at(`${t.root}/in.mp4`), at(`${t.home}/else/x.mp4`)])).toMatchObject([
      { kind: 'file' },
      { kind: 'outside' },
    ]);
  });

  test('symlinks that stay inside are followed, dangling ones included', async () => {
    await t.put('real/in.mp4', 'film');
    await symlink('real', join(t.root, 'alias'));
    await symlink('real/later/../later.mp4', join(t.root, 'later.mp4'));
    await symlink('loop', join(t.root, 'loop'));
    expect((await look('alias/in.mp4')).kind).toBe('file');
    expect(await look('alias/none.mp4')).toEqual({ kind: 'missing' });
    expect(await look('later.mp4')).toEqual({ kind: 'missing' });
    expect(await look('loop')).toEqual({ kind: 'special' });
    const scratch = await t.media.openScratch(t.root, 'job', 1);
    await expect(t.media.stage(t.root, scratch, [input('alias/in.mp4')], output('later.mp4'))).rejects.toEqual(
      failure('OUTPUT_EXISTS'),
    );
    const intent = await finish(output('alias/new/o.mp4'), { 'o.mp4': 'new' });
    expect(await t.media.publish(intent)).toBe(true);
    expect(await t.get('real/new/o.mp4')).toBe('new');
  });

  test('devices, pipes and sockets are no media', async () => {
    const socket = createServer().listen(join(t.root, 'socket'));
    await new Promise((resolve) => socket.once('listening', resolve));
    try {
      expect(await look('socket')).toEqual({ kind: 'special' });
      const scratch = await t.media.openScratch(t.root, 'job', 1);
      await expect(t.media.stage(t.root, scratch, [input('socket')], output('o.mp4'))).rejects.toThrow('socket');
    } finally {
      socket.close();
    }
  });

  test('scratch is private, published files and their folders are not', async () => {
    const intent = await finish(output('a/o.mp4'), { 'o.mp4': 'new' });
    await chmod(join(intent.scratch, 'out', 'o.mp4'), 0o600);
    expect((await stat(intent.scratch)).mode & 0o777).toBe(0o700);
    expect((await stat(join(t.mediaRoot, '.telecine'))).mode & 0o777).toBe(0o700);
    const again = await t.media.prepare(t.root, { name: 'job.7', dir: intent.scratch }, output('a/o.mp4'), {}, []);
    await t.media.publish(again);
    expect((await stat(join(t.root, 'a/o.mp4'))).mode & 0o777).toBe(0o666 & ~process.umask());
    expect((await stat(join(t.root, 'a'))).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  test('publishing on one disk links, and copies nothing', async () => {
    const intent = await finish(output('o.mp4'), { 'o.mp4': 'new' });
    await t.media.publish(intent);
    const { dev, ino, nlink } = await stat(join(t.root, 'o.mp4'));
    expect(`${dev}:${ino}`).toBe(intent.files[0]?.identity);
    expect(nlink).toBe(2);
  });

  test('a folder of the output that becomes a symlink before publishing is not followed', async () => {
    const intent = await finish(output('a/o.mp4'), { 'o.mp4': 'new' });
    await rename(join(t.root, 'a'), join(t.root, 'b'));
    await mkdir(join(t.home, 'private'));
    await symlink(join(t.home, 'private'), join(t.root, 'a'));
    await expect(t.media.publish(intent)).rejects.toEqual(failure('UNSUPPORTED'));
    await t.media.withdraw(intent);
    expect(await readdir(join(t.home, 'private'))).toEqual([]);
  });

  test('a folder of the output that is gone before publishing means converting again', async () => {
    const intent = await finish(output('a/o.mp4'), { 'o.mp4': 'new' });
    await rmdir(join(t.root, 'a'));
    expect(await t.media.publish(intent)).toBe(false);
  });

  test('what no client may name is not published for one', async () => {
    const files = { 'o.m3u8': 'list', '.telecine-x.ts': 'x' };
    await expect(finish(output('o.m3u8'), files)).rejects.toEqual(failure('UNSUPPORTED'));
  });

  test('a symlink among the outputs is not published', async () => {
    const scratch = await t.media.openScratch(t.root, 'job', 1);
    await convert(scratch, { 'o.m3u8': 'list' });
    await symlink('/etc/passwd', join(scratch.dir, 'out', 'o0.ts'));
    const intent = await t.media.prepare(t.root, scratch, output('o.m3u8'), {}, []);
    expect(intent.files.map(({ path }) => path)).toEqual(['o.m3u8']);
  });

  test('a sweep removes the scratch of no live job, ends what runs there, and leaves what is open', async () => {
    await convert(await t.media.openScratch(t.root, 'dead', 1), { 'half.mp4': 'half' });
    await t.media.openScratch(t.root, 'live', 2);
    const room = join(t.mediaRoot, '.telecine/jobs');
    const next = await t.restart();
    await next.sweep(new Set(['live.2']));
    expect(t.ended).toContain(room);
    const endedBefore = t.ended.length;
    const young = await next.openScratch(t.root, 'young', 1);
    await next.sweep(new Set(['live.2']));
    expect(await readdir(room)).toEqual(['live.2', 'young.1']);
    expect(t.ended).toHaveLength(endedBefore);
    await next.discard(young);
  });

  test('only scratch is ever discarded', async () => {
    await t.put('a/o.mp4', 'film');
    await expect(t.media.discard({ dir: join(t.root, 'a') })).rejects.toThrow('no scratch folder');
    await expect(t.media.discard({ dir: t.root })).rejects.toThrow('no scratch folder');
    expect(await t.get('a/o.mp4')).toBe('film');
  });

  test('where the media root has a stranger’s .telecine, scratch lies in the data folder', async () => {
    await rm(join(t.mediaRoot, '.telecine'), { recursive: true });
    await symlink(join(t.home), join(t.mediaRoot, '.telecine'));
    const media = await t.restart();
    const intent = await finish(output('o.mp4'), { 'o.mp4': 'new' }, media);
    expect(intent.scratch).toBe(join(t.home, 'data/scratch/jobs/job.7'));
    expect(await media.publish(intent)).toBe(true);
    await media.discard({ dir: intent.scratch });
    expect(await t.get('o.mp4')).toBe('new');
    expect(await filesBelow(join(t.home, 'data'))).toEqual([]);
    expect(t.warnings).toHaveLength(1);
  });

  test('a sequence of too many frames is refused', async () => {
    await t.put('pics/0.png', 'x');
    for (let n = 1; n <= 10_000; n++) linkSync(join(t.root, 'pics/0.png'), join(t.root, `pics/${n}.png`));
    const scratch = await t.media.openScratch(t.root, 'job', 1);
    const frames = input('pics/%d.png', { logical: 'in/0/%06d.png', sequence: {} });
    await expect(t.media.stage(t.root, scratch, [frames], output('o.mp4'))).rejects.toThrow('more than 10000 frames');
  });
});
