import { expect, test } from 'vitest';
import type { ChunkTemplates } from '../../packages/contract/src/domain/chunks.ts';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import type { QualityTarget } from '../../packages/contract/src/domain/quality.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { chunkArgv } from '../../packages/ffmpeg/src/chunks/chunk-argvs.ts';
import type { ChunkFacts } from '../../packages/ffmpeg/src/chunks/chunk-checks.ts';
import {
  type ChunkPart,
  checkPart,
  chunkParts,
  isTrial,
  partSpan,
  partsToReplace,
  planChunkJoin,
  planPart,
} from '../../packages/ffmpeg/src/chunks/chunk-plans.ts';
import type { BufferEffect } from '../../packages/ffmpeg/src/chunks/rate-buffer.ts';
import { requestWith, wholePlan } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

const X264: Parameters = { 'c:v': 'libx264', crf: '23' };

const chunksOf = (request: ConversionRequest, cores = 2) => wholePlan(request, { chunks: true, cores }).chunks;

const templates = (parameters: Parameters, output = 'b.mp4'): ChunkTemplates => {
  const chunks = chunksOf(requestWith({ ...X264, ...parameters }, output));
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  return chunks;
};

/** Key frames at known times. */
const SEGMENTS: Parameters = { g: '48', sc_threshold: '0' };
const FORCED: Parameters = { force_key_frames: 'expr:gte(t,n_forced*4)', sc_threshold: '0' };
const LIMITED: Parameters = { maxrate: '1500.5k', bufsize: '1500k' };

