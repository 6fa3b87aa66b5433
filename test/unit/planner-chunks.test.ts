import { expect, test } from 'vitest';
import type { ChunkTemplates } from '../../packages/contract/src/domain/chunks.ts';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { requestWith, wholePlan } from '../support/planning.ts';

const X264: Parameters = { 'c:v': 'libx264', crf: '23' };

const chunksOf = (request: ConversionRequest, cores = 2) => wholePlan(request, { chunks: true, cores }).chunks;

const templates = (parameters: Parameters, output = 'b.mp4'): ChunkTemplates => {
  const chunks = chunksOf(requestWith({ ...X264, ...parameters }, output));
  if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
  return chunks;
};

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
  ['a complex graph', /"filter_complex"/, { filter_complex: '[0:v]scale=64:-2[v]', map: ['[v]'] }],
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
  ['HLS', /"hls"/, {}, 'b.m3u8'],
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
  ['several outputs', /several outputs/, { input: 'a.mp4', outputs: [{ output: 'b.mp4' }, { output: 'c.mp4' }] }],
];

for (const [what, reason, request] of SHAPES) {
  test(`runs whole: ${what}`, () => {
    expect(chunksOf(request)).toEqual({ whole: expect.stringMatching(reason) });
  });
}

test('a plan without video says nothing about chunks', () => {
  expect(chunksOf({ input: 'a.mp4', output: 'b.mp3' })).toBeUndefined();
});

test('a plan says nothing about chunks unless it is asked', () => {
  expect(wholePlan(requestWith(X264))).not.toHaveProperty('chunks');
});

test('each option goes to the runs that need it', () => {
  const {
    chunk,
    rest = [],
    join,
  } = templates({
    'b:a': '96k',
    vf: 'scale=64:-2',
    metadata: 'title=x',
    movflags: '+faststart',
    map: ['0:v', '0:a'],
    'tag:v': 'avc1',
  });
  const text = (argv: readonly string[]): string => argv.slice(argv.indexOf('-i') + 2).join(' ');
  expect(text(chunk)).toBe(
    '-map 0:v -map 0:a -map -0:t -an -sn -dn -map_chapters -1 -map_metadata:g -1 -c:v libx264 -crf 23 -filter:v scale=w=64:h=-2,{TRIM} ' +
      '-tag:v avc1 -threads:v {THREADS} -output_ts_offset 10 -movflags ' +
      '+frag_keyframe+empty_moov+default_base_moof+frag_discont -use_editlist 0 -write_tmcd 0 -avoid_negative_ts disabled ' +
      '-f mp4 file:{FILE}',
  );
  expect(text(rest)).toBe(
    '-map 0:v -map 0:a -vn -map_chapters -1 -map_metadata:g -1 -b:a 96k -movie_timescale 1000000 ' +
      '-write_tmcd 0 -f mp4 file:{FILE}',
  );
  expect(join.output.join(' ')).toBe(
    '-c copy -metadata title=x -movflags +faststart -tag:v avc1 -f mp4 file:out/b.mp4',
  );
});

test('the threads of a chunk are the same on every machine', () => {
  const x265 = templates({ 'c:v': 'libx265', 'x265-params': 'aq-mode=3' });
  expect(x265.chunk).toContain('{PARAMETERS}:aq-mode=3');
  expect(templates({ threads: '3' }).chunk).not.toContain('{THREADS}');
});

test('a fixed distance of key frames is kept', () => {
  expect(templates({ g: '48', sc_threshold: '0' }).keyFrameDistance).toBe(48);
  expect(templates({ g: '48' }).keyFrameDistance).toBeUndefined();
  expect(templates({ 'x264-params': 'keyint=50:min-keyint=50' }).keyFrameDistance).toBe(50);
  expect(templates({ force_key_frames: 'expr:gte(t,n_forced*2)' }).forcedKeyFrames).toEqual({ everySeconds: 2 });
});
