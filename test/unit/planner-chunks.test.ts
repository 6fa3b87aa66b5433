import { expect, test } from 'vitest';
import type { ChunkTemplates } from '../../packages/contract/src/domain/chunks.ts';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { QualityTarget } from '../../packages/contract/src/domain/quality.ts';
import { chunkArgv, joinOfChunks, restArgv } from '../../packages/ffmpeg/src/chunks/argvs.ts';
import { chunkParts, partSpan, planChunkJoin, planPart } from '../../packages/ffmpeg/src/chunks/parts.ts';
import { requestWith, wholePlan } from '../support/planning.ts';

const X264: Parameters = { 'c:v': 'libx264', crf: '23' };

const chunksOf = (request: ConversionRequest) => wholePlan(request, { chunks: true, cores: 2 }).chunks;

function templatesOf(request: ConversionRequest): ChunkTemplates {
  const chunks = chunksOf(request);
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  return chunks;
}

const templates = (parameters: Parameters, output = 'b.mp4'): ChunkTemplates =>
  templatesOf(requestWith({ ...X264, ...parameters }, output));

/** Key frames at known times. */
const FORCED: Parameters = { force_key_frames: 'expr:gte(t,n_forced*4)' };

/** The parameters with those of x264, without those that are empty lists. */
const sentOf = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries({ ...X264, ...parameters }).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );

const WHOLE: readonly (readonly [what: string, reason: RegExp, parameters: Parameters, output?: string])[] = [
  ['a frame rate', /^"r" is not known/, { r: '25' }],
  ['a constant frame rate', /repeats or drops/, { fps_mode: 'cfr' }],
  ['a fade by numbers of frames', /"fade"/, { vf: 'scale=64:-2,fade=in:0:25' }],
  ['minterpolate', /"minterpolate"/, { vf: 'minterpolate=fps=50' }],
  ['decimate', /"decimate"/, { vf: 'decimate' }],
  ['tinterlace', /"tinterlace"/, { vf: 'tinterlace' }],
  ['thumbnail', /"thumbnail"/, { vf: 'thumbnail' }],
  ['deshake', /"deshake"/, { vf: 'deshake' }],
  ['a stabilised picture', /two passes/, { vf: 'vidstabtransform', pass: '2' }],
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
  ['a fade that starts at a number of frames', /"fade"/, { vf: 'fade=t=out:s=25:d=1' }],
  ['a picture whose size changes by number', /"w"/, { vf: 'scale=w=64+n:h=64:eval=frame' }],
  ['noise', /"noise"/, { vf: 'noise=alls=20:allf=t' }],
  ['setpts', /"setpts"/, { vf: 'setpts=2*PTS' }],
  ['a graph with a clock', /"fade"/, { filter_complex: '[0:v]fade=in:0:25[v]', map: ['[v]'] }],
  ['a graph that combines frames', /"hstack"/, { filter_complex: '[0:v]split[a][b];[a][b]hstack[v]', map: ['[v]'] }],
  ['a graph of audio', /reads "\[0:a\]"/, { filter_complex: '[0:a]volume=2[a]', map: ['0:v', '[a]'] }],
  ['a graph without a label', /without a label/, { filter_complex: 'scale=64:-2[v]', map: ['[v]'] }],
  ['a video beside a graph', /besides those/, { filter_complex: '[0:v]scale=64:-2[v]', map: ['[v]', '0:v'] }],
  ['a map that may be several videos', /several videos/, { map: ['0:v', '0'] }],
  ['a minimum rate', /^"minrate"/, { minrate: '1M', maxrate: '1M', bufsize: '2M' }],
  ['a constant bit rate', /"nal-hrd"/, { crf: [], 'b:v': '1M', maxrate: '1M', bufsize: '2M', 'nal-hrd': 'cbr' }],
  ['a bit rate of x265', /"b:v" is kept/, { 'c:v': 'libx265', crf: [], 'b:v': '1M', maxrate: '2M', bufsize: '2M' }],
  ['a bit rate of SVT-AV1', /"b:v" is kept/, { 'c:v': 'libsvtav1', crf: [], 'b:v': '1M' }, 'b.mkv'],
  ['a bit rate of VP9', /"b:v" is kept/, { 'c:v': 'libvpx-vp9', crf: [], 'b:v': '1M' }, 'b.webm'],
  [
    'an average bit rate with a filter that changes the frame rate',
    /cannot be counted/,
    { crf: [], 'b:v': '1M', vf: 'fps=12' },
  ],
  ['two passes', /two passes/, { crf: [], 'b:v': '1M', pass: '2' }],
  ['a number of a frame in a text', /"drawtext"/, { vf: "drawtext=text='%{frame_num}'" }],
  ['a crop that moves by numbers of frames', /"x"/, { vf: 'crop=64:64:n:0' }],
  ['a start', /^"ss"/, { ss: '1' }],
  ['a length', /^"t"/, { t: '1' }],
  ['a size', /^"fs"/, { fs: '1000000' }],
  ['the shortest stream', /^"shortest"/, { shortest: '' }],
  ['a number of frames', /^"frames:v"/, { 'frames:v': '10' }],
  ['a repeated input', /"stream_loop"/, { stream_loop: '1' }],
  ['copied video', /is copied/, { 'c:v': 'copy', crf: [] }],
  ['another encoder', /"mpeg4"/, { 'c:v': 'mpeg4', crf: [] }],
  ['a bit rate in parameters', /"bitrate"/, { 'x264-params': 'bitrate=1000' }],
  ['a zone', /"zones"/, { 'x264-params': 'zones=0,10,q=20' }],
  ['a transport stream', /"mpegts"/, {}, 'b.ts'],
  ['HLS with unknown key frames', /Send "force_key_frames"/, {}, 'b.m3u8'],
  ['HLS in one file', /"single_file"/, { ...FORCED, hls_flags: 'single_file' }, 'b.m3u8'],
  ['HLS cut by time', /"split_by_time"/, { ...FORCED, hls_flags: 'split_by_time' }, 'b.m3u8'],
  ['HLS with dates', /"strftime"/, { ...FORCED, strftime: '1', hls_segment_filename: 'a-%s.ts' }, 'b.m3u8'],
  ['HLS with a first length', /"hls_init_time"/, { ...FORCED, hls_init_time: '1' }, 'b.m3u8'],
  ['HLS numbered by a clock', /clock/, { ...FORCED, hls_start_number_source: 'epoch' }, 'b.m3u8'],
  ['HLS with a variable rate', /repeats or drops/, { ...FORCED, fps_mode: 'vfr' }, 'b.m3u8'],
  ['DASH in one file', /"single_file"/, { ...FORCED, single_file: '1' }, 'b.mpd'],
  ['DASH in fragments', /"frag_duration"/, { ...FORCED, frag_duration: '1' }, 'b.mpd'],
  ['fragments', /"frag_keyframe"/, { movflags: '+frag_keyframe' }],
  ['a bitstream filter', /"bsf:v"/, { 'bsf:v': 'h264_metadata=aud=insert' }],
  ['an expression for key frames', /"force_key_frames"/, { force_key_frames: 'expr:eq(mod(n,10),0)' }],
  ['listed key frames', /"force_key_frames"/, { force_key_frames: '0.5,2.25,4' }],
  ['key frames that no argument holds', /at least 0.5/, { force_key_frames: 'expr:gte(t,n_forced*0.001)' }],
  ['the disposition of a video', /"disposition:v:0"/, { 'disposition:v:0': 'forced' }],
  ['kept times', /"copyts"/, { copyts: '' }],
];

