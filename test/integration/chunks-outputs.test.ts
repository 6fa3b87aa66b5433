import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { shortfalls } from '../support/as-good.ts';
import { SOURCES, type SourceName } from '../support/chunk-sources.ts';
import { installedCatalogue } from '../support/installed-catalogue.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { ffmpegIn, ffprobeIn, runChunks } from '../support/run-chunks.ts';

const test = needs('ffmpeg');

const catalogue = installedCatalogue();

const X264 = { 'c:v': 'libx264', preset: 'veryfast', crf: '24', 'c:a': 'aac', 'b:a': '64k' } as const;
/** Key frames at known times, every two seconds. */
const FORCED = { ...X264, force_key_frames: 'expr:gte(t,n_forced*2)' } as const;
const VP9 = { 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '0', 'cpu-used': '5', 'c:a': 'libopus' } as const;
const HLS = { ...FORCED, hls_time: '2', hls_playlist_type: 'vod', master_pl_name: 'master.m3u8' } as const;
const FMP4 = { hls_segment_type: 'fmp4' } as const;

const THREE = '[0:v]split=3[a][b][c];[a]scale=-2:72[high];[b]scale=-2:48[middle];[c]scale=-2:36[low]';
const VARIANTS = {
  filter_complex: THREE,
  map: ['[high]', '0:a:0', '[middle]', '0:a:0', '[low]', '0:a:0'],
  var_stream_map: 'v:0,a:0 v:1,a:1 v:2,a:2',
} as const;

const withoutQuality = ({ crf: _, ...others }: Readonly<Record<string, string>>): Parameters => others;

/** Why a source with another distance between some frames runs whole. */
const VARIES = /frame rate of the input varies/;

interface Case {
  readonly title: string;
  readonly source?: SourceName;
  readonly request: Partial<ConversionRequest>;
  /** The wanted length of chunks. Default: 2. */
  readonly seconds?: number;
  /** Why the case runs whole. */
  readonly whole?: RegExp;
  /** How much worse a frame may be, in decibels. Default: 3. */
  readonly decibels?: number;
  /** True if the case runs with every `npm test`. The others are long. */
  readonly isShort?: true;
}

const toOne = (output: string, parameters: Parameters): Partial<ConversionRequest> => ({ output, parameters });

