import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { readChunk } from '../../packages/ffmpeg/src/analysis/chunk-probes.ts';
import { type ChunkPart, chunkParts, planPart } from '../../packages/ffmpeg/src/chunks/parts.ts';
import type { ConversionRun } from '../../packages/ffmpeg/src/run/conversion-run.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { SOURCES, type SourceName } from '../support/chunk-sources.ts';
import { installedCatalogue } from '../support/installed-catalogue.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { cutSource, ffmpegIn, ffprobeIn } from '../support/run-chunks.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');

const catalogue = installedCatalogue();

const X264 = { 'c:v': 'libx264', preset: 'veryfast', crf: '30', an: '' } as const;
const X265 = { 'c:v': 'libx265', preset: 'ultrafast', crf: '30', an: '' } as const;
const SVT_AV1 = { 'c:v': 'libsvtav1', preset: '12', crf: '50', an: '' } as const;
const VP9 = { 'c:v': 'libvpx-vp9', crf: '40', 'b:v': '0', 'cpu-used': '8', an: '' } as const;
const AOM = { 'c:v': 'libaom-av1', crf: '50', 'b:v': '0', 'cpu-used': '8', an: '' } as const;
const PRORES = { 'c:v': 'prores_ks', profile: '1', an: '' } as const;

/** Makes a source, and plans a request for it in chunks of two seconds. */
async function planned(request: Partial<ConversionRequest>, source: SourceName | 'forged' = 'plain') {
  const dir = await scratch();
  const name = source === 'forged' ? await makeForged(dir) : await SOURCES[source](dir);
  const plan = wholePlan({ input: name, ...request } as ConversionRequest, { chunks: true, catalogue });
  const { chunks } = plan;
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  const [{ logical } = { logical: '' }] = plan.inputs;
  await rename(join(dir, 'in', name), join(dir, logical));
  const cut = await cutSource(dir, chunks, 2);
  if ('whole' in cut) throw new Error(cut.whole);
  const { seconds: lengthSeconds, ...run } = cut;
  const parts = chunkParts(chunks, run, { threads: 1, lengthSeconds });
  const mounts = [{ logical, hostPath: join(dir, logical) }];
  /** Encodes a part, and returns what its log tells and a function that reads its facts. */
  const encode = async (part: ChunkPart | undefined, more: Partial<ConversionRun> = {}) => {
    if (part?.chunk === undefined) throw new Error('There is no chunk.');
    const { chunk } = part;
    const c = conversion(NO_SANDBOX, dir, planPart(plan, chunks, part), { mounts, ...more });
    const file = c.plan.outputs[0]?.logical ?? '';
    await rm(join(dir, file), { force: true });
    const outcome = await runConversion(c);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome));
    const {
      encodedVideos: [logged = []],
    } = outcome;
    return { file, chunk, logged, read: () => readChunk(c, chunks, chunk, logged) };
  };
  return { dir, parts, encode };
}

interface Probed {
  readonly packets: readonly { readonly stream_index: number; readonly size: string }[];
  readonly streams: readonly {
    readonly width: number;
    readonly height: number;
    readonly pix_fmt: string;
    readonly nb_read_packets: string;
    readonly tags: Readonly<Record<string, string>>;
  }[];
}

/** The videos of a file by ffprobe alone. */
async function probeVideos(dir: string, file: string) {
  const args = ['-v', 'error', '-count_packets', '-show_streams', '-show_packets', '-of', 'json', file];
  const { streams, packets } = JSON.parse(await ffprobeIn(dir, args)) as Probed;
  return streams.map(({ width, height, pix_fmt: pixelFormat, nb_read_packets: count, tags }, at) => ({
    ...{ width, height, pixelFormat, packets: Number(count) },
    encoder: tags['encoder'] ?? tags['ENCODER'],
    bytes: packets.reduce((sum, { stream_index, size }) => sum + (stream_index === at ? Number(size) : 0), 0),
  }));
}

const TWO_VIDEOS = '[0:v]split[a][b];[a]hflip[high];[b]scale=64:36[low]';

const CASES: readonly (readonly [what: string, request: Partial<ConversionRequest>, tags?: 'long'])[] = [
  ['x264', { output: 'b.mp4', parameters: X264 }],
  ['x265', { output: 'b.mp4', parameters: X265 }, 'long'],
  ['SVT-AV1', { output: 'b.mp4', parameters: SVT_AV1 }, 'long'],
  ['VP9', { output: 'b.mp4', parameters: VP9 }, 'long'],
  ['AV1 of libaom', { output: 'b.webm', parameters: AOM }, 'long'],
  ['ProRes', { output: 'b.mov', parameters: PRORES }, 'long'],
  [
    'several videos in one file',
    {
      parameters: { ...X264, filter_complex: TWO_VIDEOS },
      outputs: [
        { output: 'b.mp4', parameters: { map: '[high]' } },
        { output: 'c.mp4', parameters: { map: '[low]' } },
      ],
    },
  ],
];