for (const [what, reason, parameters, output] of WHOLE) {
  test(`runs whole: ${what}`, () => {
    expect(chunksOf(requestWith(sentOf(parameters), output))).toEqual({ whole: expect.stringMatching(reason) });
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
    { input: 'a.mp4', output: 'b.m3u8', encrypt: { keyUri: 'k.bin' }, parameters: { ...X264, ...FORCED } },
  ],
  [
    'one of several outputs',
    /^Output 2: "t" is not known/,
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
  ['no output with video', /encodes no video/, { input: 'a.mp4', outputs: [{ output: 'b.mp3' }, { output: 'c.wav' }] }],
  [
    'key frames at different times',
    /different times/,
    {
      input: 'a.mp4',
      parameters: X264,
      outputs: [{ output: 'b.mp4', parameters: FORCED }, { output: 'c.mp4' }],
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
  ['a quality target with a bit rate', /limits of the whole video/, withQuality({ maxBitrate: 1_000_000 })],
  ['a quality target with a size', /limits of the whole video/, withQuality({ maxSize: 1_000_000 })],
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

const SPLIT: readonly (readonly [what: string, parameters: Parameters, output?: string])[] = [
  ['a constant number of frames per second by a filter', { vf: 'fps=25' }],
  ['a text with the time', { vf: "drawtext=text='%{pts}'" }],
  ['fades by time', { vf: 'fade=t=in:d=2,fade=type=out:start_time=8:duration=2:color=white' }],
  ['a filter for some time', { vf: "hue=s=0:enable='between(t,1,2)',scale=64:-2" }],
  ['a crop that moves with time', { vf: 'crop=64:64:10*t:0' }],
  ['a rotation that turns with time', { vf: 'rotate=t' }],
  ['HLS of x265', { ...FORCED, 'c:v': 'libx265', hls_segment_type: 'fmp4' }, 'b.m3u8'],
  ['HLS with copied audio', { ...FORCED, 'c:a': 'copy' }, 'b.m3u8'],
  ['DASH of AV1', { ...FORCED, 'c:v': 'libsvtav1' }, 'b.mpd'],
];

for (const [what, parameters, output] of SPLIT)
  test(`runs in chunks: ${what}`, () => {
    expect(chunksOf(requestWith(sentOf(parameters), output))).not.toHaveProperty('whole');
  });

/** What follows the input in an argv. */
const afterInput = (argv: readonly string[] = []): string => argv.slice(argv.indexOf('-i') + 2).join(' ');

/** Two chunks of ten seconds. */
const RUN_OF_TWO = {
  chunks: [
    { index: 0, startMicros: 0, lengthMicros: 10_000_000, cutMicros: 0, frames: 250 },
    { index: 1, startMicros: 10_000_000, cutMicros: 9_980_000, frames: 250 },
  ],
  ...{ hasRest: [true], sourceMicros: 0, disposition: ['default'] },
};

const [FIRST, SECOND] = RUN_OF_TWO.chunks as [(typeof RUN_OF_TWO.chunks)[0], (typeof RUN_OF_TWO.chunks)[0]];

const CHUNK_END =
  '-output_ts_offset 10 -movflags +frag_keyframe+empty_moov+default_base_moof+frag_discont -use_editlist 0 -write_tmcd 0 ' +
  '-avoid_negative_ts disabled -f mp4 file:{FILE}';

const LADDER = '[0:v]split=2[a][b];[a]scale=-2:72[high];[b]scale=-2:36[low]';

test('each option goes to the runs that need it', () => {
  const { argv, outputs } = templates({
    'b:a': '96k',
    vf: 'scale=64:-2',
    metadata: 'title=x',
    movflags: '+faststart',
    map: ['0:v', '0:a'],
    'tag:v': 'avc1',
  });
  expect(afterInput(argv)).toBe(
    '-map 0:V:0 -map_chapters -1 -map_metadata:g -1 -c:v:0 libx264 -crf:v:0 23 -filter:v:0 scale=w=64:h=-2,{TRIM} ' +
      `-tag:v:0 avc1 -threads:v:0 {THREADS} -x264-params:v:0 stitchable=1 -fps_mode:v:0 vfr ${CHUNK_END}`,
  );
  expect(afterInput(outputs[0]?.rest)).toBe(
    '-map 0:v -map 0:a -vn -map_chapters -1 -map_metadata:g -1 -b:a 96k -movie_timescale 1000000 ' +
      '-write_tmcd 0 -f mp4 file:{FILE}',
  );
  expect(outputs[0]?.join.join(' ')).toBe(
    '-c copy -metadata title=x -movflags +faststart -tag:v avc1 -f mp4 file:out/b.mp4',
  );
});

test('the bit rate of a video goes to each chunk as it is', () => {
  const rates = { 'b:v': '1M', maxrate: '1500.5k', bufsize: '2M' };
  const { argv, outputs } = templatesOf(requestWith({ 'c:v': 'libx264', ...rates, ...FORCED }, 'b.m3u8'));
  expect(afterInput(argv)).toContain(' -b:v:0 1M -maxrate:v:0 1500.5k -bufsize:v:0 2M ');
  expect(outputs[0]?.join.join(' '), 'the manifest states it').toContain('-b:v:0 1500500 ');
});

test('a chunk with an average bit rate is encoded from four seconds before its start, which the join leaves out', () => {
  const planned = templatesOf(requestWith({ 'c:v': 'libx264', 'b:v': '1M', maxrate: '2M', bufsize: '2M' }));
  const argv = chunkArgv(planned, SECOND, 2).join(' ');
  expect(argv).toContain('-ss 6.000000 ');
  expect(argv).toContain('trim=start=6.000000 ');
  expect(argv).toContain('-force_key_frames:v 9.980000 -forced-idr:v 1 ');
  expect(chunkArgv(planned, FIRST, 2).join(' ')).not.toContain('force_key_frames');
  const { text } = joinOfChunks(planned, RUN_OF_TWO);
  expect(text.text).toContain('inpoint 20.010000\n');
  expect(templates({ maxrate: '2M', bufsize: '2M' }), 'not with crf').not.toHaveProperty('warmUpSeconds');
});

test('a ladder per title has as many rungs in its chunks and in the join as samples let choose', () => {
  const parameters = { 'c:v': 'libx264', 'c:a': 'aac', preset: 'fast', hls_time: '4' };
  const plan = wholePlan({ input: 'a.mp4', output: 'b.m3u8', parameters, ladder: { target: 0.98 } }, { chunks: true });
  if (plan.chunks === undefined || 'whole' in plan.chunks) throw new Error(JSON.stringify(plan.chunks));
  const rungs = [720, 360].map((height) => ({ width: 2 * height, height, value: 24, score: 0.9, bitsPerSecond: 1e6 }));
  const ladder = { metric: 'ssim', target: 0.98, option: 'crf', hasAudio: true } as const;
  const run = { ...RUN_OF_TWO, sourceMicros: 1_500_000, chosen: { ladder: { ...ladder, rungs, tried: rungs } } };
  const parts = chunkParts(plan.chunks, run, { threads: 2, lengthSeconds: 20 });
  const [, first] = parts;
  if (first === undefined) throw new Error('There is no chunk.');
  const argv = planPart(plan, plan.chunks, first).passes.flat().join(' ');
  expect(argv).toContain(
    ' -filter:v:0 trim=end=10.000000 -fps_mode:v:0 cfr -s:v:0 1440x720 -crf:v:0 24 -maxrate:v:0 1500000 ',
  );
  expect(argv).toContain(' -s:v:1 720x360 -crf:v:1 24 ');
  expect(argv).toContain(' -preset:v:1 fast ');
  const facts = parts.map(() => ({ frames: [250, 250], headers: '' }));
  const joined = planChunkJoin(plan, plan.chunks, parts, facts);
  if ('whole' in joined) throw new Error(joined.whole);
  const join = joined.passes.flat().join(' ');
  expect(join).toContain(' -itsoffset -1.500000 ');
  expect(join).toContain(' -map 1:v:0 -map 1:v:1 -map 2 ');
  expect(join).toContain('v:0,agroup:audio v:1,agroup:audio a:0,agroup:audio,name:audio');
});

test('a chunk has the times of the whole, and only its own frames', () => {
  const planned = templates(FORCED);
  const first = chunkArgv(planned, FIRST, 2);
  expect(first).not.toContain('-ss');
  expect(first).not.toContain('-copyts');
  expect(first.join(' ')).toContain('-filter:v:0 trim=end=10.000000 ');
  const second = chunkArgv(planned, { ...SECOND, keyFrameMicros: [12_000_000, 16_000_000] }, 2).join(' ');
  expect(second).toContain('-copyts -start_at_zero ');
  expect(second).toContain('-noaccurate_seek -ss 10.000000 ');
  expect(second).toContain('-filter:v:0 trim=start=10.000000 ');
  expect(second).toContain('-force_key_frames:v 12.000000,16.000000 ');
  expect(second).toMatch(/ file:pass\/chunk-000001\.mp4$/);
});

test('words of the client that look like placeholders stay', () => {
  const { argv } = templates({ 'metadata:s:v:0': 'title={TRIM}', vf: "drawtext=text='{TRIM}x'" });
  expect(argv.join(' ')).toContain('{TRIM}');
});

test('the other streams of an output are one run, or none', () => {
  const planned = templates({ 'c:a': 'aac' });
  expect(restArgv(planned, 0, RUN_OF_TWO)?.at(-1)).toBe('file:pass/rest-0.mp4');
  expect(restArgv(planned, 0, { hasRest: [false] })).toBeUndefined();
  expect(templates({ an: '', sn: '', dn: '' }).outputs[0]).not.toHaveProperty('rest');
});

test('the join copies the chunks by their times, with the other streams, the disposition and the timecode', () => {
  const planned = templates({ 'c:a': 'aac' });
  const { argv, text } = joinOfChunks(planned, { ...RUN_OF_TWO, timecode: '01:00:00:00' });
  expect(argv.join(' ')).toMatch(
    /-i file:pass\/chunks\.ffconcat .*-i file:pass\/rest-0\.mp4 -map 1:v:0 -map 2 -disposition:v:0 default -metadata:s:v:0 timecode=01:00:00:00 -c copy .*-f mp4 file:out\/b\.mp4$/,
  );
  expect(text.text.split('\n').filter((line) => /^(?:file|inpoint|duration)/.test(line))).toEqual([
    ...["file 'file:pass/chunk-000000.mp4'", 'inpoint 10.000000', 'duration 9.980000'],
    ...["file 'file:pass/chunk-000001.mp4'", 'inpoint 19.980000'],
  ]);
});

test('a chunk with a quality target is encoded with the value of all chunks', () => {
  const plan = wholePlan(withQuality({}, { s: '64x36', pix_fmt: 'yuv420p', vf: 'hflip' }), { chunks: true });
  const { chunks } = plan;
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  const quality = { metric: 'ssim', target: 0.98, option: 'crf', value: 26, tried: [] } as const;
  const run = { ...RUN_OF_TWO, hasRest: [false], chosen: { quality } };
  const parts = chunkParts(chunks, run, { threads: 2, lengthSeconds: 20 });
  const [, second] = parts;
  if (second === undefined) throw new Error('There is no second chunk.');
  expect(afterInput(planPart(plan, chunks, second).passes[0])).toContain(
    ' -s:v:0 64x36 -pix_fmt:v:0 yuv420p -filter:v:0 hflip,trim=start=10.000000 -crf:v:0 26 ',
  );
  const joined = planChunkJoin(
    plan,
    chunks,
    parts,
    parts.map(() => ({ frames: [250], headers: '' })),
  );
  if ('whole' in joined) throw new Error(joined.whole);
  expect(joined.chosen).toEqual({ quality });
  expect(joined).not.toHaveProperty('quality');
});

test('videos of several outputs are encoded by one run, each with its options', () => {
  const chunks = templatesOf({
    input: 'a.mp4',
    parameters: { ...X264, filter_complex: LADDER, preset: 'fast' },
    outputs: [
      { output: 'b.mp4', parameters: { map: ['[high]', '0:a'] } },
      { output: 'c.mkv', parameters: { map: ['[low]'], 'c:v': 'libx265', crf: '30' } },
    ],
  });
  const words = afterInput(chunks.argv);
  expect(words).toContain(
    ' -map [chunk0] -map [chunk1] -map_chapters -1 -map_metadata:g -1 -c:v:0 libx264 -crf:v:0 23 -preset:v:0 fast ',
  );
  expect(words).toContain(' -c:v:1 libx265 ');
  expect(words).toContain(' -crf:v:1 30 ');
  expect(words.endsWith(CHUNK_END)).toBe(true);
  expect(chunks.argv.find((word) => word.startsWith('[0:v]'))).toMatch(
    /;\[high\]\{TRIM\}\[chunk0\];\[low\]\{TRIM\}\[chunk1\]$/,
  );
  expect(chunks.outputs.map(({ videos, rest }) => [videos, rest !== undefined])).toEqual([
    [[0], true],
    [[1], false],
  ]);
});

test('outputs in MP4, WebM and MOV share the chunks, which are MOV for ProRes', () => {
  const outputs = [
    { output: 'b.mp4', parameters: X264 },
    { output: 'c.webm', parameters: { 'c:v': 'libvpx-vp9', crf: '30', 'b:v': '0' } },
  ];
  expect(templatesOf({ input: 'a.mp4', outputs })).toMatchObject({ extension: 'mp4', videos: 2 });
  const prores = { output: 'd.mov', parameters: { 'c:v': 'prores_ks' } };
  expect(templatesOf({ input: 'a.mp4', outputs: [{ output: 'b.mp4', parameters: X264 }, prores] })).toMatchObject({
    ...{ extension: 'mov', videos: 2 },
  });
  // MOV does not hold VP9.
  expect(chunksOf({ input: 'a.mp4', outputs: [...outputs, prores] })).toEqual({ whole: expect.stringMatching(/^MOV/) });
});

test('an average bit rate beside an output of another encoder runs whole', () => {
  const outputs = [
    { output: 'b.mp4', parameters: { 'c:v': 'libx264', 'b:v': '1M' } },
    { output: 'c.mkv', parameters: { 'c:v': 'libsvtav1', crf: '30' } },
  ];
  expect(chunksOf({ input: 'a.mp4', outputs })).toEqual({ whole: expect.stringMatching(/"libsvtav1"/) });
});

test('a join to segments gets the options of the output', () => {
  const { outputs, keyFrameSeconds } = templates(
    { ...FORCED, hls_time: '4', hls_segment_type: 'fmp4', master_pl_name: 'm.m3u8', 'b:a': '64k' },
    'hls/b.m3u8',
  );
  expect(keyFrameSeconds).toBe(4);
  expect(outputs[0]?.join.join(' ')).toBe(
    '-c copy -b:v:0 0 -bsf:v h264_mp4toannexb,filter_units=remove_types=7-8 -hls_time 4 -hls_segment_type fmp4 ' +
      '-master_pl_name m.m3u8 -b:a 64k -f hls file:out/b.m3u8',
  );
});

test('chunks have a variable frame rate, or the times of the source if the request wants these', () => {
  expect(templates({}).argv.join(' ')).toContain(' -fps_mode:v:0 vfr ');
  expect(templates({ fps_mode: 'passthrough' }).argv.join(' ')).toContain(' -fps_mode:v:0 passthrough ');
  expect(templates({ vsync: '0' }).argv.join(' ')).toContain(' -fps_mode:v:0 passthrough ');
});

test('the last chunk of a video that begins later than its file has its full length', () => {
  const chunks = RUN_OF_TWO.chunks.map((chunk) => ({ ...chunk, startMicros: chunk.startMicros + 2_000_000 }));
  const run = { ...RUN_OF_TWO, hasRest: [false], chunks };
  expect(chunkParts(templates({}), run, { threads: 1, lengthSeconds: 17 }).map(partSpan)).toEqual([
    { start: 2, seconds: 10 },
    { start: 12, seconds: 5 },
  ]);
});

test('a deinterlacer that keeps the number of frames gets the frames before a chunk', () => {
  for (const vf of [
    'yadif',
    'yadif=mode=send_frame:deint=interlaced',
    'bwdif=mode=send_frame,scale=64:-2',
    'yadif=0:-1:1',
  ])
    expect(templates({ vf }), vf).toHaveProperty('prerollSeconds', 1);
  expect(templates({ vf: 'hflip' })).not.toHaveProperty('prerollSeconds');
  const argv = chunkArgv(templates({ vf: 'yadif' }), SECOND, 1);
  expect(argv[argv.indexOf('-ss') + 1]).toBe('9.000000');
  expect(argv.join(' ')).toContain('trim=start=10.000000');
});

test('the threads of a chunk are the same on every machine', () => {
  expect(templates({ 'c:v': 'libx265', 'x265-params': 'aq-mode=3' }).argv).toContain('{X265}:info=0:aq-mode=3');
  expect(templates({ threads: '3' }).argv).not.toContain('{THREADS}');
});

/** How each encoder gets its threads. From these, libraries derive lookahead threads and slices. */
const PINNED: readonly (readonly [parameters: Parameters, threads: RegExp, output?: string])[] = [
  [{ 'c:v': 'libx264' }, / -threads:v:0 4 /],
  // Slices of x264 that depend on the machine: as many as threads.
  [{ 'c:v': 'libx264', tune: 'zerolatency' }, / -threads:v:0 4 /],
  [{ 'c:v': 'libx264', 'x264-params': 'sliced-threads=1' }, / -threads:v:0 4 /],
  [{ 'c:v': 'libx265' }, /pools=4:frame-threads=2/],
  [{ 'c:v': 'libsvtav1' }, /lp=\d/, 'b.mkv'],
  [{ 'c:v': 'libaom-av1' }, / -threads:v:0 4 /, 'b.mkv'],
  [{ 'c:v': 'libvpx-vp9', 'b:v': '0' }, / -threads:v:0 4 /, 'b.webm'],
];

test.for(PINNED)(
  'with %o, lookahead and slices of a chunk do not depend on the machine',
  ([parameters, threads, output]) => {
    const argvsOn = (cores: number): readonly string[] => {
      const plan = wholePlan(requestWith({ crf: '30', ...parameters }, output ?? 'b.mp4'), { chunks: true, cores });
      if (plan.chunks === undefined || 'whole' in plan.chunks) throw new Error(JSON.stringify(plan.chunks));
      const run = { hasRest: [false], sourceMicros: 0, disposition: [], chunks: [SECOND] };
      // The worker of the job stores the number of its processors with each part.
      const [part] = chunkParts(plan.chunks, run, { threads: 4, lengthSeconds: 20 });
      if (part === undefined) throw new Error('There is no chunk.');
      return planPart(plan, plan.chunks, part).passes.map((argv) => argv.join(' '));
    };
    expect(argvsOn(2).join('\n')).toMatch(threads);
    expect(argvsOn(64)).toEqual(argvsOn(2));
  },
);