const CASES: readonly Case[] = [
  { title: 'HLS of transport streams', request: toOne('b.m3u8', HLS) },
  { title: 'HLS of fragmented MP4', request: toOne('b.m3u8', { ...FORCED, ...FMP4, hls_time: '2' }) },
  { title: 'HLS at 29.97 frames per second', source: 'ntsc', request: toOne('b.m3u8', { ...HLS, ...FMP4 }) },
  { title: 'HLS of two rates', source: 'two rates', request: toOne('b.m3u8', HLS), whole: VARIES },
  { title: 'HLS of late audio', source: 'late audio', request: toOne('b.m3u8', HLS) },
  { title: 'HLS of early audio', source: 'early audio', request: toOne('b.m3u8', { ...HLS, ...FMP4 }) },
  {
    title: 'HLS of a transport stream',
    source: 'transport stream',
    request: toOne('b.m3u8', HLS),
    whole: /mpegts/,
  },
  { title: 'HLS of an edit list', source: 'edit list', request: toOne('b.m3u8', HLS) },
  { title: 'HLS of an open GOP', source: 'open GOP', request: toOne('b.m3u8', { ...HLS, ...FMP4 }) },
  { title: 'HLS without audio', source: 'silent', request: toOne('b.m3u8', HLS) },
  { title: 'HLS of a video that starts late', source: 'late start in mkv', request: toOne('b.m3u8', HLS) },
  { title: 'HLS of a video that starts after its audio', source: 'early audio in mkv', request: toOne('b.m3u8', HLS) },
  {
    title: 'HLS of a silent video that starts late',
    source: 'late start without audio',
    request: toOne('b.m3u8', { ...HLS, ...FMP4 }),
  },
  {
    title: 'HLS of a variable rate',
    source: 'variable between key frames',
    request: toOne('b.m3u8', HLS),
    whole: VARIES,
  },
  { title: 'HLS of a gap', source: 'late frame', request: toOne('b.m3u8', HLS), seconds: 1, whole: VARIES },
  {
    title: 'DASH of a variable rate',
    whole: VARIES,
    source: 'variable between key frames',
    request: toOne('b.mpd', { ...FORCED, seg_duration: '2', an: '' }),
  },
  { title: 'HLS without B-frames', request: toOne('b.m3u8', { ...HLS, tune: 'zerolatency' }) },
  {
    title: 'HLS in three qualities',
    request: toOne('hls/s_%v.m3u8', { ...HLS, ...FMP4, ...VARIANTS, hls_flags: 'independent_segments' }),
    isShort: true,
  },
  {
    title: 'HLS in folders of three qualities with maximum bit rates',
    request: toOne('hls/%v/s.m3u8', {
      ...HLS,
      ...VARIANTS,
      'maxrate:v:0': '300k',
      'bufsize:v:0': '300k',
      'maxrate:v:1': '200k',
      'bufsize:v:1': '200k',
      'maxrate:v:2': '100k',
      'bufsize:v:2': '100k',
    }),
  },
  {
    title: 'HLS of the same video in two sizes',
    request: toOne('s_%v.m3u8', {
      ...HLS,
      map: ['0:v', '0:v', '0:a'],
      's:v:1': '64x36',
      'crf:v:0': '20',
      var_stream_map: 'v:0,agroup:x v:1,agroup:x a:0,agroup:x',
    }),
  },
  { title: 'DASH', request: toOne('b.mpd', { ...FORCED, seg_duration: '2' }) },
  {
    title: 'DASH in three qualities',
    source: 'ntsc',
    request: toOne('dash/b.mpd', {
      ...FORCED,
      filter_complex: THREE,
      map: ['[high]', '[middle]', '[low]', '0:a:0'],
      seg_duration: '2',
      adaptation_sets: 'id=0,streams=v id=1,streams=a',
    }),
  },
  {
    title: 'DASH with maximum bit rates',
    source: 'moving',
    request: toOne('dash/b.mpd', {
      ...FORCED,
      filter_complex: THREE,
      map: ['[high]', '[middle]', '[low]', '0:a:0'],
      maxrate: '300k',
      bufsize: '300k',
      seg_duration: '2',
      adaptation_sets: 'id=0,streams=v id=1,streams=a',
    }),
  },
  {
    title: 'DASH with average bit rates',
    // Each chunk learns anew how many bits its scenes need, which the first frames of chunks of a few seconds show.
    seconds: 4,
    decibels: 16,
    source: 'scenes',
    request: toOne('dash/b.mpd', {
      ...withoutQuality(FORCED),
      filter_complex: THREE,
      map: ['[high]', '[middle]', '[low]', '0:a:0'],
      ...{ 'b:v:0': '400k', 'b:v:1': '200k', 'b:v:2': '100k' },
      ...{ 'maxrate:v:0': '600k', 'maxrate:v:1': '300k', 'maxrate:v:2': '150k' },
      ...{ 'bufsize:v:0': '600k', 'bufsize:v:1': '300k', 'bufsize:v:2': '150k' },
      seg_duration: '2',
      adaptation_sets: 'id=0,streams=v id=1,streams=a',
    }),
  },
  {
    title: 'HLS with an average bit rate',
    source: 'scenes',
    seconds: 4,
    request: toOne('b.m3u8', { ...withoutQuality(HLS), 'b:v': '1M' }),
  },
  {
    title: 'MP4 and WebM',
    request: {
      outputs: [
        { output: 'b.mp4', parameters: X264 },
        { output: 'c.webm', parameters: VP9 },
      ],
    },
  },
  {
    title: 'MP4 in three qualities',
    request: {
      parameters: { ...X264, filter_complex: THREE },
      outputs: [
        { output: 'b.mp4', parameters: { map: ['[high]', '0:a'], crf: '20' } },
        { output: 'c.mp4', parameters: { map: ['[middle]', '0:a'], 'profile:v': 'main' } },
        { output: 'd.mp4', parameters: { map: ['[low]'] } },
      ],
    },
  },
  {
    title: 'MP4, HLS and Matroska',
    source: 'chapters',
    request: {
      parameters: FORCED,
      outputs: [
        { output: 'b.mp4', parameters: { vf: 'hflip' } },
        { output: 'hls/c.m3u8', parameters: { hls_time: '2', s: '64x36' } },
        { output: 'd.mkv', parameters: { metadata: 'title=Another' } },
      ],
    },
  },
  {
    title: 'MP4 and HLS of a variable rate',
    whole: VARIES,
    source: 'variable between key frames',
    request: {
      parameters: FORCED,
      outputs: [
        { output: 'b.mp4', parameters: {} },
        { output: 'hls/c.m3u8', parameters: { hls_time: '2' } },
      ],
    },
  },
  {
    title: 'MP4 and HLS of a variable rate from one graph',
    whole: VARIES,
    source: 'variable between key frames',
    request: {
      parameters: { ...FORCED, filter_complex: '[0:v]split[a][b];[b]scale=-2:36[c]' },
      outputs: [
        { output: 'b.mp4', parameters: { map: ['[a]', '0:a'] } },
        { output: 'hls/c.m3u8', parameters: { map: ['[c]', '0:a'], hls_time: '2' } },
      ],
    },
  },
  {
    title: 'ProRes and MP4',
    source: 'timecode',
    request: {
      outputs: [
        { output: 'b.mov', parameters: { 'c:v': 'prores_ks', profile: '1', 'c:a': 'pcm_s16le' } },
        { output: 'c.mp4', parameters: X264 },
      ],
    },
  },
  {
    title: 'x265 and x264',
    source: 'ntsc',
    request: {
      outputs: [
        { output: 'b.mp4', parameters: { ...X264, 'c:v': 'libx265', preset: 'ultrafast', 'x265-params': 'aq-mode=1' } },
        { output: 'c.mp4', parameters: { ...X264, g: '30' } },
      ],
    },
  },
  {
    title: 'two videos in one MP4',
    request: toOne('b.mp4', {
      ...X264,
      filter_complex: '[0:v]split[a][b];[a]null[x];[b]negate[y]',
      map: ['[x]', '[y]', '0:a'],
      'crf:v:1': '40',
    }),
  },
  {
    title: 'a graph with one output',
    source: 'ten bits',
    request: toOne('b.mkv', { ...X264, filter_complex: '[0:v]crop=100:50,format=yuv420p[v]', map: ['[v]', '0:a'] }),
  },
];

