import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { shortfalls } from '../support/as-good.ts';
import { SOURCES, type SourceName } from '../support/chunk-sources.ts';
import { installedCatalogue } from '../support/installed-catalogue.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { ffmpegIn, runChunks } from '../support/run-chunks.ts';

const test = needs('ffmpeg');

const catalogue = installedCatalogue();

const X264 = { 'c:v': 'libx264', preset: 'veryfast', crf: '24' } as const;
const X265 = { 'c:v': 'libx265', preset: 'ultrafast' } as const;
const VP9 = { 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '0', 'cpu-used': '5' } as const;
const AAC = { 'c:a': 'aac', 'b:a': '64k' } as const;

const X264_RATE = { 'c:v': 'libx264', preset: 'veryfast', 'b:v': '100k' } as const;
const TWO_PASSES = { 'c:v': 'libx264', preset: 'veryfast', 'b:v': '1M', pass: '2' } as const;

/** A conversion, and what becomes of it in chunks: its number, or the reason why it runs whole. */
interface Case {
  readonly source: SourceName;
  readonly output?: string;
  readonly parameters?: Parameters;
  readonly whole?: RegExp;
  /** The wanted length of chunks. Default: 2. */
  readonly seconds?: number;
  /** How much worse a frame may be, in decibels. VP9 and SVT-AV1 give single frames many more bits, and chunks other ones. Default: 3. */
  readonly decibels?: number;
}