const WHOLE: readonly (readonly [what: string, reason: RegExp, parameters: Parameters, output?: string])[] = [
  ['a frame rate', /^"r" repeats or drops/, { r: '25' }],
  ['a constant frame rate', /repeats or drops/, { fps_mode: 'cfr' }],
  ['the filter fps', /"fps"/, { vf: 'fps=25' }],
  ['a fade', /"fade"/, { vf: 'scale=64:-2,fade=in:0:25' }],
  ['a text', /"drawtext"/, { vf: "drawtext=text='%{pts}'" }],
  ['minterpolate', /"minterpolate"/, { vf: 'minterpolate=fps=50' }],
  ['decimate', /"decimate"/, { vf: 'decimate' }],
  ['tinterlace', /"tinterlace"/, { vf: 'tinterlace' }],
  ['thumbnail', /"thumbnail"/, { vf: 'thumbnail' }],
  ['deshake', /"deshake"/, { vf: 'deshake' }],
  ['a stabilised picture', /"vidstabtransform"/, { vf: 'vidstabtransform', pass: '2' }],
  ['palettegen', /"palettegen"/, { vf: 'palettegen' }],
  [
    'a palette for each frame',
    /"palette/,
    { filter_complex: '[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse[v]', map: ['[v]'] },
  ],
  ['mpdecimate', /"mpdecimate"/, { vf: 'mpdecimate' }],
  ['framerate', /"framerate"/, { vf: 'framerate=50' }],
  ['pullup', /"pullup"/, { vf: 'pullup' }],
  ['hqdn3d', /"hqdn3d"/, { vf: 'hqdn3d' }],
  ['tmix', /"tmix"/, { vf: 'tmix=frames=3' }],
  ['a timecode', /"drawtext"/, { vf: "drawtext=timecode='10\\:00\\:00\\:00':rate=25" }],
  ['reverse', /"reverse"/, { vf: 'reverse' }],
  ['yadif at twice the rate', /"yadif"/, { vf: 'yadif=mode=send_field' }],
  ['bwdif at twice the rate', /"bwdif"/, { vf: 'bwdif' }],
  ['estdif', /"estdif"/, { vf: 'estdif' }],
  ['a filter for some frames', /"enable"/, { vf: "hue=s=0:enable='gt(n,25)'" }],
  ['a filter at random', /"enable"/, { vf: "negate=enable='gt(random(0),0.5)'" }],
  ['a fade after a number of frames', /"fade"/, { vf: 'fade=t=out:s=25:d=1' }],
  ['a crop that moves', /changes over time/, { vf: 'crop=64:64:n:0' }],
  ['a rotation that turns', /changes over time/, { vf: 'rotate=t' }],
  ['expressions for each frame', /for each frame/, { vf: 'scale=w=64:h=64:eval=frame' }],
  ['noise', /"noise"/, { vf: 'noise=alls=20:allf=t' }],
  ['setpts', /"setpts"/, { vf: 'setpts=2*PTS' }],
  ['a graph with a clock', /"fade"/, { filter_complex: '[0:v]fade=in:0:25[v]', map: ['[v]'] }],
  ['a graph that combines frames', /"hstack"/, { filter_complex: '[0:v]split[a][b];[a][b]hstack[v]', map: ['[v]'] }],
  ['a graph of audio', /reads "\[0:a\]"/, { filter_complex: '[0:a]volume=2[a]', map: ['0:v', '[a]'] }],
  ['a graph without a label', /without a label/, { filter_complex: 'scale=64:-2[v]', map: ['[v]'] }],
  ['a video beside a graph', /besides those/, { filter_complex: '[0:v]scale=64:-2[v]', map: ['[v]', '0:v'] }],
  ['a map that may be several videos', /several videos/, { map: ['0:v', '0'] }],
  ['a bit rate of SVT-AV1', /"libsvtav1" spreads the bits/, { 'c:v': 'libsvtav1', crf: [], 'b:v': '1M' }],
  ['a bit rate of VP9', /Without "crf"/, { 'c:v': 'libvpx-vp9', crf: [], 'b:v': '1M' }],
  ['a maximum rate of SVT-AV1', /"maxrate" of "libsvtav1"/, { 'c:v': 'libsvtav1', maxrate: '1M' }],
  ['a minimum rate', /"minrate" spreads/, { minrate: '1M', maxrate: '1M', bufsize: '2M' }],
  ['a constant bit rate', /makes the bit rate constant/, { 'c:v': 'libx264', crf: [], 'b:v': '1M', bufsize: '2M' }],
  ['two passes that measure', /measures/, { crf: [], 'b:v': '1M', pass: '2', af: 'loudnorm' }],
  ['a start', /"ss" takes a part/, { ss: '1' }],
  ['a length', /"t" takes a part/, { t: '1' }],
  ['a size', /"fs" ends/, { fs: '1000000' }],
  ['the shortest stream', /"shortest" ends/, { shortest: '' }],
  ['a number of frames', /"frames:v" counts/, { 'frames:v': '10' }],
  ['a repeated input', /"stream_loop"/, { stream_loop: '1' }],
  ['copied video', /is copied/, { 'c:v': 'copy', crf: [] }],
  ['another encoder', /"mpeg4"/, { 'c:v': 'mpeg4', crf: [] }],
  ['a bit rate in parameters', /"bitrate"/, { 'x264-params': 'bitrate=1000' }],
  ['a zone', /"zones"/, { 'x264-params': 'zones=0,10,q=20' }],
  ['a transport stream', /"mpegts"/, {}, 'b.ts'],
  ['HLS with unknown key frames', /Send "sc_threshold"/, {}, 'b.m3u8'],
  ['HLS with scene cuts', /Send "sc_threshold"/, { g: '48' }, 'b.m3u8'],
  ['HLS with key frames at scene changes', /Send "sc_threshold"/, { g: '48', keyint_min: '48' }, 'b.m3u8'],
  ['HLS with scene cuts of x264', /Send "sc_thr/, { ...SEGMENTS, 'x264-params': 'scenecut=40' }, 'b.m3u8'],
  ['HLS with an open GOP', /open GOP/, { ...SEGMENTS, 'x264-params': 'open-gop=1' }, 'b.m3u8'],
  ['HLS in one file', /"single_file"/, { ...SEGMENTS, hls_flags: 'single_file' }, 'b.m3u8'],
  ['HLS cut by time', /"split_by_time"/, { ...SEGMENTS, hls_flags: 'split_by_time' }, 'b.m3u8'],
  ['HLS with dates', /"strftime"/, { ...SEGMENTS, strftime: '1', hls_segment_filename: 'a-%s.ts' }, 'b.m3u8'],
  ['HLS with a first length', /"hls_init_time"/, { ...SEGMENTS, hls_init_time: '1' }, 'b.m3u8'],
  ['HLS numbered by a clock', /clock/, { ...SEGMENTS, hls_start_number_source: 'epoch' }, 'b.m3u8'],
  ['HLS with copied audio', /Copied audio/, { ...SEGMENTS, 'c:a': 'copy' }, 'b.m3u8'],
  ['HLS with a variable rate', /repeats or drops/, { ...SEGMENTS, fps_mode: 'vfr' }, 'b.m3u8'],
  ['HLS of x265', /"libx265"/, { ...SEGMENTS, 'c:v': 'libx265' }, 'b.m3u8'],
  ['DASH in one file', /"single_file"/, { ...SEGMENTS, single_file: '1' }, 'b.mpd'],
  ['DASH in fragments', /"frag_duration"/, { ...SEGMENTS, frag_duration: '1' }, 'b.mpd'],
  ['DASH without a bit rate of audio', /Send "b:a"/, SEGMENTS, 'b.mpd'],
  [
    'HLS with a master playlist, without a bit rate of audio',
    /Send "b:a"/,
    { ...SEGMENTS, master_pl_name: 'm.m3u8' },
    'b.m3u8',
  ],
  ['fragments', /"frag_keyframe"/, { movflags: '+frag_keyframe' }],
  ['a bitstream filter', /"bsf:v"/, { 'bsf:v': 'h264_metadata=aud=insert' }],
  ['an expression for key frames', /"force_key_frames"/, { force_key_frames: 'expr:eq(mod(n,10),0)' }],
  ['kept times', /"copyts"/, { copyts: '' }],
];

for (const [what, reason, parameters, output] of WHOLE) {
  test(`runs whole: ${what}`, () => {
    const sent = Object.fromEntries(
      Object.entries({ ...X264, ...parameters }).filter(([, value]) => !Array.isArray(value) || value.length > 0),
    );
    expect(chunksOf(requestWith(sent, output))).toEqual({ whole: expect.stringMatching(reason) });
  });
}

const SHAPES: readonly (readonly [what: string, reason: RegExp, request: ConversionRequest])[] = [
  ['joined inputs', /joined/, { inputs: ['a.mp4', 'b.mp4'], join: 'encode', output: 'c.mp4' }],
  [
    'parts',
    /parts of the input/,
    { input: 'a.mp4', cut: { keep: [{ from: '1', to: '2' }] } as never, output: 'c.mp4' },
  ],
  [
    'several inputs',
    /several inputs/,
    { inputs: ['a.mp4', 'b.mp3'], output: 'c.mp4', parameters: { map: ['0:v', '1:a'] } },
  ],
  ['an image', /image|several inputs|shown/, { inputs: [{ input: 'a.png', duration: '5' }], output: 'c.mp4' }],
  [
    'an offset of the input',
    /"itsoffset"/,
    { inputs: [{ input: 'a.mp4', parameters: { itsoffset: '1' } }], output: 'c.mp4' },
  ],
  [
    'encrypted segments',
    /encrypted/,
    { input: 'a.mp4', output: 'b.m3u8', encrypt: { keyUri: 'k.bin' }, parameters: { ...X264, ...SEGMENTS } },
  ],
  [
    'one of several outputs',
    /^Output 2: "t" takes/,
    {
      input: 'a.mp4',
      parameters: X264,
      outputs: [{ output: 'b.mp4' }, { output: 'c.mp4', parameters: { t: '1' } }],
    },
  ],
  [
    'several outputs, of which the first has no video',
    /^Output 1: The output has no video/,
    { input: 'a.mp4', parameters: X264, outputs: [{ output: 'b.mp3' }, { output: 'c.mp4' }] },
  ],
  [
    'a ladder per title',
    /rungs of a ladder/,
    { input: 'a.mp4', output: 'b.m3u8', parameters: { 'c:v': 'libx264', hls_time: '4' }, ladder: { target: 0.98 } },
  ],
  ['no output with video', /encodes no video/, { input: 'a.mp4', outputs: [{ output: 'b.mp3' }, { output: 'c.wav' }] }],
  [
    'key frames at different times',
    /different times/,
    {
      input: 'a.mp4',
      parameters: X264,
      outputs: [{ output: 'b.mp4', parameters: { force_key_frames: '1' } }, { output: 'c.mp4' }],
    },
  ],
  [
    'a filtergraph for several containers of chunks',
    /another pixel format/,
    {
      input: 'a.mp4',
      parameters: { filter_complex: '[0:v]split[x][y]' },
      outputs: [
        { output: 'b.mp4', parameters: { ...X264, map: '[x]' } },
        { output: 'c.webm', parameters: { 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '0', map: '[y]' } },
      ],
    },
  ],
  [
    'a bit rate beside a quality',
    /Only some of the outputs/,
    {
      input: 'a.mp4',
      outputs: [
        { output: 'b.mp4', parameters: X264 },
        { output: 'c.mp4', parameters: { 'c:v': 'libx264', 'b:v': '1M' } },
      ],
    },
  ],
  [
    'an option for all videos of a file',
    /"sws_flags" differs/,
    {
      input: 'a.mp4',
      parameters: X264,
      outputs: [{ output: 'b.mp4', parameters: { sws_flags: 'lanczos' } }, { output: 'c.mp4' }],
    },
  ],
];

const withQuality = (quality: Partial<QualityTarget>, parameters: Parameters = {}): ConversionRequest => ({
  ...requestWith({ 'c:v': 'libx264', ...parameters }),
  quality: { target: 0.98, ...quality },
});

const LIMITED_TARGETS: typeof SHAPES = [
  ['a quality target with a bit rate', /^"maxBitrate" of "quality"/, withQuality({ maxBitrate: 1_000_000 })],
  ['a quality target with a size', /^"maxSize" of "quality"/, withQuality({ maxSize: 1_000_000 })],
  ['a quality target with another frame rate', /^"r" repeats or drops/, withQuality({}, { r: '10' })],
  [
    'a quality target with the settings of x265 in its headers',
    /^"info" of "libx265"/,
    withQuality({}, { 'c:v': 'libx265', 'x265-params': 'info=1' }),
  ],
];

for (const [what, reason, request] of [...SHAPES, ...LIMITED_TARGETS]) {
  test(`runs whole: ${what}`, () => {
    expect(chunksOf(request)).toEqual({ whole: expect.stringMatching(reason) });
  });
}

test('a plan without video runs whole', () => {
  expect(chunksOf({ input: 'a.mp4', output: 'b.mp3' })).toEqual({ whole: 'The conversion encodes no video.' });
});

test('a plan says nothing about chunks unless it is asked', () => {
  expect(wholePlan(requestWith(X264))).not.toHaveProperty('chunks');
});

/** What follows the input in an argv. */
const afterInput = (argv: readonly string[] = []): string => argv.slice(argv.indexOf('-i') + 2).join(' ');

/** Two chunks of ten seconds. */
const RUN_OF_TWO = {
  chunks: [
    { index: 0, startMicros: 0, lengthMicros: 10_000_000, cutMicros: 0, beginsAtKeyFrame: true },
    { index: 1, startMicros: 10_000_000, cutMicros: 9_980_000, beginsAtKeyFrame: true },
  ],
  outputs: [{ hasRest: false }],
  ...{ disposition: [], withoutLanguage: [] },
};

const CHUNK_END =
  '-output_ts_offset 10 -movflags +frag_keyframe+empty_moov+default_base_moof+frag_discont -use_editlist 0 -write_tmcd 0 ' +
  '-avoid_negative_ts disabled -f mp4 file:{FILE}';

test('each option goes to the runs that need it', () => {
  const { families, outputs } = templates({
    'b:a': '96k',
    vf: 'scale=64:-2',
    metadata: 'title=x',
    movflags: '+faststart',
    map: ['0:v', '0:a'],
    'tag:v': 'avc1',
  });
  expect(afterInput(families[0]?.argv)).toBe(
    '-map 0:V:0 -map_chapters -1 -map_metadata:g -1 -c:v libx264 -crf 23 -filter:v scale=w=64:h=-2,{TRIM} ' +
      `-tag:v avc1 -threads:v {THREADS} ${CHUNK_END}`,
  );
  expect(afterInput(outputs[0]?.rest)).toBe(
    '-map 0:v -map 0:a -vn -map_chapters -1 -map_metadata:g -1 -b:a 96k -movie_timescale 1000000 ' +
      '-write_tmcd 0 -f mp4 file:{FILE}',
  );
  expect(outputs[0]?.join.join(' ')).toBe(
    '-c copy -metadata title=x -movflags +faststart -tag:v avc1 -f mp4 file:out/b.mp4',
  );
});

const LADDER_RATES: Parameters = {
  ...SEGMENTS,
  filter_complex: '[0:v]split=2[a][b];[a]scale=-2:72[high];[b]scale=-2:36[low]',
  map: ['[high]', '[low]'],
  'b:v:0': '2M',
  'b:v:1': '500.5k',
  var_stream_map: 'v:0 v:1',
};

const LADDER = '[0:v]split=2[a][b];[a]scale=-2:72[high];[b]scale=-2:36[low]';

test('a chunk with a quality target is encoded with the value of all chunks', () => {
  const plan = wholePlan(withQuality({}, { s: '64x36', pix_fmt: 'yuv420p', vf: 'hflip' }), { chunks: true });
  const { chunks } = plan;
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  const quality = { metric: 'ssim', target: 0.98, option: 'crf', value: 26, tried: [] } as const;
  const parts = chunkParts(chunks, { ...RUN_OF_TWO, chosen: { quality } }, { threads: 2, lengthSeconds: 20 });
  const [, second] = parts;
  if (second === undefined) throw new Error('There is no second chunk.');
  expect(afterInput(planPart(plan, chunks, second).passes[0])).toContain(
    '-x264-params:v stitchable=1 -c:v libx264 -pix_fmt yuv420p -filter:v hflip,scale=size=64x36,trim=start=10.000000 -crf:v 26 ',
  );
  const facts = parts.map((part) => part.chunk && { frames: [250], headers: '', encoders: [] });
  const joined = planChunkJoin(plan, chunks, parts, facts);
  if ('whole' in joined) throw new Error(joined.whole);
  expect(joined.chosen).toEqual({ quality });
  expect(joined).not.toHaveProperty('quality');
});

test('videos of several outputs are encoded by one run, each with its options', () => {
  const chunks = chunksOf({
    input: 'a.mp4',
    parameters: { ...X264, filter_complex: LADDER, preset: 'fast' },
    outputs: [
      { output: 'b.mp4', parameters: { map: ['[high]', '0:a'] } },
      { output: 'c.mp4', parameters: { map: ['[low]'], crf: '30', 'profile:v:0': 'baseline' } },
    ],
  });
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  expect(chunks.families.map(({ extension, videos }) => `${extension} ${videos}`)).toEqual(['mp4 2']);
  expect(afterInput(chunks.families[0]?.argv)).toBe(
    `-filter_complex ${
      chunks.families[0]?.argv.find((word) => word.startsWith('[0:v]')) ?? ''
    } -map [chunk0] -map [chunk1] -map_chapters -1 -map_metadata:g -1 -c:v:0 libx264 -crf:v:0 23 -preset:v:0 fast -threads:v:0 {THREADS} ` +
      `-c:v:1 libx264 -preset:v:1 fast -crf:v:1 30 -profile:v:1 baseline -threads:v:1 {THREADS} ${CHUNK_END}`,
  );
  expect(chunks.families[0]?.argv.find((word) => word.startsWith('[0:v]'))).toMatch(
    /;\[high\]\{TRIM\}\[chunk0\];\[low\]\{TRIM\}\[chunk1\]$/,
  );
  expect(chunks.outputs.map(({ family, videos, rest }) => [family, videos, rest !== undefined])).toEqual([
    [0, [0], true],
    [0, [1], false],
  ]);
});

test('outputs in MP4 and in WebM have chunks of their own', () => {
  const chunks = chunksOf({
    input: 'a.mp4',
    outputs: [
      { output: 'b.mp4', parameters: X264 },
      { output: 'c.webm', parameters: { 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '0' } },
      { output: 'd.mp4', parameters: { ...X264, s: '64x36' } },
    ],
  });
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  expect(chunks.families.map(({ extension, videos }) => `${extension} ${videos}`)).toEqual(['mp4 2', 'mkv 1']);
  expect(chunks.outputs.map(({ family, videos }) => [family, videos])).toEqual([
    [0, [0]],
    [1, [0]],
    [0, [1]],
  ]);
});

test('a chunk is an output with the field and path of the first output of its family', () => {
  const plan = wholePlan(
    {
      input: 'a.mp4',
      outputs: [
        { output: 'b.mp4', parameters: X264 },
        { output: 'c.webm', parameters: { 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '0' } },
      ],
    },
    { chunks: true },
  );
  const { chunks } = plan;
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  const chunk = { index: 0, startMicros: 0, cutMicros: 0, beginsAtKeyFrame: true };
  const run = { outputs: [{ hasRest: false }, { hasRest: false }], disposition: [], withoutLanguage: [] };
  const parts = chunkParts(chunks, { ...run, chunks: [chunk] }, { threads: 1, lengthSeconds: 9 });
  const named = parts.flatMap((part) => planPart(plan, chunks, part).outputs.map(({ path, field }) => [path, field]));
  expect(named).toEqual(plan.outputs.map(({ path, field }) => [path, field]));
});

test('a master playlist needs the bit rates of all audio', () => {
  const sent = { ...SEGMENTS, master_pl_name: 'm.m3u8', var_stream_map: 'v:0,a:0 v:1,a:1' };
  const maps = { map: ['0:v', '0:a:0', '0:v', '0:a:0'], 'b:a:0': '64k' };
  expect(templates({ ...sent, ...maps, 'b:a:1': '32k' }, 's_%v.m3u8').outputs).toHaveLength(1);
  expect(chunksOf(requestWith({ ...X264, ...sent, ...maps }, 's_%v.m3u8'))).toEqual({
    whole: expect.stringMatching(/Send "b:a"/),
  });
  expect(templates({ ...SEGMENTS, master_pl_name: 'm.m3u8', map: ['0:v'] }, 'b.m3u8').outputs).toHaveLength(1);
});

test('a join to segments gets the options of the output, and chunks begin at its key frames', () => {
  const { outputs, cutsAtKeyFrames } = templates(
    { ...SEGMENTS, hls_time: '2', hls_segment_type: 'fmp4', master_pl_name: 'm.m3u8', 'b:a': '64k' },
    'hls/b.m3u8',
  );
  expect(cutsAtKeyFrames).toBe(true);
  expect(outputs[0]?.join.join(' ')).toBe(
    '-c copy -b:v:0 0 -bsf:v h264_mp4toannexb,filter_units=remove_types=7-8 -hls_time 2 -hls_segment_type fmp4 ' +
      '-master_pl_name m.m3u8 -b:a 64k -f hls file:out/b.m3u8',
  );
});

/** The argvs of the chunks of an MP4 file and of segments from one decoding, with a release of ffmpeg. */
function besideSegments(
  release: '5.1' | '7.1',
  ofFile: Parameters = {},
  shared: Parameters = {},
  ofHls: Parameters = {},
) {
  const outputs = [
    { output: 'b.mp4', parameters: ofFile },
    { output: 'hls/c.m3u8', parameters: ofHls },
  ];
  const request = { input: 'a.mp4', parameters: { ...X264, ...SEGMENTS, ...shared }, outputs };
  const { chunks } = wholePlan(request, { chunks: true, catalogue: recordedCatalogue(release) });
  if (chunks === undefined || 'whole' in chunks) throw new Error(chunks?.whole);
  return chunks.families.map(({ argv }) => argv.join(' '));
}

const rateModes = (argv = ''): readonly string[] => argv.match(/-(?:fps_mode|vsync)\S* \S+/g) ?? [];

test('with each release, a muxer with a constant frame rate writes the chunks of segments', () => {
  const muxer = / -f segment .*-segment_format mp4 .* file:\{FILE\}$/;
  for (const release of ['5.1', '7.1', '9.0'] as const) {
    const request = requestWith({ ...X264, ...SEGMENTS }, 'b.m3u8');
    const { chunks } = wholePlan(request, { chunks: true, catalogue: recordedCatalogue(release) });
    expect(chunks).toMatchObject({ families: [{ extension: 'mp4' }] });
    const [argv = ''] = (chunks as ChunkTemplates).families.map((family) => family.argv.join(' '));
    expect(argv).toMatch(muxer);
    expect(argv).not.toContain('fps_mode');
  }
  const chunks = chunksOf(requestWith({ 'c:v': 'libx264', ...LADDER_RATES }, 's_%v.m3u8'));
  const { average } = (chunks as ChunkTemplates).families[0] ?? {};
  expect(average?.trial.join(' ')).toMatch(muxer);
  expect(average?.first.join(' ')).toMatch(/ -f segment .* file:\/dev\/null$/);
});

test('a file beside segments keeps the frame rate that its own container has', () => {
  expect(besideSegments('5.1')).toEqual([expect.not.stringContaining('fps_mode')]);
  for (const auto of [{}, { fps_mode: 'auto' }])
    expect(rateModes(besideSegments('7.1', auto)[0])).toEqual(['-fps_mode:v:0 vfr']);
  expect(rateModes(besideSegments('7.1', { fps_mode: 'passthrough' })[0])).toEqual(['-fps_mode:v:0 passthrough']);
});

test.each<[what: string, sent: Parameters, modes: readonly string[]]>([
  ['the second has a mode', { 'fps_mode:v:1': 'passthrough' }, ['v:0 vfr', 'v:1 passthrough']],
  ['the first has a mode', { 'fps_mode:V:0': 'passthrough' }, ['v:0 passthrough', 'v:1 vfr']],
  ['both have one', { fps_mode: 'passthrough', 'fps_mode:v:1': 'vfr' }, ['v:0 passthrough', 'v:1 vfr']],
  ['none has one', {}, ['v:0 vfr', 'v:1 vfr']],
])('each of two videos beside segments keeps its frame rate mode: %s', (_what, sent, modes) => {
  const graph = { filter_complex: '[0:v]split=3[a][b][c]' };
  const argvs = besideSegments('7.1', { map: ['[a]', '[b]'], ...sent }, graph, { map: ['[c]'] });
  expect(argvs).toHaveLength(1);
  expect(rateModes(argvs[0])).toEqual(modes.map((mode) => `-fps_mode:${mode}`));
});

test('a cut is right for the frame rate mode of each video of an output', () => {
  const graph = { filter_complex: '[0:v]split[a][b]', map: ['[a]', '[b]'] };
  const request = requestWith({ ...X264, ...graph, 'fps_mode:v:1': 'passthrough' }, 'b.mp4');
  const { chunks } = wholePlan(request, { chunks: true, catalogue: recordedCatalogue('7.1') });
  expect(chunks).toMatchObject({ frameRateModes: ['cfr', 'vfr', 'passthrough'] });
});

test('each video of chunks gets the mode of "vsync", which ffmpeg reads for a whole run, by "fps_mode"', () => {
  const outputs = ['b.mp4', 'c.mp4'].map((output) => ({ output, parameters: {} }));
  for (const [vsync, mode] of [
    ['0', 'passthrough'],
    ['vfr', 'vfr'],
  ] as const) {
    const request = { input: 'a.mp4', parameters: { ...X264, vsync }, outputs };
    const { families = [] } = wholePlan(request, { chunks: true }).chunks as ChunkTemplates;
    expect(families.map(({ argv }) => rateModes(argv.join(' ')))).toEqual([
      [`-fps_mode:v:0 ${mode}`, `-fps_mode:v:1 ${mode}`],
    ]);
  }
});

test('a file beside segments runs whole with an unknown release of ffmpeg, whose frame rates are not known', () => {
  const { build: known, ...others } = recordedCatalogue('7.1');
  const { release: _, ...build } = known;
  const catalogue = { ...others, build };
  const parameters = { ...X264, ...SEGMENTS };
  const outputs = [
    { output: 'b.mp4', parameters: {} },
    { output: 'hls/c.m3u8', parameters: { hls_segment_type: 'fmp4' } },
  ];
  expect(wholePlan({ input: 'a.mp4', parameters, outputs }, { chunks: true, catalogue }).chunks).toEqual({
    whole: expect.stringMatching(/not known which frame rate/),
  });
  const alone = requestWith({ ...parameters, hls_segment_type: 'fmp4' }, 'b.m3u8');
  expect(wholePlan(alone, { chunks: true, catalogue }).chunks).not.toHaveProperty('whole');
});

test('audio is copied into MPEG-TS with times that each release rounds one by one, or the conversion runs whole', () => {
  const ofRest = (release: '5.1' | '7.1', parameters: Parameters = {}) => {
    const request = requestWith({ ...X264, ...SEGMENTS, ...parameters }, 'b.m3u8');
    const { chunks } = wholePlan(request, { chunks: true, catalogue: recordedCatalogue(release) });
    return (chunks as ChunkTemplates).outputs[0]?.ofRest?.join(' ');
  };
  expect(ofRest('5.1')).toBeUndefined();
  expect(ofRest('7.1')).toMatch(/^-bsf:a setts=.*:time_base=1\/\d+$/);
  expect(ofRest('7.1', { hls_segment_type: 'fmp4' })).toBeUndefined();
  const { build: known, ...others } = recordedCatalogue('7.1');
  const catalogue = { ...others, build: { ...known, release: [6, 1] as const } };
  const inChunks = (parameters: Parameters) =>
    wholePlan(requestWith({ ...X264, ...SEGMENTS, ...parameters }, 'b.m3u8'), { chunks: true, catalogue }).chunks;
  expect(inChunks({})).toEqual({ whole: expect.stringMatching(/Send "hls_segment_type": "fmp4"/) });
  expect(inChunks({ hls_segment_type: 'fmp4' })).not.toHaveProperty('whole');
  for (const silent of [{ an: '' }, { map: '0:v' }]) expect(inChunks(silent)).not.toHaveProperty('whole');
  expect(inChunks({ map: ['0:v', '0:a?'] })).toEqual({ whole: expect.stringMatching(/^Audio in MPEG-TS segments/) });
});

test('Opus in Matroska is copied with the times that each release gives, or the conversion runs whole', () => {
  const { build: known, ...others } = recordedCatalogue('7.1');
  const planned = (catalogue: Catalogue, output: string, parameters: Parameters = {}) =>
    wholePlan(requestWith({ 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '0', 'c:a': 'libopus', ...parameters }, output), {
      chunks: true,
      catalogue,
    }).chunks;
  const ofRest = (chunks: Plan['chunks']) => (chunks as ChunkTemplates).outputs[0]?.ofRest?.join(' ');
  for (const output of ['b.webm', 'b.mkv']) {
    expect(ofRest(planned(recordedCatalogue('5.1'), output))).toMatch(/^-bsf:a setts=ts=TS\+7$/);
    expect(planned(recordedCatalogue('7.1'), output)).not.toHaveProperty('whole');
    expect(ofRest(planned(recordedCatalogue('7.1'), output))).toBeUndefined();
    // Releases after 7.1 count as 7.1.
    expect(planned(recordedCatalogue('9.0'), output)).toEqual(planned(recordedCatalogue('7.1'), output));
    const older = { ...others, build: { ...known, release: [6, 1] as const } };
    expect(planned(older, output)).toEqual({ whole: expect.stringMatching(/^Opus in Matroska/) });
    const twoStreams = { map: ['0:v', '0:a:0', '0:a:1'] };
    expect(ofRest(planned(recordedCatalogue('5.1'), output, twoStreams))).toMatch(/^-bsf:a setts=ts=TS\+7$/);
    expect(planned(recordedCatalogue('7.1'), output, twoStreams)).not.toHaveProperty('whole');
  }
  const besideAac = { map: ['0:v', '0:a'], 'c:a': 'aac', 'c:a:1': 'libopus' };
  expect(planned(recordedCatalogue('5.1'), 'b.mkv', besideAac)).toEqual({
    whole: expect.stringMatching(/^Opus in Matroska/),
  });
  expect(planned(recordedCatalogue('7.1'), 'b.mkv', besideAac)).not.toHaveProperty('whole');
});

test('a maximum bit rate is checked where chunks are joined, and chunks begin with half of the buffer', () => {
  const [family] = templates(LIMITED).families;
  if (family === undefined) throw new Error('There is no family.');
  expect(family.limits).toEqual([{ rate: 1_500_500, buffer: 1_500_000 }]);
  const chunk = { startMicros: 5_000_000, cutMicros: 5_000_000, beginsAtKeyFrame: true };
  const fillOf = (index: number, fills?: readonly (number | null)[]) => {
    const argv = chunkArgv({ svtLevels: false }, family, { ...chunk, index }, { threads: 1, ...(fills && { fills }) });
    return argv.includes('-rc_init_occupancy:v') ? argv[argv.indexOf('-rc_init_occupancy:v') + 1] : undefined;
  };
  expect([fillOf(0), fillOf(1), fillOf(1, [300_000]), fillOf(1, [null])]).toEqual([
    ...[undefined, '750000', '300000', '750000'],
  ]);
});

test('limits that encoders ignore are not checked', () => {
  for (const parameters of [{}, { ...LIMITED, 'x264-params': 'qp=20' }])
    expect(templates(parameters).families[0]).not.toHaveProperty('limits');
});

test('each of several videos has its own limit', () => {
  const chunks = chunksOf({
    input: 'a.mp4',
    parameters: { ...X264, filter_complex: LADDER },
    outputs: [
      { output: 'b.mp4', parameters: { map: ['[high]', '0:a'] } },
      { output: 'c.mp4', parameters: { map: ['[low]'], maxrate: '1M', bufsize: '2M' } },
    ],
  });
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  expect(chunks.families[0]?.limits).toEqual([null, { rate: 1_000_000, buffer: 2_000_000 }]);
  expect(afterInput(chunks.families[0]?.argv)).toContain(' -rc_init_occupancy:v:1 {FILL}:1 ');
});

test('a limit in HLS whose chunks begin with segments needs no check', () => {
  expect(templates({ ...FORCED, ...LIMITED, hls_time: '2' }, 'b.m3u8').families[0]).not.toHaveProperty('limits');
  for (const parameters of [
    { ...SEGMENTS, ...LIMITED },
    { ...FORCED, ...LIMITED, hls_time: '6' },
  ])
    expect(templates(parameters, 'b.m3u8').families[0]?.limits).toHaveLength(1);
});

test('a chunk that exceeds a limit is encoded again at most twice', () => {
  const planned = templates(LIMITED);
  const run = { outputs: [{ hasRest: false }], disposition: [], withoutLanguage: [] };
  const chunks = [0, 1].map((index) => ({ index, startMicros: 0, cutMicros: 0, beginsAtKeyFrame: true }));
  const parts = chunkParts(planned, { ...run, chunks }, { threads: 1, lengthSeconds: 9 });
  const facts = (...buffers: BufferEffect[]): readonly ChunkFacts[] =>
    buffers.map((buffer) => ({ frames: [1], headers: '', encoders: [], buffers: [buffer] }));
  const full = { need: 0, change: 0, ceiling: 1_500_000 };
  expect(partsToReplace(planned, parts, facts(full, { ...full, need: 1_000_000 }))).toEqual([]);
  const emptied = facts({ ...full, ceiling: 400_000 }, { ...full, need: 1_000_000 });
  const [first, second] = parts;
  if (first === undefined || second?.chunk === undefined) throw new Error('There is no part.');
  const again = (fill: number, times: number, round = times): ChunkPart => ({
    ...second,
    again: { fills: [fill], times, round },
  });
  expect(partsToReplace(planned, parts, emptied)).toEqual([{ place: 1, part: again(400_000, 1) }]);
  expect(partsToReplace(planned, [first, again(500_000, 1)], emptied)).toEqual([{ place: 1, part: again(400_000, 2) }]);
  expect(partsToReplace(planned, [first, again(500_000, 2)], emptied)).toEqual({
    whole: 'Chunk 2 would exceed "maxrate" where it is joined to the one before.',
  });
  expect(partsToReplace(planned, [first, again(400_000, 2)], emptied), 'encoded for what there is').toEqual([]);
  expect(partsToReplace(planned, [first, again(500_000, 1, 4)], emptied)).toEqual({
    whole: expect.stringMatching(/^After 4 corrections/),
  });
  expect(
    partsToReplace(planned, parts, facts({ ...full, ceiling: 1000 }, { ...full, need: 1_000_000 })),
  ).toHaveProperty('whole');
});

test('two passes share an average bit rate among chunks, which are encoded quickly first', () => {
  const plan = wholePlan(
    requestWith({
      'c:v': 'libx264',
      preset: 'slow',
      'b:v': '1M',
      pass: '2',
      maxrate: '2M',
      bufsize: '2M',
      'c:a': 'aac',
    }),
    { chunks: true },
  );
  const { chunks: planned } = plan;
  if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
  const [family] = planned.families;
  expect(family?.average?.rates).toEqual([1_000_000]);
  const run = { outputs: [{ hasRest: true }], disposition: [], withoutLanguage: [] };
  const chunks = [0, 1].map((index) => ({
    ...{ index, startMicros: index * 10_000_000, cutMicros: index * 10_000_000, beginsAtKeyFrame: true },
    ...(index === 0 && { lengthMicros: 10_000_000 }),
  }));
  const parts = chunkParts(planned, { ...run, chunks }, { threads: 1, lengthSeconds: 20 });
  expect(parts.map((part) => isTrial(planned, part))).toEqual([false, true, true]);
  const passesOf = (part: ChunkPart | undefined) => (part ? planPart(plan, planned, part).passes : []).map(afterInput);
  const [trial, ...others] = passesOf(parts[1]);
  expect(others).toEqual([]);
  expect(trial).toMatch(/ -preset:v veryfast -crf:v 26 /);
  expect(trial).not.toMatch(/-b:v|-maxrate|-pass|-rc_init|-preset slow/);
  const buffers = [{ need: 0, change: 0, ceiling: 2_000_000 }];
  const factsOf = (...bytes: readonly number[]): readonly (ChunkFacts | undefined)[] => [
    undefined,
    ...bytes.map((one) => ({ frames: [250], headers: '', encoders: [], buffers, bytes: [one] })),
  ];
  const replaced = partsToReplace(planned, parts, factsOf(250_000, 750_000));
  if ('whole' in replaced) throw new Error(replaced.whole);
  expect(replaced.map(({ place, part }) => [place, 'rates' in part && part.rates])).toEqual([
    [1, [500_000]],
    [2, [1_500_000]],
  ]);
  const [first, second] = passesOf(replaced[1]?.part);
  const own = '-b:v 1500000 -rc_init_occupancy:v 1000000';
  expect(first).toContain(` ${own} -pass 1 -passlogfile pass/log -y `);
  expect(first).toMatch(/ file:\/dev\/null$/);
  expect(second).toContain(` ${own} -pass 2 -passlogfile pass/log `);
  expect(second).toMatch(/ file:pass\/chunk-000001\.mp4$/);
  const budgeted = [parts[0], ...replaced.map(({ part }) => part)].flatMap((part) => part ?? []);
  expect(partsToReplace(planned, budgeted, factsOf(620_000, 1_890_000)), 'within 2 %').toEqual([]);
  const larger = factsOf(630_000, 1_900_000);
  expect(partsToReplace(planned, budgeted, larger)).toEqual([]);
  expect(partsToReplace(planned, budgeted, larger, { maxBytes: 2_600_000 }), 'for a size').not.toEqual([]);
  const corrected = partsToReplace(planned, budgeted, factsOf(625_000, 2_250_000));
  if ('whole' in corrected) throw new Error(corrected.whole);
  expect(corrected.map(({ place, part }) => [place, 'rates' in part && part.rates])).toEqual([[2, [1_250_000]]]);
  expect(corrected[0]?.part).toMatchObject({ budgets: [1_500_000] });
  expect(partsToReplace(planned, parts, factsOf(100, 300))).toEqual({ whole: expect.stringMatching(/so simple/) });
});

const factsOfBytes = (bytes: number, size = { width: 320, height: 240 }): ChunkFacts => ({
  ...{ frames: [300], headers: '', encoders: [], bytes: [bytes], sizes: [size] },
});

test('chunks with shares of a bit rate have the same level of H.264, or the job runs whole', () => {
  const sharesOf = (parameters: Parameters, size: { readonly width: number; readonly height: number }) => {
    const request = requestWith({ 'c:v': 'libx264', 'b:v': '3M', 'c:a': 'aac', ...parameters });
    const { chunks: planned } = wholePlan(request, { chunks: true });
    if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
    const run = { outputs: [{ hasRest: false }], disposition: [], withoutLanguage: [] };
    const chunks = [0, 1].map((index) => ({
      ...{ index, startMicros: index * 10_000_000, cutMicros: index * 10_000_000, beginsAtKeyFrame: true },
      ...(index === 0 && { lengthMicros: 10_000_000 }),
    }));
    const parts = chunkParts(planned, { ...run, chunks }, { threads: 1, lengthSeconds: 20 });
    const facts = [1_000_000, 19_000_000].map((bytes) => factsOfBytes(bytes, size));
    const replaced = partsToReplace(planned, parts, facts);
    return 'whole' in replaced ? replaced : replaced.map(({ part }) => ('rates' in part ? part.rates : undefined));
  };
  const [large, small] = [
    { width: 1280, height: 720 },
    { width: 320, height: 240 },
  ];
  expect(sharesOf({ 'b:v': '5M' }, large), 'at most 7 Mb/s').toEqual([[3_000_000], [7_000_000]]);
  expect(sharesOf({ 'b:v': '5M', level: '4.1' }, large)).toEqual([[500_000], [9_500_000]]);
  expect(sharesOf({}, small)).toEqual({ whole: expect.stringMatching(/Send "level"/) });
});

test('libx265 shares a bit rate and keeps a limit by parameters, and its headers state nothing of them', () => {
  const x265 = { 'c:v': 'libx265', 'c:a': 'aac', 'x265-params': 'aq-mode=3' };
  const plan = wholePlan(requestWith({ ...x265, 'b:v': '1M', maxrate: '2M', bufsize: '2M' }), { chunks: true });
  const { chunks: planned } = plan;
  if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
  expect(planned.families[0]?.average).toMatchObject({ codec: 'hevc', rates: [1_000_000] });
  const run = { outputs: [{ hasRest: false }], disposition: [], withoutLanguage: [] };
  const chunks = [0, 1].map((index) => ({
    ...{ index, startMicros: index * 10_000_000, cutMicros: index * 10_000_000, beginsAtKeyFrame: true },
    ...(index === 0 && { lengthMicros: 10_000_000 }),
  }));
  const parts = chunkParts(planned, { ...run, chunks }, { threads: 1, lengthSeconds: 20 });
  const passesOf = (part: ChunkPart | undefined) => (part ? planPart(plan, planned, part).passes : []).map(afterInput);
  const [trial] = passesOf(parts[1]);
  expect(trial).toMatch(/ -preset:v veryfast -crf:v 26 /);
  expect(trial).not.toMatch(/-b:v|-maxrate|stats=/);
  const shared: ChunkPart = { ...parts[1], rates: [1_500_000] } as ChunkPart;
  const [first, second] = passesOf(shared);
  const own = 'pools=1:frame-threads=1:pass=1:stats=pass/x265-0.log:slow-firstpass=0:info=0:vbv-init=0.5:aq-mode=3';
  expect(first).toContain(` -x265-params ${own} `);
  expect(first).toMatch(/ -b:v 1500000 .*file:\/dev\/null$/);
  expect(first).not.toContain('rc_init_occupancy');
  expect(second).toContain(` -x265-params ${own.replace('pass=1', 'pass=2')} `);
  const [begun] = passesOf({ ...parts[0], rates: [1_500_000] } as ChunkPart);
  expect(begun, 'the first chunk begins as the whole conversion').toContain(':vbv-init=0.9:');
  const fill = { fills: [200_000], times: 1, round: 1 };
  expect(passesOf({ ...shared, again: fill } as ChunkPart)[0]).toContain(':vbv-init=0.1:');
  // Two passes of the whole conversion have a slow first pass, too.
  const twice = chunksOf(requestWith({ ...x265, 'b:v': '1M', pass: '2' }));
  if (twice === undefined || 'whole' in twice) throw new Error(JSON.stringify(twice));
  expect(twice.families[0]?.average?.first.join(' ')).not.toContain('slow-firstpass');
  expect(twice.families[0]?.average?.first.join(' ')).toContain('pass=1:stats=pass/x265-0.log:info=0:aq-mode=3');
});

test.each([
  ['several videos share parameters', { filter_complex: '[0:v]split[a][b]', map: ['[a]', '[b]'] }, /share/],
  ['headers that state the bit rate', { 'x265-params': 'info=1' }, /"info"/],
  ['a limit of the library', { 'x265-params': 'vbv-maxrate=900' }, /"vbv-maxrate"/],
])('runs libx265 with a bit rate whole: %s', (_what, parameters, reason) => {
  expect(chunksOf(requestWith({ 'c:v': 'libx265', 'b:v': '1M', an: '', ...parameters }))).toEqual({
    whole: expect.stringMatching(reason),
  });
});

test('chunks of libx265 have the same level, or the job runs whole', () => {
  const sharesOf = (parameters: Parameters) => {
    const planned = chunksOf(requestWith({ 'c:v': 'libx265', 'b:v': '3M', 'c:a': 'aac', ...parameters }));
    if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
    const run = { outputs: [{ hasRest: false }], disposition: [], withoutLanguage: [] };
    const chunk = { index: 0, startMicros: 0, lengthMicros: 10_000_000, cutMicros: 0, beginsAtKeyFrame: true };
    const [part] = chunkParts(planned, { ...run, chunks: [chunk] }, { threads: 1, lengthSeconds: 20 });
    if (part === undefined) throw new Error('There is no chunk.');
    return checkPart(planned, part, factsOfBytes(1_000_000, { width: 160, height: 120 }));
  };
  expect(sharesOf({ level: '4.1' }), '"level" means nothing to libx265').toEqual({
    whole: expect.stringMatching(/level of HEVC .*"level-idc" in "x265-params"/),
  });
  expect(sharesOf({ 'x265-params': 'level-idc=4.1' })).toBeUndefined();
  expect(sharesOf({ maxrate: '3M', bufsize: '3M' })).toBeUndefined();
});

test('the first quick encode shows that chunks would have other levels of H.264', () => {
  const planned = chunksOf(requestWith({ 'c:v': 'libx264', 'b:v': '3M', 'c:a': 'aac' }));
  if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
  const run = { outputs: [{ hasRest: false }], disposition: [], withoutLanguage: [] };
  const chunk = { index: 0, startMicros: 0, lengthMicros: 10_000_000, cutMicros: 0, beginsAtKeyFrame: true };
  const parts = chunkParts(planned, { ...run, chunks: [chunk] }, { threads: 1, lengthSeconds: 20 });
  const [first] = parts;
  const facts = factsOfBytes(1_000_000);
  if (first?.chunk === undefined) throw new Error('There is no chunk.');
  expect(checkPart(planned, first, facts)).toEqual({ whole: expect.stringMatching(/Send "level"/) });
  expect(checkPart(planned, { ...first, rates: [3_000_000] }, facts)).toBeUndefined();
});

test('the last chunk of a video that begins later than its file has its full length', () => {
  const planned = templates({});
  const run = { outputs: [{ hasRest: false }], disposition: [], withoutLanguage: [] };
  const chunks = [0, 1].map((index) => ({
    ...{ index, startMicros: 2_000_000 + index * 10_000_000, cutMicros: index * 11_000_000, beginsAtKeyFrame: true },
    ...(index === 0 && { lengthMicros: 10_000_000 }),
  }));
  const parts = chunkParts(planned, { ...run, chunks }, { threads: 1, lengthSeconds: 15 });
  expect(parts.map(partSpan)).toEqual([
    { start: 2, seconds: 10 },
    { start: 12, seconds: 5 },
  ]);
});

test('chunks share at most "maxrate", also in HLS, where it needs no check', () => {
  const { crf: _, ...withoutQuality } = X264;
  const familyWith = (parameters: Parameters) => {
    const planned = chunksOf(
      requestWith({ ...withoutQuality, ...FORCED, ...LIMITED, hls_time: '2', ...parameters }, 'b.m3u8'),
    );
    if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
    return planned;
  };
  const planned = familyWith({ 'b:v': '1M' });
  expect(planned.families[0]).not.toHaveProperty('limits');
  expect(planned.families[0]?.average).toMatchObject({ rates: [1_000_000], highest: [1_500_500] });
  const run = { outputs: [{ hasRest: false }], disposition: [], withoutLanguage: [] };
  const chunks = [0, 1, 2].map((index) => ({
    ...{ index, startMicros: index * 10_000_000, cutMicros: index * 10_000_000, beginsAtKeyFrame: true },
    lengthMicros: 10_000_000,
  }));
  const parts = chunkParts(planned, { ...run, chunks }, { threads: 1, lengthSeconds: 30 });
  const facts = [1, 1, 10].map((part) => ({ frames: [300], headers: '', encoders: [], bytes: [part * 100_000] }));
  const replaced = partsToReplace(planned, parts, facts);
  if ('whole' in replaced) throw new Error(replaced.whole);
  expect(replaced.map(({ part }) => 'rates' in part && part.rates)).toEqual([[749_750], [749_750], [1_500_500]]);
  const above = familyWith({ 'b:v': '3M' });
  expect(above.families[0]?.average?.rates, 'libx264 lowers "b:v" to "maxrate"').toEqual([1_500_500]);
  expect(above.outputs[0]?.join.join(' '), 'the manifest states what was sent').toContain('-b:v:0 3000000');
});

test('an average bit rate in one pass has two passes in each chunk, and the manifest states it', () => {
  const ofOne = templates({ ...LADDER_RATES, crf: '23' }, 's_%v.m3u8');
  expect(ofOne.families[0]).not.toHaveProperty('average');
  const { crf: _, ...withoutQuality } = X264;
  const chunks = chunksOf(requestWith({ ...withoutQuality, ...LADDER_RATES }, 's_%v.m3u8'));
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  const [family] = chunks.families;
  expect(family?.average?.rates).toEqual([2_000_000, 500_500]);
  expect(afterInput(family?.argv)).toMatch(/ -b:v:0 \{RATE\}:0 -b:v:1 \{RATE\}:1 .*-pass 2 /);
  expect(afterInput(family?.average?.trial)).not.toMatch(/RATE|-b:v/);
  expect(chunks.outputs[0]?.join.join(' ')).toContain('-b:v:0 2000000 -b:v:1 500000 ');
});

test('a deinterlacer that keeps the number of frames gets the frames before a chunk', () => {
  for (const vf of [
    'yadif',
    'yadif=mode=send_frame:deint=interlaced',
    'bwdif=mode=send_frame,scale=64:-2',
    'yadif=0:-1:1',
  ])
    expect(templates({ vf }), vf).toHaveProperty('readsNeighbours', true);
  expect(templates({ vf: 'hflip' })).not.toHaveProperty('readsNeighbours');
  const [family] = templates({ vf: 'yadif' }).families;
  const chunk = {
    index: 1,
    startMicros: 5_000_000,
    decodeMicros: 4_880_000,
    cutMicros: 4_980_000,
    beginsAtKeyFrame: true,
  };
  const argv = family === undefined ? [] : chunkArgv({ svtLevels: false }, family, chunk, { threads: 1 });
  expect(argv[argv.indexOf('-ss') + 1]).toBe('4.880000');
  expect(argv.join(' ')).toContain('trim=start=5.000000');
});

test('filters that depend on the time of a frame alone are the same in chunks', () => {
  for (const vf of [
    'fade=t=in:d=2,fade=t=out:st=8:d=2',
    'fade=type=out:start_time=0.5:duration=1:color=white',
    "hue=s=0:enable='between(t,1,2)'",
    "negate=enable='gte(t,4)*lt(t,5)',scale=64:-2",
  ])
    expect(templates({ vf }).families, vf).toHaveLength(1);
});

test('segments may have a maximum bit rate, which the manifest states', () => {
  for (const hls_time of ['4', '2', '500ms'])
    expect(templates({ ...FORCED, ...LIMITED, hls_time }, 'b.m3u8').outputs[0]?.join.join(' ')).toContain(
      '-b:v:0 1500000 ',
    );
  expect(templates({ ...SEGMENTS, 'b:a': '64k' }, 'b.mpd').outputs[0]?.join.join(' ')).toContain('-b:v 0 ');
});

test('the threads of a chunk are the same on every machine', () => {
  const argvOf = (parameters: Parameters) => templates(parameters).families[0]?.argv;
  expect(argvOf({ 'c:v': 'libx265', 'x265-params': 'aq-mode=3' })).toContain('{X265}:aq-mode=3');
  expect(argvOf({ 'c:v': 'libx265' })).toContain('{X265}');
  expect(argvOf({ threads: '3' })).not.toContain('{THREADS}');
  const ofFirst = argvOf({ 'c:v': 'libx265', 'x265-params:v:0': 'aq-mode=3' });
  expect(ofFirst?.filter((word) => word.startsWith('{X265}'))).toEqual(['{X265}:aq-mode=3']);
});

/** How each encoder gets its threads. From these, libraries derive lookahead threads and slices. */
const PINNED: readonly (readonly [parameters: Parameters, threads: RegExp, output?: string])[] = [
  [{ 'c:v': 'libx264' }, / -threads:v 4 /],
  // Slices of x264 that depend on the machine: as many as threads.
  [{ 'c:v': 'libx264', tune: 'zerolatency' }, / -threads:v 4 /],
  [{ 'c:v': 'libx264', 'x264-params': 'sliced-threads=1' }, / -threads:v 4 /],
  [{ 'c:v': 'libx265' }, /pools=4:frame-threads=2/],
  [{ 'c:v': 'libsvtav1' }, /lp=\d/, 'b.mkv'],
  [{ 'c:v': 'libaom-av1' }, / -threads:v 4 /, 'b.mkv'],
  [{ 'c:v': 'libvpx-vp9', 'b:v': '0' }, / -threads:v 4 /, 'b.webm'],
];

test.for(PINNED)(
  'with %o, lookahead and slices of a chunk do not depend on the machine',
  ([parameters, threads, output]) => {
    const argvsOn = (cores: number): readonly string[] => {
      const plan = wholePlan(requestWith({ crf: '30', ...parameters }, output ?? 'b.mp4'), { chunks: true, cores });
      if (plan.chunks === undefined || 'whole' in plan.chunks) throw new Error(JSON.stringify(plan.chunks));
      const run = { outputs: [{ hasRest: false }], disposition: [], withoutLanguage: [] };
      const chunk = { index: 1, startMicros: 1e7, cutMicros: 9e6, beginsAtKeyFrame: true };
      // The worker of the job stores the number of its processors with each part.
      const [part] = chunkParts(plan.chunks, { ...run, chunks: [chunk] }, { threads: 4, lengthSeconds: 20 });
      if (part === undefined) throw new Error('There is no chunk.');
      return planPart(plan, plan.chunks, part).passes.map((argv) => argv.join(' '));
    };
    expect(argvsOn(2).join('\n')).toMatch(threads);
    expect(argvsOn(64)).toEqual(argvsOn(2));
  },
);

test('a fixed distance of key frames is kept', () => {
  expect(templates({ g: '48', sc_threshold: '0' }).keyFrameDistance).toBe(48);
  expect(templates({ g: '48' }).keyFrameDistance).toBeUndefined();
  expect(templates({ 'x264-params': 'keyint=50:min-keyint=50' }).keyFrameDistance).toBe(50);
  expect(templates({ force_key_frames: 'expr:gte(t,n_forced*2)' }).forcedKeyFrames).toEqual({ everySeconds: 2 });
});