for (const { title, source = 'plain', request, seconds = 2, whole, isShort, decibels } of CASES) {
  test(`${whole === undefined ? 'chunks are as good as the whole conversion' : 'runs whole'}: ${title}`, {
    timeout: 240_000,
    ...(isShort !== true && { tags: 'long' }),
  }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'telecine-chunks-'));
    try {
      for (const folder of ['in', 'pass']) await mkdir(join(dir, folder));
      const name = await SOURCES[source](dir);
      const plan = wholePlan({ input: name, ...request } as ConversionRequest, { chunks: true, catalogue });
      const [{ logical: input } = { logical: '' }] = plan.inputs;
      await rename(join(dir, 'in', name), join(dir, input));
      await makeFolders(dir, plan);
      const chunked = await runChunks(dir, plan, seconds);
      if (whole !== undefined) {
        expect(chunked).toEqual({ whole: expect.stringMatching(whole) });
        return;
      }
      if ('whole' in chunked) throw new Error(chunked.whole);
      const { starts } = chunked;
      expect(starts.length).toBeGreaterThan(1);
      await rename(join(dir, 'out'), join(dir, 'chunked'));
      await makeFolders(dir, plan);
      for (const argv of plan.passes) await ffmpegIn(dir, argv);
      const files = await filesOf(dir, 'out');
      expect(await filesOf(dir, 'chunked')).toEqual(files);
      for (const folder of ['out', 'chunked']) await joinDashSegments(dir, folder, files);
      for (const file of await filesOf(dir, 'out')) {
        const made = join('out', file);
        const size = isShown(file) ? await sizeOf(dir, made) : undefined;
        if (size === undefined) continue;
        const filters = `${filterOf(request, file)},scale=${size}`;
        const compared = { source: input, whole: made, inChunks: join('chunked', file), filters };
        const places = { chunks: starts.length, seams: starts.slice(1), ...(decibels !== undefined && { decibels }) };
        expect(await shortfalls(dir, { ...compared, ...places }), file).toEqual([]);
        if (file.endsWith('.m3u8')) await compareSegments(dir, made, join('chunked', file));
      }
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
}