const CASES: readonly Case[] = [
  { source: 'plain' },
  { source: 'plain', output: 'b.mkv' },
  { source: 'plain', output: 'b.mov' },
  { source: 'ntsc' },
  { source: 'ntsc', output: 'b.mkv' },
  { source: 'cinema' },
  { source: 'cinema', output: 'b.mkv' },
  { source: 'ntsc in mkv' },
  { source: 'ntsc in mkv', output: 'b.mov' },
  { source: 'fast' },
  { source: 'very fast' },
  { source: 'slow' },
  { source: 'pal', output: 'b.mov' },
  { source: 'variable in mkv' },
  { source: 'variable in mkv', output: 'b.mkv' },
  { source: 'variable in mp4' },
  { source: 'variable in mp4', parameters: { fps_mode: 'passthrough' } },
  { source: 'two rates' },
  { source: 'two rates', output: 'b.mkv' },
  { source: 'open GOP' },
  { source: 'B-pyramid' },
  { source: 'long GOP', whole: /no key frame/ },
  { source: 'intra' },
  { source: 'plain', parameters: { 'x264-params': 'open-gop=1:b-pyramid=normal', bf: '5', g: '48' } },
  { source: 'edit list' },
  { source: 'edit list, no B-frames' },
  { source: 'edit list', output: 'b.mkv' },
  { source: 'late start in mkv' },
  { source: 'late start in mp4' },
  { source: 'late start in mkv', output: 'b.mkv' },
  { source: 'start after hours' },
  { source: 'transport stream', whole: /mpegts/ },
  { source: 'transport stream', output: 'b.mkv', whole: /mpegts/ },
  { source: 'transport stream', parameters: { an: '' }, whole: /mpegts/ },
  {
    source: 'transport stream',
    output: 'b.mkv',
    parameters: { vf: 'hflip', fps_mode: 'passthrough', an: '' },
    whole: /mpegts/,
  },
  { source: 'transport stream, late audio', whole: /mpegts/ },
  { source: 'transport stream, late audio', output: 'b.mkv', whole: /mpegts/ },
  { source: 'transport stream of MPEG-2', whole: /mpegts/ },
  { source: 'short', whole: /too short/ },
  { source: 'HDR10', parameters: { 'c:v': 'libx265', preset: 'ultrafast', crf: '24', 'tag:v': 'hvc1' } },
  {
    source: 'HDR10',
    parameters: {
      'c:v': 'libx265',
      preset: 'ultrafast',
      crf: '24',
      'x265-params': 'hdr10=1:repeat-headers=1:max-cll=1000,400:open-gop=1',
    },
  },
  { source: 'HDR10 in mkv', output: 'b.mkv', parameters: { 'c:v': 'libx265', preset: 'ultrafast', crf: '24' } },
  { source: 'HDR10', output: 'b.mkv', parameters: { ...X264, pix_fmt: 'yuv420p10le' } },
  { source: 'interlaced', parameters: { flags: '+ilme+ildct' } },
  { source: 'interlaced', parameters: { vf: 'yadif' } },
  { source: 'interlaced', output: 'b.mkv', parameters: { vf: 'bwdif=mode=send_frame:deint=interlaced' } },
  { source: 'plain', parameters: { vf: 'yadif=deint=interlaced' } },
  { source: 'transport stream', parameters: { vf: 'yadif' }, whole: /mpegts/ },
  { source: 'rotated' },
  { source: 'rotated', output: 'b.mkv' },
  { source: 'long audio' },
  { source: 'short audio' },
  { source: 'late audio' },
  { source: 'late audio', output: 'b.mkv' },
  { source: 'late audio in mkv' },
  { source: 'early audio' },
  { source: 'early audio', output: 'b.mkv' },
  { source: 'early audio in mkv', output: 'b.mkv' },
  { source: 'silent' },
  { source: 'plain', parameters: { an: '' } },
  { source: '8 channels' },
  { source: '8 channels', output: 'b.mkv', parameters: { 'c:a': 'flac' } },
  { source: 'two languages', output: 'b.mkv', parameters: { map: ['0:v', '0:a'] } },
  { source: 'two languages', parameters: { map: '0', 'c:a': 'copy' } },
  { source: 'two languages', output: 'b.mkv', parameters: { map: '0', 'c:a': 'copy' } },
  { source: 'late audio', output: 'b.mov', parameters: { 'c:a': 'copy' } },
  {
    source: 'VP9',
    output: 'b.webm',
    parameters: { 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '0', 'c:a': 'copy' },
  },
  { source: 'ten bits', parameters: { vf: 'crop=100:50,eq=gamma=1.1,format=yuv420p' } },
  { source: 'two languages', output: 'b.mkv', parameters: { map: ['0:a', '0:v'] }, whole: /not the first/ },
  { source: 'subtitles', output: 'b.mkv', parameters: { map: '0' } },
  { source: 'subtitles', output: 'b.mp4', parameters: { map: '0', 'c:s': 'mov_text' } },
  { source: 'subtitles', output: 'b.mkv', parameters: { 'c:a': 'copy', 'c:s': 'copy' } },
  { source: 'chapters' },
  { source: 'chapters', output: 'b.mkv', parameters: { metadata: 'title=Another', 'metadata:s:a:0': 'language=fra' } },
  { source: 'chapters in mkv', output: 'b.mkv' },
  { source: 'chapters, late start' },
  { source: 'chapters, late start', output: 'b.mkv' },
  { source: 'chapters', parameters: { map_chapters: '-1', map_metadata: '-1' } },
  { source: 'closed captions' },
  { source: 'timecode', output: 'b.mov' },
  { source: 'timecode' },
  { source: 'attachment', output: 'b.mkv', parameters: { map: '0' } },
  { source: 'VP9' },
  {
    source: 'VP9',
    output: 'b.webm',
    decibels: 5,
    parameters: { ...VP9, 'c:a': 'libopus' },
  },
  ...['b.webm', 'b.mkv'].map((output) => ({
    ...{ source: 'two languages' as const, output },
    parameters: { ...VP9, map: ['0:v', '0:a'], 'c:a': 'libopus' },
  })),
  {
    ...{ source: 'two languages', output: 'b.mkv' },
    parameters: { ...VP9, map: ['0:v', '0:a'], 'c:a:1': 'libopus' },
  },
  { source: 'plain', output: 'b.mp4', parameters: VP9 },
  { source: 'AV1' },
  { source: 'plain', output: 'b.mkv', parameters: { 'c:v': 'libsvtav1', preset: '10', crf: '35' } },
  {
    ...{ source: 'ntsc', output: 'b.mp4', decibels: 5 },
    parameters: { 'c:v': 'libsvtav1', preset: '10', crf: '35' },
  },
  {
    source: 'plain',
    output: 'b.webm',
    parameters: { 'c:v': 'libaom-av1', crf: '35', 'b:v': '0', 'cpu-used': '8', 'c:a': 'libopus' },
  },
  { source: 'ten bits', parameters: { pix_fmt: 'yuv420p' } },
  { source: 'ten bits', output: 'b.mkv' },
  { source: 'plain', output: 'b.mov', parameters: { 'c:v': 'prores_ks', profile: '1', 'c:a': 'pcm_s16le' } },
  { source: 'anamorphic' },
  { source: 'anamorphic', parameters: { vf: 'scale=trunc(iw*sar/2)*2:ih,setsar=1' } },
  { source: 'odd size', parameters: { vf: 'pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p' } },
  { source: 'plain', parameters: { vf: 'crop=96:48:8:8,hflip,eq=contrast=1.1,scale=64:-2:flags=lanczos' } },
  { source: 'plain', parameters: { vf: 'transpose=1' } },
  { source: 'plain', parameters: { vf: 'fade=t=in:d=3,fade=t=out:st=3.5:d=3' } },
  { source: 'late start in mkv', output: 'b.mkv', parameters: { vf: 'fade=t=in:d=3,fade=t=out:st=3.5:d=3' } },
  { source: 'ntsc', parameters: { vf: "negate=enable='between(t,1.5,4.5)'" } },
  { source: 'plain', parameters: { force_key_frames: 'expr:gte(t,n_forced*2)' } },
  { source: 'early audio', parameters: { force_key_frames: '0.5,2.25,4' }, whole: /"force_key_frames"/ },
  { source: 'ntsc', parameters: { g: '30', keyint_min: '30', sc_threshold: '0' } },
  { source: 'plain', parameters: { movflags: '+faststart', threads: '2', tune: 'film' } },
  { source: 'plain', parameters: { af: 'loudnorm', ar: '48000' } },
  {
    source: 'moving',
    seconds: 4,
    parameters: { ...X264, crf: '18', maxrate: '2M', bufsize: '2M' },
  },
  {
    source: 'moving',
    seconds: 4,
    parameters: { ...X264, crf: '18', maxrate: '2M', bufsize: '2M', tune: 'film' },
  },
  {
    source: 'moving',
    seconds: 4,
    output: 'b.mkv',
    parameters: { ...X264, crf: '18', maxrate: '2M', bufsize: '2M' },
  },
  {
    source: 'moving',
    seconds: 4,
    parameters: { ...X265, crf: '18', maxrate: '2M', bufsize: '2M' },
  },
  {
    source: 'moving',
    seconds: 4,
    parameters: { ...X265, crf: '18', maxrate: '2M', bufsize: '2M', 'x265-params': 'aq-mode=1' },
  },
  {
    source: 'scenes',
    parameters: { ...X265, 'b:v': '1M', pass: '2' },
    whole: /two passes/,
  },
  { source: 'scenes', parameters: TWO_PASSES, seconds: 4, whole: /two passes/ },
  {
    source: 'scenes',
    output: 'b.mkv',
    parameters: { ...TWO_PASSES, vf: 'hflip' },
    whole: /two passes/,
  },
  { source: 'plain', parameters: { ...X265, 'b:v': '100k' }, whole: /"b:v" is kept/ },
  ...[X264_RATE, { ...X264_RATE, maxrate: '150k', bufsize: '200k' }].map((parameters) => ({
    ...{ source: 'long scenes' as const, parameters, seconds: 60 },
  })),
  { source: 'silent', parameters: { ...TWO_PASSES, 'b:v': '20M', level: '4.1' }, whole: /two passes/ },
  { source: 'late frame' },
  { source: 'late frame', output: 'b.mkv' },
  { source: 'avi', whole: /"avi"/ },
];