for (const [what, request, tags = []] of CASES)
  test(`the log and the header of a chunk tell what ffprobe finds: ${what}`, { tags, timeout: 120_000 }, async () => {
    const { dir, parts, encode } = await planned(request);
    expect(parts.length).toBeGreaterThan(2);
    const headers = new Set<string | undefined>();
    for (const part of parts.slice(0, 3)) {
      const { file, chunk, logged, read } = await encode(part);
      const expected = await probeVideos(dir, file);
      expect(expected.length).toBeGreaterThan(0);
      const withoutBytes = (videos: readonly object[]) => videos.map((video) => ({ ...video, bytes: undefined }));
      expect(withoutBytes(logged)).toEqual(withoutBytes(expected));
      // The file has the sizes of NAL units in place of the codes between them, and lacks marks between frames of AV1.
      for (const [video, { bytes, packets }] of expected.entries())
        expect(Math.abs((logged[video]?.bytes ?? 0) - bytes), `${bytes} bytes`).toBeLessThanOrEqual(8 * packets);
      const facts = await read();
      expect(facts).toMatchObject({ frames: expected.map(({ packets }) => packets) });
      expect(new Set(facts?.frames), 'as planned').toEqual(new Set([chunk.frames]));
      headers.add(facts?.headers);
    }
    expect(headers.size, [...headers].join(', ')).toBe(1);
  });

test('the log of a chunk after the first says enough, so that ffprobe does not read it', async () => {
  const { dir, parts, encode } = await planned({ output: 'b.mp4', parameters: X264 });
  const ffprobePath = join(dir, 'ffprobe');
  await writeFile(ffprobePath, `#!/bin/sh\necho >> "${dir}/starts"\nexec ${tools().ffprobePath} "$@"\n`, {
    mode: 0o755,
  });
  const { read } = await encode(parts[1], { ffprobePath });
  expect(await read()).toHaveProperty('headers');
  expect(existsSync(join(dir, 'starts'))).toBe(false);
});

const CHANGES: readonly Parameters[] = [
  {},
  { s: '64x36' },
  { pix_fmt: 'yuv444p' },
  { color_primaries: 'bt709', color_trc: 'bt709', colorspace: 'bt709' },
  { vf: 'setsar=4/3' },
];

for (const [encoder, output, parameters, changes] of [
  ['x264', 'b.mp4', X264, [...CHANGES, { 'profile:v': 'baseline' }]],
  ['VP9', 'b.webm', VP9, [...CHANGES, { pix_fmt: 'yuv422p' }]],
] as const)
  test(`chunks of ${encoder} with another size, pixel format, colour, shape of pixels or profile have other headers`, {
    ...(encoder !== 'x264' && { tags: 'long' as const }),
  }, async () => {
    const headers = new Set<string | undefined>();
    for (const change of changes) {
      const { parts, encode } = await planned({ output, parameters: { ...parameters, ...change } });
      const facts = await (await encode(parts[0])).read();
      expect(facts?.headers).toBeDefined();
      headers.add(facts?.headers);
    }
    expect(headers.size).toBe(changes.length);
  });

const FORGED = '[verbose]   Output stream #0:0 (video): 9 frames encoded; 9 packets muxed (9 bytes); ';

/** A film with a tag whose name has line feeds, and a line like the one that ffmpeg logs at the end. */
async function makeForged(dir: string): Promise<string> {
  const source = await SOURCES.plain(dir);
  const tag = ['-map_metadata', '-1', '-metadata', `x\n${FORGED}\ny=z`, '-movflags', '+use_metadata_tags'];
  await ffmpegIn(dir, ['-nostdin', '-v', 'error', '-i', `in/${source}`, '-c', 'copy', ...tag, 'in/forged.mp4']);
  return 'forged.mp4';
}

test('a source whose tags imitate the log does not change the number of frames', async () => {
  const { dir, parts, encode } = await planned({ output: 'b.mp4', parameters: X264 }, 'forged');
  expect((await ffmpegIn(dir, ['-hide_banner', '-i', 'in/0.mp4', '-t', '0', '-f', 'null', '-'])).split('\n')).toContain(
    FORGED,
  );
  const { chunk, read } = await encode(parts[0]);
  expect(await read()).toMatchObject({ frames: [chunk.frames] });
});

for (const output of ['b.mp4', 'b.mov'])
  test(`a chunk for ${output} that is not a whole file is damaged`, async () => {
    const { dir, parts, encode } = await planned({ output, parameters: output === 'b.mov' ? PRORES : X264 });
    const { file, read } = await encode(parts[0]);
    const path = join(dir, file);
    const whole = await readFile(path);
    expect(await read()).toBeDefined();
    for (const bytes of [whole.length - 1, Math.floor(whole.length / 2), 40, 0]) {
      await truncate(path, bytes);
      expect(await read(), `${bytes} bytes`).toBeUndefined();
    }
    await writeFile(path, Buffer.alloc(whole.length, 'not media'));
    expect(await read(), 'garbage').toBeUndefined();
    await rm(path);
    expect(await read(), 'no file').toBeUndefined();
    await writeFile(join(dir, 'other'), whole);
    await symlink(join(dir, 'other'), path);
    expect(await read(), 'a symlink').toBeUndefined();
    await rm(path);
    execFileSync('mkfifo', [path]);
    expect(await read(), 'a FIFO').toBeUndefined();
  });