async function makeFolders(dir: string, { outputs }: Plan): Promise<void> {
  for (const folder of ['out', ...outputs.flatMap(({ folders = [] }) => folders)])
    await mkdir(join(dir, folder), { recursive: true });
}

const filesOf = async (dir: string, folder: string): Promise<readonly string[]> =>
  (await readdir(join(dir, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dir, folder).length + 1))
    .sort();

/** The playlists show all segments of HLS. A master playlist shows their playlists. */
const isShown = (file: string): boolean =>
  !['.ts', '.m4s', '.mpd'].includes(extname(file)) && !/init.*\.mp4$|master\.m3u8$/.test(file);

/** The filters of an output that do more than to change the size. */
function filterOf({ outputs = [], parameters }: Partial<ConversionRequest>, file: string): string {
  const own = outputs.find(({ output }) => output === file)?.parameters ?? parameters;
  const { vf, filter_complex: graph = '' } = typeof own === 'object' ? own : {};
  return typeof vf === 'string' ? vf : (/crop=[\d:]+/.exec(String(graph))?.[0] ?? 'null');
}

/** The size of the first video of a file. undefined: it has none. */
async function sizeOf(dir: string, file: string): Promise<string | undefined> {
  const args = ['-v', 'error', '-select_streams', 'V:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
  return /(\d+),(\d+)/
    .exec(await ffprobeIn(dir, [...args, file]))
    ?.slice(1)
    .join(':');
}

/** Writes each representation of DASH as one MP4. */
async function joinDashSegments(dir: string, folder: string, files: readonly string[]): Promise<void> {
  for (const init of files.filter((file) => file.includes('init-stream'))) {
    const start = init.replace(/init-(stream\d+)\.m4s$/, 'chunk-$1-');
    const segments = files.filter((file) => file.startsWith(start));
    const parts = await Promise.all([init, ...segments].map((file) => readFile(join(dir, folder, file))));
    await writeFile(join(dir, folder, `${start}all.mp4`), Buffer.concat(parts));
  }
}

/** The segments of a playlist are as long as those of the whole conversion. */
async function compareSegments(dir: string, whole: string, chunked: string): Promise<void> {
  const [expected = [], found = []] = await Promise.all(
    [whole, chunked].map(async (file) => {
      const text = await readFile(join(dir, file), 'utf8');
      return [...text.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, seconds]) => Number(seconds));
    }),
  );
  expect(found).toHaveLength(expected.length);
  for (const [at, seconds] of found.entries())
    expect(Math.abs(seconds - (expected[at] ?? 0)), `${chunked}, segment ${at}`).toBeLessThan(0.1);
}