const titleOf = ({ source, output = 'b.mp4', parameters = {} }: Case): string =>
  [
    `${source} → ${extname(output)}`,
    ...Object.entries(parameters).map(([name, value]) => `${name} ${String(value)}`),
  ].join(', ');

/** The filters that the output has and the source lacks. */
const filtersOf = ({ parameters: { vf } = {} }: Case): string => (typeof vf === 'string' ? vf : 'null');

/** The cases of each kind that run with every `npm test`. The others are long. */
const SHORT: ReadonlySet<string> = new Set(['edit list → .mp4', 'short → .mp4', 'avi → .mp4']);

for (const one of CASES) {
  test(`${one.whole === undefined ? 'chunks are as good as the whole conversion' : 'runs whole'}: ${titleOf(one)}`, {
    timeout: 240_000,
    ...(!SHORT.has(titleOf(one)) && { tags: 'long' }),
  }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'telecine-chunks-'));
    try {
      await mkdir(join(dir, 'in'));
      await mkdir(join(dir, 'out'));
      await mkdir(join(dir, 'pass'));
      const { output = 'b.mp4', parameters = {}, source, whole, seconds = 2 } = one;
      const name = await SOURCES[source](dir);
      const request = {
        input: name,
        output,
        parameters: {
          ...('c:v' in parameters ? {} : X264),
          ...('c:a' in parameters || output.endsWith('.webm') ? {} : AAC),
          ...parameters,
        },
      };
      const plan = wholePlan(request, { chunks: true, catalogue });
      const [{ logical: input } = { logical: '' }] = plan.inputs;
      await rename(join(dir, 'in', name), join(dir, input));
      const chunked = await runChunks(dir, plan, seconds);
      if (whole !== undefined) {
        expect(chunked).toEqual({ whole: expect.stringMatching(whole) });
        return;
      }
      if ('whole' in chunked) throw new Error(chunked.whole);
      const made = join('out', plan.outputs[0]?.logical.slice('out/'.length) ?? '');
      const inChunks = `out/chunked${extname(made)}`;
      await rename(join(dir, made), join(dir, inChunks));
      for (const argv of plan.passes) await ffmpegIn(dir, argv);
      const { starts } = chunked;
      expect(starts.length).toBeGreaterThan(1);
      const compared = { source: input, whole: made, inChunks, filters: filtersOf(one) };
      expect(
        await shortfalls(dir, {
          ...compared,
          seams: starts.slice(1),
          chunks: starts.length,
          ...(one.decibels !== undefined && { decibels: one.decibels }),
        }),
      ).toEqual([]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
}
