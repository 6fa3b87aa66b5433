import { expect, test } from 'vitest';
import type { ChunkTemplates } from '../../packages/contract/src/domain/chunks.ts';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { chunkParts, planPart } from '../../packages/ffmpeg/src/chunks/chunk-plans.ts';
import { requestWith, wholePlan } from '../support/planning.ts';

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
  ['yadif', /"yadif"/, { vf: 'yadif=mode=send_frame' }],
  ['a filter for a time', /"enable"/, { vf: "hue=s=0:enable='between(t,1,2)'" }],
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
  ['a bit rate', /"b:v" spreads/, { crf: [], 'b:v': '1M' }],
  ['a maximum rate', /"maxrate" spreads/, { maxrate: '1M', bufsize: '2M' }],
  ['two passes', /two passes/, { crf: [], 'b:v': '1M', pass: '2' }],
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
  ['HLS with a maximum rate and key frames by number', /must begin a segment/, { ...SEGMENTS, ...LIMITED }, 'b.m3u8'],
  [
    'HLS with a maximum rate and too many key frames',
    /must begin a segment/,
    { ...FORCED, ...LIMITED, hls_time: '6' },
    'b.m3u8',
  ],
  ['DASH with a maximum rate', /"maxrate" spreads/, { ...FORCED, ...LIMITED, 'b:a': '64k' }, 'b.mpd'],
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
    /^Output 2: "maxrate"/,
    {
      input: 'a.mp4',
      parameters: X264,
      outputs: [{ output: 'b.mp4' }, { output: 'c.mp4', parameters: { maxrate: '1M', bufsize: '1M' } }],
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
    'an option for all videos of a file',
    /"sws_flags" differs/,
    {
      input: 'a.mp4',
      parameters: X264,
      outputs: [{ output: 'b.mp4', parameters: { sws_flags: 'lanczos' } }, { output: 'c.mp4' }],
    },
  ],
];

for (const [what, reason, request] of SHAPES) {
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

const LADDER = '[0:v]split=2[a][b];[a]scale=-2:72[high];[b]scale=-2:36[low]';

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
});

test('a fixed distance of key frames is kept', () => {
  expect(templates({ g: '48', sc_threshold: '0' }).keyFrameDistance).toBe(48);
  expect(templates({ g: '48' }).keyFrameDistance).toBeUndefined();
  expect(templates({ 'x264-params': 'keyint=50:min-keyint=50' }).keyFrameDistance).toBe(50);
  expect(templates({ force_key_frames: 'expr:gte(t,n_forced*2)' }).forcedKeyFrames).toEqual({ everySeconds: 2 });
});
