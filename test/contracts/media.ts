import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test as always, beforeEach, describe, expect } from 'vitest';
import type { FailureCode } from '../../src/domain/failure.ts';
import type { Mount, PlannedInput, PlannedOutput } from '../../src/domain/plan.ts';
import type { MediaStore, Scratch } from '../../src/jobs/ports.ts';
import { at, convert, input, output } from '../fixtures/media-plans.ts';

/** An engine with an empty media root, and the means to see into it. */
export interface MediaUnderTest {
  readonly media: MediaStore;
  readonly root: string;
  put(path: string, content: string): Promise<void>;
  /** The content, or undefined where there is no such file. */
  get(path: string): Promise<string | undefined>;
  /** Every file of the root, the service's own included, by path. */
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const failure = (code: FailureCode) => expect.objectContaining({ failure: expect.objectContaining({ code }) });
const MAIN = { durationSeconds: 2, streams: [{ index: 0, type: 'video', codec: 'h264' }] } as const;

/** What every engine must do. `test`: what its tests are written with, where the machine may lack a thing. */
export function mediaContract(
  name: string,
  make: () => Promise<MediaUnderTest>,
  test: (title: string, run: () => Promise<void>) => void = always,
): void {
  describe(`media on ${name}`, () => {
    let t: MediaUnderTest;
    let scratch: Scratch;
    beforeEach(async () => {
      t = await make();
      scratch = await t.media.openScratch(t.root, 'job', 1);
    });
    afterEach(() => t.close());
    const stage = (inputs: readonly PlannedInput[], out: PlannedOutput) => t.media.stage(t.root, scratch, inputs, out);
    const prepare = (out: PlannedOutput, inputs: readonly Mount[] = []) =>
      t.media.prepare(t.root, scratch, out, MAIN, inputs);

    test('a look tells files, folders and nothing apart, and two names of one path together', async () => {
      await t.put('movies/in.mp4', 'film');
      const look = async (path: string) => (await t.media.look(t.root, [at(path)]))[0];
      expect(await look('movies/in.mp4')).toEqual({ kind: 'file', identity: expect.any(String) });
      expect(await look('movies/../movies/in.mp4')).toEqual(await look('movies/in.mp4'));
      expect(await look('movies')).toEqual({ kind: 'directory' });
      expect(await look('movies/none.mp4')).toEqual({ kind: 'missing' });
      expect(await look('none/none.mp4')).toEqual({ kind: 'missing' });
    });

    test('a staged input can be read at the place that is given for it', async () => {
      await t.put('movies/in.mp4', 'film');
      const [mount] = await stage([input('movies/in.mp4')], output('out.mp4'));
      expect(mount?.logical).toBe('in/0.mp4');
      expect(await readFile(mount?.hostPath ?? '', 'utf8')).toBe('film');
    });

    test('inputs that cannot be converted are refused by name', async () => {
      await t.put('movies/empty.mp4', '');
      await t.put('movies/in.mp4', 'film');
      await expect(stage([input('movies/none.mp4')], output('o.mp4'))).rejects.toEqual(failure('INPUT_NOT_FOUND'));
      await expect(stage([input('movies/none.mp4')], output('o.mp4'))).rejects.toThrow('"movies/none.mp4"');
      await expect(stage([input('movies')], output('o.mp4'))).rejects.toEqual(failure('INPUT_INVALID'));
      await expect(stage([input('movies/empty.mp4')], output('o.mp4'))).rejects.toThrow('empty (0 bytes)');
    });

    test('an output that cannot be published is refused before anything is converted', async () => {
      await t.put('movies/in.mp4', 'film');
      await t.put('old.mp4', 'old');
      const inputs = [input('movies/in.mp4')];
      await expect(stage(inputs, output('old.mp4'))).rejects.toEqual(failure('OUTPUT_EXISTS'));
      await expect(stage(inputs, output('movies'))).rejects.toEqual(failure('UNSUPPORTED'));
      await expect(stage(inputs, output('old.mp4/x.mp4'))).rejects.toEqual(failure('UNSUPPORTED'));
      await expect(stage(inputs, output('movies/in.mp4', { replace: true }))).rejects.toThrow('same file as the input');
      await expect(stage(inputs, output('old.mp4', { replace: true }))).resolves.toHaveLength(1);
    });

    test('a sequence is found as ffmpeg would find it, and numbered from 0', async () => {
      for (const n of [3, 4, 5, 7]) await t.put(`pics/img00${n}.png`, `frame ${n}`);
      const frames = { logical: 'in/0/%06d.png', sequence: {} };
      const [mount] = await stage([input('pics/img%03d.png', frames)], output('o.mp4'));
      expect(mount?.logical).toBe('in/0');
      const frame = (n: number) => readFile(join(mount?.hostPath ?? '', `00000${n}.png`), 'utf8');
      expect([await frame(0), await frame(1), await frame(2)]).toEqual(['frame 3', 'frame 4', 'frame 5']);
      await expect(frame(3)).rejects.toThrow();

      const late = { ...frames, sequence: { startNumber: 7 } };
      const [second] = await stage([input('pics/img%03d.png', late)], output('o.mp4'));
      expect(await readFile(join(second?.hostPath ?? '', '000000.png'), 'utf8')).toBe('frame 7');
      await expect(stage([input('pics/x%03d.png', frames)], output('o.mp4'))).rejects.toEqual(
        failure('INPUT_NOT_FOUND'),
      );
    });

    test('a pattern with wildcards is all that it matches, by name, and nothing hidden', async () => {
      for (const name of ['b.png', 'a.png', 'B.png', '.c.png', 'd.jpg', 'e.png/f.png'])
        await t.put(`pics/${name}`, name);
      const frames = { logical: 'in/0/%06d.png', sequence: { glob: true } } as const;
      await expect(stage([input('pics/*.png', frames)], output('o.mp4')), 'a folder').rejects.toThrow('e.png');
      const [few] = await stage([input('pics/[aAbB].p*', frames)], output('o.mp4'));
      const names = await Promise.all(
        [0, 1, 2].map((n) => readFile(join(few?.hostPath ?? '', `00000${n}.png`), 'utf8')),
      );
      expect(names).toEqual(['B.png', 'a.png', 'b.png']);
      await expect(stage([input('*/a.png', frames)], output('o.mp4'))).rejects.toEqual(failure('INPUT_NOT_FOUND'));
      await expect(stage([input('none/*.png', frames)], output('o.mp4'))).rejects.toEqual(failure('INPUT_NOT_FOUND'));
    });

    test('a file of exactly the pattern’s name is the only frame', async () => {
      await t.put('img%03d.png', 'odd');
      await t.put('img000.png', 'zero');
      const frames = { logical: 'in/0/%06d.png', sequence: {} };
      const [mount] = await stage([input('img%03d.png', frames)], output('o.mp4'));
      expect(await readFile(join(mount?.hostPath ?? '', '000000.png'), 'utf8')).toBe('odd');
      await expect(access(join(mount?.hostPath ?? '', '000001.png'))).rejects.toThrow();
    });

    test('a conversion appears at its path, with its folders, and leaves nothing else', async () => {
      await convert(scratch, { 'out.mp4': 'new film' });
      const intent = await prepare(output('a/b/out.mp4'));
      expect(intent.outputs).toEqual([{ path: 'a/b/out.mp4', sizeBytes: 8, fingerprint: expect.any(String), ...MAIN }]);
      expect(await t.get('a/b/out.mp4')).toBeUndefined();
      expect(await t.media.publish(intent)).toBe(true);
      expect(await t.media.publish(intent)).toBe(true);
      await t.media.discard({ dir: intent.scratch });
      expect(await t.get('a/b/out.mp4')).toBe('new film');
      expect(await t.list()).toEqual(['a/b/out.mp4']);
    });

    test('playlists appear after what they name: of each variant, then the one of all', async () => {
      const names = ['all.m3u8', 'v0/i.m3u8', 'v0/z.ts', 'v1/i.m3u8', 'v1/z.ts'];
      await convert(scratch, Object.fromEntries(names.map((name) => [name, name])));
      const variants = { logical: 'out/v%v/i.m3u8', folder: 'hls/' };
      const { files, outputs } = await prepare(output('hls/v%v/i.m3u8', { ...variants, manifest: 'all.m3u8' }));
      expect(files.map(({ path }) => path)).toEqual(
        ['v0/z.ts', 'v1/z.ts', 'v0/i.m3u8', 'v1/i.m3u8', 'all.m3u8'].map((name) => `hls/${name}`),
      );
      expect(outputs[0]).toMatchObject({ path: 'hls/all.m3u8', ...MAIN });
    });

    test('without a manifest of all, the first variant leads', async () => {
      await convert(scratch, { 'i_high.m3u8': 'high', 'i_low.m3u8': 'low', 'i_high0.ts': 'part' });
      const { outputs } = await prepare(output('hls/i_%v.m3u8', { folder: 'hls/' }));
      expect(outputs.map(({ path }) => path)).toEqual(['hls/i_high.m3u8', 'hls/i_high0.ts', 'hls/i_low.m3u8']);
    });

    test('a manifest of all that exists is refused before anything is converted', async () => {
      await t.put('movies/in.mp4', 'film');
      await t.put('hls/all.m3u8', 'old');
      const variants = { logical: 'out/i_%v.m3u8', manifest: 'all.m3u8' };
      const stageInto = (more: object) =>
        stage([input('movies/in.mp4')], output('hls/i_%v.m3u8', { ...variants, ...more }));
      await expect(stageInto({})).rejects.toThrow('hls/all.m3u8');
      await expect(stageInto({ replace: true })).resolves.toHaveLength(1);
    });

    test('the siblings of a manifest land beside it, the manifest last', async () => {
      await convert(scratch, { 'x.m3u8': 'list', 'x0.ts': 'zero', 'v1/x1.ts': 'one' });
      const intent = await prepare(output('hls/x.m3u8', { muxer: 'hls' }));
      expect(intent.files.map(({ path }) => path)).toEqual(['hls/v1/x1.ts', 'hls/x0.ts', 'hls/x.m3u8']);
      expect(intent.outputs.map(({ path }) => path)).toEqual(['hls/x.m3u8', 'hls/v1/x1.ts', 'hls/x0.ts']);
      expect(intent.outputs[1]).toMatchObject({ path: 'hls/v1/x1.ts', sizeBytes: 3 });
      expect(await t.media.publish(intent)).toBe(true);
      expect(await t.get('hls/v1/x1.ts')).toBe('one');
    });

    test('names by the date are all published; the first stands for them', async () => {
      await convert(scratch, { 'p2026-11-20.png': 'a', 'p2026-11-21.png': 'b' });
      const { outputs } = await prepare(output('pics/p%F.png', { muxer: 'image2', dated: true }));
      expect(outputs.map(({ path }) => path)).toEqual(['pics/p2026-11-20.png', 'pics/p2026-11-21.png']);
    });

    test('the frames of a numbered output are all published; the first stands for them', async () => {
      await convert(scratch, { 'f9.png': 'nine', 'f10.png': 'ten' });
      const intent = await prepare(output('pics/f%d.png', { muxer: 'image2' }));
      expect(intent.outputs).toMatchObject([
        { path: 'pics/f9.png', sizeBytes: 4, ...MAIN },
        { path: 'pics/f10.png', sizeBytes: 3 },
      ]);
      expect(await t.media.publish(intent)).toBe(true);
      expect(await t.get('pics/f10.png')).toBe('ten');
    });

    test('no output, or an empty one, is a failure of the conversion', async () => {
      await expect(prepare(output('o.mp4'))).rejects.toEqual(failure('FFMPEG_FAILED'));
      await convert(scratch, { 'o.mp4': '', 'other.ts': 'x' });
      await expect(prepare(output('o.mp4'))).rejects.toEqual(failure('FFMPEG_FAILED'));
    });

    test('a file that meanwhile took the name of one output keeps it, and none is published', async () => {
      await convert(scratch, { 'x.m3u8': 'list', 'x0.ts': 'zero', 'x1.ts': 'one' });
      const intent = await prepare(output('x.m3u8'));
      await t.put('x1.ts', 'foreign');
      await expect(t.media.publish(intent)).rejects.toEqual(failure('OUTPUT_EXISTS'));
      await t.media.discard(scratch);
      expect(await t.list()).toEqual(['x1.ts']);
      expect(await t.get('x1.ts')).toBe('foreign');
    });

    test('with "y" an existing output is replaced', async () => {
      await t.put('o.mp4', 'old');
      await convert(scratch, { 'o.mp4': 'new' });
      const intent = await prepare(output('o.mp4', { replace: true }));
      expect(await t.get('o.mp4')).toBe('old');
      expect(await t.media.publish(intent)).toBe(true);
      expect(await t.media.publish(intent)).toBe(true);
      await t.media.discard(scratch);
      expect(await t.get('o.mp4')).toBe('new');
      expect(await t.list()).toEqual(['o.mp4']);
    });

    test('an output can be taken back, unless another file has its name by then', async () => {
      await convert(scratch, { 'o.mp4': 'new', 'o1.ts': 'one' });
      const intent = await prepare(output('o.mp4'));
      await t.media.publish(intent);
      await t.media.remove(t.root, intent.outputs.slice(1));
      await t.put('o1.ts', 'foreign');
      await t.media.withdraw(intent);
      await t.media.withdraw(intent);
      expect([await t.get('o.mp4'), await t.get('o1.ts')]).toEqual([undefined, 'foreign']);
    });

    test('a publishing whose finished files are gone cannot be finished, and says so', async () => {
      await convert(scratch, { 'o.mp4': 'new' });
      const intent = await prepare(output('o.mp4'));
      await t.media.discard(scratch);
      expect(await t.media.publish(intent)).toBe(false);
      expect(await t.list()).toEqual([]);
    });

    test('only the very files that were published are deleted: not what took their name since, or was changed', async () => {
      await convert(scratch, { 'o.m3u8': 'list', 'o0.ts': 'zero', 'o1.ts': 'one', 'o2.ts': 'two' });
      const intent = await prepare(output('a/o.m3u8'));
      await t.media.publish(intent);
      await t.put('a/b.mp4', 'other');
      await t.put('a/o0.ts', 'four');
      await t.media.remove(
        t.root,
        intent.outputs.filter(({ path }) => path === 'a/o1.ts'),
      );
      await t.put('a/o1.ts', 'one');
      const foreign = ['a/b.mp4', 'a', 'a/none.mp4', 'none/x.mp4', '../outside.mp4'].map((path) => ({ path }));
      await t.media.remove(t.root, [...intent.outputs, ...foreign]);
      await t.media.discard(scratch);
      expect(await t.list()).toEqual(['a/b.mp4', 'a/o0.ts', 'a/o1.ts']);
    });

    test('with "y", files beside the output never replace an input', async () => {
      await t.put('x.m3u8', 'old list');
      await t.put('in.mp4', 'film');
      const out = output('x.m3u8', { replace: true });
      const inputs = await stage([input('in.mp4')], out);
      await convert(scratch, { 'x.m3u8': 'list', 'in.mp4': 'segment' });
      await expect(prepare(out, inputs)).rejects.toEqual(failure('INPUT_INVALID'));
      expect([await t.get('in.mp4'), await t.get('x.m3u8')]).toEqual(['film', 'old list']);
    });

    test('with "y", files beside the output are replaced together with it, and not otherwise', async () => {
      await t.put('x0.ts', 'old');
      await convert(scratch, { 'x.m3u8': 'list', 'x0.ts': 'new' });
      const out = output('x.m3u8', { replace: true });
      await expect(prepare(out)).rejects.toEqual(failure('OUTPUT_EXISTS'));
      await t.media.discard(scratch);
      expect([await t.get('x0.ts'), await t.get('x.m3u8')]).toEqual(['old', undefined]);
      await t.put('x.m3u8', 'old list');
      scratch = await t.media.openScratch(t.root, 'job', 2);
      await convert(scratch, { 'x.m3u8': 'list', 'x0.ts': 'new' });
      expect(await t.media.publish(await prepare(out))).toBe(true);
      expect([await t.get('x0.ts'), await t.get('x.m3u8')]).toEqual(['new', 'list']);
    });

    test('what a conversion has written so far is counted, inputs are not', async () => {
      await t.put('in.mp4', 'film');
      await stage([input('in.mp4')], output('o.mp4'));
      expect((await t.media.used(scratch)).bytes).toBeLessThan(50_000);
      await convert(scratch, { 'o.mp4': 'x'.repeat(100_000), 'deep/o.ts': 'x'.repeat(100_000) });
      const { bytes } = await t.media.used(scratch);
      expect(bytes).toBeGreaterThanOrEqual(200_000);
      expect(bytes).toBeLessThan(300_000);
    });

    test('free space is a number of bytes', async () => {
      expect(await t.media.freeBytes()).toBeGreaterThan(0);
    });
  });
}
