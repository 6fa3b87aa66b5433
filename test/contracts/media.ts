import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, test as always, beforeEach, describe, expect } from 'vitest';
import type { FailureCode } from '../../packages/contract/src/domain/failure.ts';
import type { MediaRoot } from '../../packages/contract/src/domain/media-root.ts';
import type { OutputFiles, PlannedInput } from '../../packages/contract/src/domain/plan.ts';
import type {
  MediaStore,
  PublishIntent,
  Scratch,
  StagedInput,
} from '../../packages/service/src/jobs/ports/media-store.ts';
import { at, input, output, writeOutputs } from '../fixtures/media-plans.ts';
import { waitUntil } from '../support/wait.ts';

/** An engine that the suite runs on. */
export interface MediaEngine {
  readonly name: string;
  /** Opens the engine with an empty media root. */
  open(): Promise<MediaUnderTest>;
  /**
   * Returns the paths of an intent in the order of publishing. Absent if the engine publishes all files in one step.
   */
  readonly publishOrder?: (intent: PublishIntent) => readonly string[];
}

/** An open engine, and access to its files from outside. */
export interface MediaUnderTest {
  readonly media: MediaStore;
  readonly root: MediaRoot;
  put(path: string, content: string): Promise<void>;
  /** Returns the content of a file, or undefined if it does not exist. */
  get(path: string): Promise<string | undefined>;
  /** The paths of all files in the root, reserved ones included. */
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const failure = (code: FailureCode) => expect.objectContaining({ failure: expect.objectContaining({ code }) });
const MAIN = { durationSeconds: 2, streams: [{ index: 0, type: 'video', codec: 'h264' }] } as const;

type Test = (title: string, run: () => Promise<void>) => void;

/** Defines the tests that every media engine must pass. `test`: may skip them if the machine lacks a requirement. */
export function mediaContract({ name, open, publishOrder }: MediaEngine, test: Test = always): void {
  describe(`media on ${name}`, () => {
    let t: MediaUnderTest;
    let scratch: Scratch;
    beforeEach(async () => {
      t = await open();
      scratch = await t.media.openScratch('job', 1);
    });
    afterEach(() => t.close());
    const stage = (inputs: readonly PlannedInput[], out: OutputFiles) => t.media.stage(t.root, scratch, inputs, [out]);
    /** Returns the intent as the store returns it, after a round trip through JSON. */
    const prepare = async (out: OutputFiles, inputs: readonly StagedInput[] = []): Promise<PublishIntent> =>
      JSON.parse(JSON.stringify(await t.media.prepare(t.root, scratch, [{ files: out, report: MAIN }], inputs)));
    const convert = (files: Readonly<Record<string, string>>) => writeOutputs(t.media, scratch, files);
    const mountOf = (staged: StagedInput | undefined) => {
      const [mount] = staged === undefined ? [] : t.media.mounts([staged]);
      if (mount === undefined) throw new Error('Nothing was staged.');
      return mount;
    };
    const frame = (staged: StagedInput | undefined, n: number) => join(mountOf(staged).hostPath, `00000${n}.png`);
    const readFrame = (staged: StagedInput | undefined, n: number) => readFile(frame(staged, n), 'utf8');

    test('statPaths distinguishes files, folders and missing paths, and gives one file one id', async () => {
      await t.put('movies/in.mp4', 'film');
      const stat = async (path: string) => (await t.media.statPaths(t.root, [at(path)]))[0];
      const film = { kind: 'file', fileId: expect.any(String), fingerprint: expect.any(String), sizeBytes: 4 };
      expect(await stat('movies/in.mp4')).toEqual(film);
      expect(await stat('movies/../movies/in.mp4')).toEqual(await stat('movies/in.mp4'));
      expect(await stat('movies')).toEqual({ kind: 'directory' });
      expect(await stat('movies/none.mp4')).toEqual({ kind: 'missing' });
      expect(await stat('none/none.mp4')).toEqual({ kind: 'missing' });
    });

    test('statPaths shows that a file was written over', async () => {
      const stat = async () => (await t.media.statPaths(t.root, [at('in.mp4')]))[0];
      await t.put('in.mp4', 'film');
      const before = await stat();
      await t.put('in.mp4', 'another film');
      expect(await stat()).toMatchObject({ kind: 'file', fingerprint: expect.any(String) });
      expect(await stat()).not.toEqual(before);
    });

    test('statPaths shows that a file was written over by one of the same size', async () => {
      const stat = async () => (await t.media.statPaths(t.root, [at('in.mp4')]))[0];
      await t.put('in.mp4', 'film');
      const before = await stat();
      // Kernels before 6.13 take the times of a file from a tick of the clock, so write until the tick is another one.
      await waitUntil('another version', async () => {
        await t.put('in.mp4', 'word');
        return isDeepStrictEqual(await stat(), before) ? undefined : true;
      });
      expect(await t.get('in.mp4')).toBe('word');
    });

    test('a staged input has the version that statPaths shows', async () => {
      await t.put('movies/in.mp4', 'film');
      const [stat] = await t.media.statPaths(t.root, [at('movies/in.mp4')]);
      const [staged] = await stage([input('movies/in.mp4')], output('out.mp4'));
      const probed = await t.media.stageFile(t.root, at('movies/in.mp4'), 'in/0.mp4');
      await t.media.removeInput(probed);
      expect(stat).toMatchObject({ ...staged?.file });
      expect(probed.file).toEqual(staged?.file);
      expect(staged?.file).toEqual({ fileId: expect.any(String), fingerprint: expect.any(String) });
    });

    test('a staged input can be read at its mount', async () => {
      await t.put('movies/in.mp4', 'film');
      const [staged] = await stage([input('movies/in.mp4')], output('out.mp4'));
      expect(mountOf(staged).logical).toBe('in/0.mp4');
      expect(await readFile(mountOf(staged).hostPath, 'utf8')).toBe('film');
    });

    test('rejects an input that is missing, a folder or empty, and names it', async () => {
      await t.put('movies/empty.mp4', '');
      await t.put('movies/in.mp4', 'film');
      await expect(stage([input('movies/none.mp4')], output('o.mp4'))).rejects.toEqual(failure('INPUT_NOT_FOUND'));
      await expect(stage([input('movies/none.mp4')], output('o.mp4'))).rejects.toThrow('"movies/none.mp4"');
      await expect(stage([input('movies')], output('o.mp4'))).rejects.toEqual(failure('INPUT_INVALID'));
      await expect(stage([input('movies/empty.mp4')], output('o.mp4'))).rejects.toThrow('empty (0 bytes)');
    });

    test('staging rejects an output that could not be published', async () => {
      await t.put('movies/in.mp4', 'film');
      await t.put('old.mp4', 'old');
      const inputs = [input('movies/in.mp4')];
      await expect(stage(inputs, output('old.mp4'))).rejects.toEqual(failure('OUTPUT_EXISTS'));
      await expect(stage(inputs, output('movies'))).rejects.toEqual(failure('UNSUPPORTED'));
      await expect(stage(inputs, output('old.mp4/x.mp4'))).rejects.toEqual(failure('UNSUPPORTED'));
      await expect(stage(inputs, output('movies/in.mp4', { replace: true }))).rejects.toThrow('same file as the input');
      await expect(stage(inputs, output('old.mp4', { replace: true }))).resolves.toHaveLength(1);
    });

    test('finds the frames of a sequence as ffmpeg does, and numbers them from 0', async () => {
      for (const n of [3, 4, 5, 7]) await t.put(`pics/img00${n}.png`, `frame ${n}`);
      const frames = { logical: 'in/0/%06d.png', sequence: {} };
      const [first] = await stage([input('pics/img%03d.png', frames)], output('o.mp4'));
      expect(mountOf(first).logical).toBe('in/0');
      const read = await Promise.all([0, 1, 2].map((n) => readFrame(first, n)));
      expect(read).toEqual(['frame 3', 'frame 4', 'frame 5']);
      await expect(readFrame(first, 3)).rejects.toThrow();

      const late = { ...frames, sequence: { startNumber: 7 } };
      const [second] = await stage([input('pics/img%03d.png', late)], output('o.mp4'));
      expect(await readFrame(second, 0)).toBe('frame 7');
      await expect(stage([input('pics/x%03d.png', frames)], output('o.mp4'))).rejects.toEqual(
        failure('INPUT_NOT_FOUND'),
      );
    });

    test('a sequence whose files have other digits, or other numbers, fails with the names of these files', async () => {
      for (const n of [17, 18]) await t.put(`shots/img0${n}.png`, `frame ${n}`);
      for (const n of [1, 2]) await t.put(`shots/still_0${n}.png`, `frame ${n}`);
      const failureOf = (path: string, sequence = {}) =>
        stage([input(path, { logical: 'in/0/%06d.png', sequence })], output('o.mp4')).then(
          () => undefined,
          (error) => error.failure,
        );
      const named = (first: string, last: string) => ({
        code: 'INPUT_NOT_FOUND',
        message: expect.stringMatching(new RegExp(`, and the files are "${first}" to "${last}"\\.$`)),
        fix: 'Send the pattern of these files, and their first number as "start_number" in the parameters of this input.',
      });
      expect(await failureOf('shots/still_%d.png')).toMatchObject(named('still_01.png', 'still_02.png'));
      const late = named('img017.png', 'img018.png');
      expect(await failureOf('shots/img%d.png')).toMatchObject(late);
      expect(await failureOf('shots/img%03d.png', { startNumber: 30 })).toMatchObject(late);
      const meant = { logical: 'in/0/%06d.png', sequence: { startNumber: 17 } };
      expect(await readFrame((await stage([input('shots/img%03d.png', meant)], output('o.mp4')))[0], 1)).toBe(
        'frame 18',
      );
    });

    test('a wildcard stages all matching files by name, without hidden ones', async () => {
      for (const name of ['b.png', 'a.png', 'B.png', '.c.png', 'd.jpg', 'e.png/f.png'])
        await t.put(`pics/${name}`, name);
      const frames = { logical: 'in/0/%06d.png', sequence: { glob: true } } as const;
      await expect(stage([input('pics/*.png', frames)], output('o.mp4')), 'a folder').rejects.toThrow('e.png');
      const [stagedPictures] = await stage([input('pics/[aAbB].p*', frames)], output('o.mp4'));
      const names = await Promise.all([0, 1, 2].map((n) => readFrame(stagedPictures, n)));
      expect(names).toEqual(['B.png', 'a.png', 'b.png']);
      await expect(stage([input('*/a.png', frames)], output('o.mp4'))).rejects.toEqual(failure('INPUT_NOT_FOUND'));
      await expect(stage([input('none/*.png', frames)], output('o.mp4'))).rejects.toEqual(failure('INPUT_NOT_FOUND'));
    });

    test('an abort ends the staging of a wildcard', async () => {
      for (const name of ['a.png', 'b.png']) await t.put(name, name);
      const frames = input('*.png', { logical: 'in/0/%06d.png', sequence: { glob: true } });
      const signal = AbortSignal.abort(new Error('cancelled'));
      await expect(t.media.stage(t.root, scratch, [frames], [output('o.mp4')], { signal })).rejects.toThrow(
        'cancelled',
      );
    });

    test('a file named exactly as the pattern is the only frame', async () => {
      await t.put('img%03d.png', 'odd');
      await t.put('img000.png', 'zero');
      const frames = { logical: 'in/0/%06d.png', sequence: {} };
      const [only] = await stage([input('img%03d.png', frames)], output('o.mp4'));
      expect(await readFrame(only, 0)).toBe('odd');
      await expect(access(frame(only, 1))).rejects.toThrow();
    });

    test('publishes an output at its path, creates its folders and leaves no other file', async () => {
      await convert({ 'out.mp4': 'new film' });
      const intent = await prepare(output('a/b/out.mp4'));
      expect(intent.outputs).toEqual([{ path: 'a/b/out.mp4', sizeBytes: 8, fingerprint: expect.any(String), ...MAIN }]);
      expect(await t.get('a/b/out.mp4')).toBeUndefined();
      expect(await t.media.publish(intent)).toBe(true);
      expect(await t.media.publish(intent)).toBe(true);
      await t.media.discard({ name: intent.scratch });
      expect(await t.get('a/b/out.mp4')).toBe('new film');
      expect(await t.list()).toEqual(['a/b/out.mp4']);
    });

    const ordered: Test = publishOrder === undefined ? always.skip : test;
    ordered('publishes playlists after the files that they refer to, and the manifest last', async () => {
      const names = ['all.m3u8', 'v0/i.m3u8', 'v0/z.ts', 'v1/i.m3u8', 'v1/z.ts'];
      await convert(Object.fromEntries(names.map((name) => [name, name])));
      const variants = { logical: 'out/v%v/i.m3u8', folder: 'hls/' };
      const intent = await prepare(output('hls/v%v/i.m3u8', { ...variants, manifest: 'all.m3u8' }));
      expect(publishOrder?.(intent)).toEqual(
        ['v0/z.ts', 'v1/z.ts', 'v0/i.m3u8', 'v1/i.m3u8', 'all.m3u8'].map((name) => `hls/${name}`),
      );
    });

    test('a manifest is the main output', async () => {
      await convert({ 'all.m3u8': 'all', 'v0/i.m3u8': 'list', 'v0/z.ts': 'part' });
      const variants = { logical: 'out/v%v/i.m3u8', folder: 'hls/', manifest: 'all.m3u8' };
      const { outputs } = await prepare(output('hls/v%v/i.m3u8', variants));
      expect(outputs[0]).toMatchObject({ path: 'hls/all.m3u8', ...MAIN });
    });

    test('without a manifest, the first variant is the main output', async () => {
      await convert({ 'i_high.m3u8': 'high', 'i_low.m3u8': 'low', 'i_high0.ts': 'part' });
      const { outputs } = await prepare(output('hls/i_%v.m3u8', { folder: 'hls/' }));
      expect(outputs.map(({ path }) => path)).toEqual(['hls/i_high.m3u8', 'hls/i_high0.ts', 'hls/i_low.m3u8']);
    });

    test('staging rejects a manifest that exists', async () => {
      await t.put('movies/in.mp4', 'film');
      await t.put('hls/all.m3u8', 'old');
      const variants = { logical: 'out/i_%v.m3u8', manifest: 'all.m3u8' };
      const stageInto = (more: object) =>
        stage([input('movies/in.mp4')], output('hls/i_%v.m3u8', { ...variants, ...more }));
      await expect(stageInto({})).rejects.toThrow('hls/all.m3u8');
      await expect(stageInto({ replace: true })).resolves.toHaveLength(1);
    });

    test('publishes segments in the folder of the manifest', async () => {
      await convert({ 'x.m3u8': 'list', 'x0.ts': 'zero', 'v1/x1.ts': 'one' });
      const intent = await prepare(output('hls/x.m3u8', { muxer: 'hls' }));
      expect(intent.outputs.map(({ path }) => path)).toEqual(['hls/x.m3u8', 'hls/v1/x1.ts', 'hls/x0.ts']);
      expect(intent.outputs[1]).toMatchObject({ path: 'hls/v1/x1.ts', sizeBytes: 3 });
      expect(await t.media.publish(intent)).toBe(true);
      expect(await t.get('hls/v1/x1.ts')).toBe('one');
    });

    test('publishes all files with dates in their names; the first is the main output', async () => {
      await convert({ 'p2026-11-20.png': 'a', 'p2026-11-21.png': 'b' });
      const { outputs } = await prepare(output('pics/p%F.png', { muxer: 'image2', dated: true }));
      expect(outputs.map(({ path }) => path)).toEqual(['pics/p2026-11-20.png', 'pics/p2026-11-21.png']);
    });

    test('publishes all frames of a numbered output; the first is the main output', async () => {
      await convert({ 'f9.png': 'nine', 'f10.png': 'ten' });
      const intent = await prepare(output('pics/f%d.png', { muxer: 'image2' }));
      expect(intent.outputs).toMatchObject([
        { path: 'pics/f9.png', sizeBytes: 4, ...MAIN },
        { path: 'pics/f10.png', sizeBytes: 3 },
      ]);
      expect(await t.media.publish(intent)).toBe(true);
      expect(await t.get('pics/f10.png')).toBe('ten');
    });

    test('a missing or empty output is FFMPEG_FAILED', async () => {
      await expect(prepare(output('o.mp4'))).rejects.toEqual(failure('FFMPEG_FAILED'));
      await convert({ 'o.mp4': '', 'other.ts': 'x' });
      await expect(prepare(output('o.mp4'))).rejects.toEqual(failure('FFMPEG_FAILED'));
    });

    test('publishes nothing if ffmpeg wrote a file that is not in the plan', async () => {
      const unplanned = ['.bash_profile', '.ssh/authorized_keys', 'x0.ts\n', 'X0.ts', 'x0.ts/a', 'x.m3u8.tmp', 'o.mp4'];
      for (const [n, name] of unplanned.entries()) {
        scratch = await t.media.openScratch('job', n + 2);
        await convert({ 'x.m3u8': 'list', [name]: 'unplanned' });
        const prepared = prepare(
          output('x.m3u8', { replace: true, names: [['x.m3u8'], ['x', { any: 'number' }, '.ts']] }),
        );
        await expect(prepared, name).rejects.toEqual(failure('FFMPEG_FAILED'));
        await t.media.discard(scratch);
      }
      expect(await t.list()).toEqual([]);
    });

    test('publishes nothing if another file has the path of an output', async () => {
      await convert({ 'x.m3u8': 'list', 'x0.ts': 'zero', 'x1.ts': 'one' });
      const intent = await prepare(output('x.m3u8'));
      await t.put('x1.ts', 'foreign');
      await expect(t.media.publish(intent)).rejects.toEqual(failure('OUTPUT_EXISTS'));
      await t.media.discard(scratch);
      expect(await t.list()).toEqual(['x1.ts']);
      expect(await t.get('x1.ts')).toBe('foreign');
    });

    test('"y" replaces an existing output', async () => {
      await t.put('o.mp4', 'old');
      await convert({ 'o.mp4': 'new' });
      const intent = await prepare(output('o.mp4', { replace: true }));
      expect(await t.get('o.mp4')).toBe('old');
      expect(await t.media.publish(intent)).toBe(true);
      expect(await t.media.publish(intent)).toBe(true);
      await t.media.discard(scratch);
      expect(await t.get('o.mp4')).toBe('new');
      expect(await t.list()).toEqual(['o.mp4']);
    });

    test('unpublish removes an output, but not a file that replaced it', async () => {
      await convert({ 'o.mp4': 'new', 'o1.ts': 'one' });
      const intent = await prepare(output('o.mp4'));
      await t.media.publish(intent);
      await t.media.removeOutputs(t.root, intent.outputs.slice(1));
      await t.put('o1.ts', 'foreign');
      await t.media.unpublish(intent);
      await t.media.unpublish(intent);
      expect([await t.get('o.mp4'), await t.get('o1.ts')]).toEqual([undefined, 'foreign']);
    });

    test('publish resolves to false if the finished files are gone', async () => {
      await convert({ 'o.mp4': 'new' });
      const intent = await prepare(output('o.mp4'));
      await t.media.discard(scratch);
      expect(await t.media.publish(intent)).toBe(false);
      expect(await t.list()).toEqual([]);
    });

    test('removeOutputs deletes published files, but none that was replaced or changed', async () => {
      await convert({ 'o.m3u8': 'list', 'o0.ts': 'zero', 'o1.ts': 'one', 'o2.ts': 'two' });
      const intent = await prepare(output('a/o.m3u8'));
      await t.media.publish(intent);
      await t.put('a/b.mp4', 'other');
      await t.put('a/o0.ts', 'four');
      await t.media.removeOutputs(
        t.root,
        intent.outputs.filter(({ path }) => path === 'a/o1.ts'),
      );
      await t.put('a/o1.ts', 'one');
      const foreign = ['a/b.mp4', 'a', 'a/none.mp4', 'none/x.mp4', '../outside.mp4'].map((path) => ({ path }));
      await t.media.removeOutputs(t.root, [...intent.outputs, ...foreign]);
      await t.media.discard(scratch);
      expect(await t.list()).toEqual(['a/b.mp4', 'a/o0.ts', 'a/o1.ts']);
    });

    test('"y" never lets another file of the conversion replace an input', async () => {
      await t.put('x.m3u8', 'old list');
      await t.put('in.mp4', 'film');
      const out = output('x.m3u8', { replace: true, names: [['x.m3u8'], ['in.mp4']] });
      const inputs = await stage([input('in.mp4')], out);
      await convert({ 'x.m3u8': 'list', 'in.mp4': 'segment' });
      await expect(prepare(out, inputs)).rejects.toEqual(failure('INPUT_INVALID'));
      expect([await t.get('in.mp4'), await t.get('x.m3u8')]).toEqual(['film', 'old list']);
    });

    test('"y" replaces other files of the conversion only together with the output', async () => {
      await t.put('x0.ts', 'old');
      await convert({ 'x.m3u8': 'list', 'x0.ts': 'new' });
      const out = output('x.m3u8', { replace: true });
      await expect(prepare(out)).rejects.toEqual(failure('OUTPUT_EXISTS'));
      await t.media.discard(scratch);
      expect([await t.get('x0.ts'), await t.get('x.m3u8')]).toEqual(['old', undefined]);
      await t.put('x.m3u8', 'old list');
      scratch = await t.media.openScratch('job', 2);
      await convert({ 'x.m3u8': 'list', 'x0.ts': 'new' });
      expect(await t.media.publish(await prepare(out))).toBe(true);
      expect([await t.get('x0.ts'), await t.get('x.m3u8')]).toEqual(['new', 'list']);
    });

    test('scratchUsage counts the files that the conversion wrote, without its inputs', async () => {
      await t.put('in.mp4', 'film');
      await stage([input('in.mp4')], output('o.mp4'));
      expect((await t.media.scratchUsage(scratch)).bytes).toBeLessThan(50_000);
      await convert({ 'o.mp4': 'x'.repeat(100_000), 'deep/o.ts': 'x'.repeat(100_000) });
      const { bytes } = await t.media.scratchUsage(scratch);
      expect(bytes).toBeGreaterThanOrEqual(200_000);
      expect(bytes).toBeLessThan(300_000);
    });

    test('freeBytes is a positive number', async () => {
      expect(await t.media.freeBytes()).toBeGreaterThan(0);
    });
  });
}
