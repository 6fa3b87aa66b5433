import { describe, expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { LadderTarget } from '../../packages/contract/src/domain/ladder.ts';
import { workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { withRungs } from '../../packages/ffmpeg/src/sampling/fill-argv.ts';
import { errorsOf, wholePlan } from '../support/planning.ts';

const TARGET: LadderTarget = { target: 0.98 };

const request = (
  parameters: Parameters = {},
  ladder: LadderTarget = TARGET,
  more: Partial<ConversionRequest> = {},
): ConversionRequest => ({ input: 'a.mov', output: 'hls/film.m3u8', parameters, ladder, ...more });

/** An argv without what all have: log, progress, limits and formats. */
const shown = (argv: readonly string[] = []): string =>
  argv
    .join(' ')
    .replace(/^.* -stats_period 0\.5 ?/, '')
    .replaceAll(/-format_whitelist \S+ /g, '')
    .replaceAll('-protocol_whitelist file ', '');

const ladderOf = (sent: ConversionRequest) => {
  const plan = wholePlan(sent);
  if (plan.search?.choose !== 'ladder') throw new Error('The plan has no ladder.');
  return { plan, ladder: plan.search };
};

const RUNGS = [
  { width: 1280, height: 720, value: 24.5, score: 0.98, bitsPerSecond: 2_000_000 },
  { width: 640, height: 360, value: 27, score: 0.95, bitsPerSecond: 500_000 },
];

describe('a plan with a ladder', () => {
  test('has the pass in parts, of which that of a rung is repeated', () => {
    const { plan, ladder } = ladderOf(request({ 'c:v': 'libx264', preset: 'slow', 'c:a': 'aac', hls_time: '4' }));
    expect(plan.warnings).toEqual([]);
    expect(plan.passes.map(shown)).toEqual([
      '-i file:in/0.mov -map 0:V:0 -s:v:0 TELECINE_WIDTHxTELECINE_HEIGHT -crf:v:0 QUALITY -map 0:a:0 ' +
        '-var_stream_map v:0,agroup:audio a:0,agroup:audio,name:audio -c:v libx264 -preset slow -c:a aac -hls_time 4 ' +
        '-hls_playlist_type vod -force_key_frames:v expr:gte(t,n_forced*4) -sc_threshold:v 0 ' +
        '-master_pl_name film.m3u8 -f hls file:out/film_%v.m3u8',
    ]);
    expect(shown(withRungs(ladder.argv, ladder.rung, RUNGS, true))).toBe(
      '-i file:in/0.mov -map 0:V:0 -s:v:0 1280x720 -crf:v:0 24.5 -maxrate:v:0 3000000 -bufsize:v:0 8000000 ' +
        '-map 0:V:0 -s:v:1 640x360 -crf:v:1 27 -maxrate:v:1 750000 -bufsize:v:1 2000000 -map 0:a:0 ' +
        '-var_stream_map v:0,agroup:audio v:1,agroup:audio a:0,agroup:audio,name:audio ' +
        '-c:v libx264 -preset slow -c:a aac -hls_time 4 -hls_playlist_type vod -force_key_frames:v expr:gte(t,n_forced*4) ' +
        '-sc_threshold:v 0 -master_pl_name film.m3u8 -f hls file:out/film_%v.m3u8',
    );
    // The stream of an optional map may be missing.
    expect(withRungs(ladder.argv, ladder.rung, RUNGS, false)).toEqual(expect.arrayContaining(['0:a:0?', 'v:0 v:1']));
  });

  test('takes samples from the part of a cut input that becomes the output', () => {
    const inputs = [{ input: 'a.mov', parameters: { ss: '60' } }];
    const { ladder } = ladderOf(request({ ss: '5' }, TARGET, { input: undefined as never, inputs }));
    expect(ladder.samples.range).toEqual({ start: 65 });
  });

  test('encodes a sample in a size with a value, and compares it with the source', () => {
    const { ladder } = ladderOf(request({ vf: 'yadif', r: '25', 'c:v': 'libx264', 'tag:v': 'avc1' }));
    const { packets, inspect, encode, compare } = ladder.samples;
    expect(shown(packets)).toMatch(/ -f framecrc -y file:pass\/packets\.txt$/);
    expect(shown(inspect)).toMatch(
      /^-i file:in\/0\.mov -map 0:V:0 -filter:v yadif,fps\S*=fps=25 -an -sn -dn -frames:v 1 -f null -$/,
    );
    expect(encode.each.join(' ')).toMatch(
      /-map 0:V:0 -filter:v yadif,fps\S*=fps=25 .*-c:v libx264 -force_key_frames:v expr:gte\(t,n_forced\*2\) -sc_threshold:v 0 -an -sn -dn$/,
    );
    expect(encode.each.join(' ')).not.toMatch(/avc1|hls_|vsync|var_stream_map/);
    expect(compare.source).toMatch(/^yadif,fps\S*=fps=25,null\[quality-source\]$/);
  });

  test('names all files that eight rungs and their audio can have', () => {
    const { plan } = ladderOf(request({ hls_segment_type: 'fmp4' }));
    const [output] = plan.outputs;
    expect(output).toMatchObject({ manifest: 'film.m3u8', path: 'hls/film.m3u8', logical: 'out/film_%v.m3u8' });
    const variants = { oneOf: [...'01234567', 'audio'] };
    expect(output?.names).toEqual(
      expect.arrayContaining([
        ['film_', variants, '.m3u8'],
        ['film_', variants, { any: 'number' }, '.m4s'],
        ['film.m3u8'],
      ]),
    );
  });

  test('the master playlist of an output with a mark has a name', () => {
    const { plan } = ladderOf(request({}, { ...TARGET, maxRungs: 3 }, { output: 'hls/v%v/index.m3u8' }));
    expect(plan.outputs[0]).toMatchObject({ manifest: 'master.m3u8' });
    expect(plan.outputs[0]?.names).toContainEqual(['master.m3u8']);
  });

  test('the audio can be that of another input, or absent', () => {
    const inputs = ['a.mov', 'b.wav'];
    const mapped = ladderOf(request({ map: ['0:v', '1:a'] }, TARGET, { input: undefined as never, inputs }));
    expect(mapped.ladder.audio).toBe('1:a:0');
    expect(ladderOf(request({ an: '' })).ladder).not.toHaveProperty('audio');
    expect(ladderOf(request()).ladder).toMatchObject({ audio: '0:a:0?' });
    const optional = ladderOf(request({ map: ['0:v', '0:a?'] })).ladder;
    expect(optional).toMatchObject({ audio: '0:a:0?' });
  });

  test.each([
    ['1500ms', 1.5],
    ['00:00:04', 4],
  ])('key frames are at each segment of %s', (sent, seconds) => {
    const { plan, ladder } = ladderOf(request({ hls_time: sent }));
    expect(ladder.rung.segmentSeconds).toBe(seconds);
    expect(shown(plan.passes[0])).toContain(`-force_key_frames:v expr:gte(t,n_forced*${seconds}) `);
  });

  test('it knows if each rung is one file', () => {
    expect(ladderOf(request({ hls_flags: 'independent_segments+single_file' })).ladder.isSingleFile).toBe(true);
    expect(ladderOf(request({ hls_flags: 'independent_segments' })).ladder.isSingleFile).toBeUndefined();
  });

  test('parameters that change nothing about key frames go with it', () => {
    const sent = request({
      'x264-params': 'scenecut=0:ref=4',
      'filter:v:0': 'hflip',
      sc_threshold: '0',
      fps_mode: 'cfr',
    });
    expect(errorsOf(sent)).toEqual([]);
  });

  test('it is a heavy job', () => {
    expect(workloadOf(ladderOf(request()).plan)).toEqual({ lane: 'full', weight: 400 });
  });
});

describe('what does not go with a ladder', () => {
  test.each<[what: string, sent: ConversionRequest, field: string, message: RegExp]>([
    ['a frame rate of one rung', request({ 'r:v:0': '15' }), '/parameters/r:v:0', /about one video/],
    ['a base URL', request({ hls_base_url: 'https://a.example/' }), '/parameters/hls_base_url', /by their names/],
    ['audio alone', request({ map: '0:a' }), '/parameters/map', /has to select one video/],
    ['another format', request({}, TARGET, { output: 'b.mp4' }), '/ladder', /The format "mp4" .* rungs are for HLS/],
    ['a quality', request({}, TARGET, { quality: { target: 0.9 } }), '/ladder', /"quality" does not go with "ladder"/],
    ['a cut', request({}, TARGET, { cut: { keep: [{ from: 1, to: 2 }] } } as never), '/ladder', /"cut" does not go/],
    ['a value', request({ crf: '20' }), '/parameters/crf', /both would set the quality/],
    ['a bit rate', request({ 'b:v': '2M' }), '/parameters/b:v', /both would set the quality/],
    ['a limit', request({ maxrate: '2M' }), '/parameters/maxrate', /sets it itself/],
    ['variants', request({ var_stream_map: 'v:0' }), '/parameters/var_stream_map', /sets it itself/],
    ['an end', request({ 'frames:v': '20' }), '/parameters/frames:v', /"t" ends it/],
    ['a graph', request({ filter_complex: '[0:v]hflip[v]', map: '[v]' }), '/parameters/filter_complex', /as "vf"/],
    [
      'a value of the library',
      request({ 'x264-params': 'crf=20' }),
      '/parameters/x264-params',
      /"crf" in "x264-params"/,
    ],
    ['another encoder', request({ 'c:v': 'libvpx-vp9' }), '/ladder', /it supports libx264/],
    ['an encoder whose key frames differ', request({ 'c:v': 'libx265' }), '/ladder', /it supports libx264/],
    [
      'peaks of the library',
      request({ 'x264-params': 'vbv-maxrate=900' }),
      '/parameters/x264-params',
      /sets it itself/,
    ],
    ['key frames of the library', request({ x264opts: 'keyint=48' }), '/parameters/x264opts', /same times/],
    ['scene cuts', request({ sc_threshold: '40' }), '/parameters/sc_threshold', /same times/],
    ['segments by size', request({ hls_segment_size: '500000' }), '/parameters/hls_segment_size', /sets it itself/],
    [
      'segments by time',
      request({ hls_flags: 'split_by_time' }),
      '/parameters/hls_flags',
      /do not begin with a key frame/,
    ],
    ['a size', request({ s: '640x360' }), '/parameters/s', /set the size/],
    ['two passes', request({ pass: '2' }), '/parameters/pass', /two passes reach a bit rate/],
    ['a value of the second rung', request({ 'crf:1': '20' }), '/parameters/crf:1', /both would set the quality/],
    ['a limit of the second rung', request({ 'maxrate:1': '2M' }), '/parameters/maxrate:1', /sets it itself/],
    ['a frame rate of the second rung', request({ 'r:1': '15' }), '/parameters/r:1', /about one video/],
    ['a preset of the second rung', request({ 'preset:1': 'slow' }), '/parameters/preset:1', /about one video/],
    ['an encoder of the second rung', request({ 'c:1': 'libx264' }), '/parameters/c:1', /about one video/],
    ['an option of one rung', request({ 'preset:v:0': 'slow' }), '/parameters/preset:v:0', /"preset:v"/],
    ['a copy', request({ 'c:v': 'copy' }), '/parameters/c:v', /A video of "copy" .* it supports libx264/],
    ['several videos', request({ map: ['0:v:0', '0:v:1'] }), '/parameters/map', /has to select one video/],
    ['subtitles', request({ map: ['0:v', '0:s'] }), '/parameters/map', /at most one audio stream/],
    ['a target on no scale', request({}, { target: 10 }), '/ladder/target', /Usual is/],
  ])('%s', (_what, sent, field, message) => {
    const errors = errorsOf(sent);
    const found = errors.find((error) => error.field === field);
    expect(errors.map((error) => error.field)).toContain(field);
    expect(found?.message).toMatch(message);
  });

  test('several inputs without a map', () => {
    const sent = request({}, TARGET, { input: undefined as never, inputs: ['a.mov', 'b.mov'] });
    expect(errorsOf(sent)).toMatchObject([{ field: '/ladder', code: 'EXCLUSIVE' }]);
  });

  test('everything at once, with the encoders that are allowed', () => {
    const sent = request({ 'c:v': 'libx265' }, TARGET, {
      ...{ output: 'b.mp4', input: undefined as never, inputs: ['a.mov', 'b.mov'] },
    });
    expect(errorsOf(sent)).toMatchObject([
      { field: '/ladder', message: expect.stringContaining('The format "mp4"') },
      { field: '/ladder', message: expect.stringContaining('A video of "libx265"'), allowed: ['libx264'] },
      { field: '/ladder', message: expect.stringContaining('"map" has to select its video') },
    ]);
  });

  test('several outputs', () => {
    const outputs = [{ output: 'a/a.m3u8' }, { output: 'b/b.m3u8' }];
    const errors = errorsOf(request({}, TARGET, { output: undefined as never, outputs }));
    expect(errors).toMatchObject([{ field: '/ladder', code: 'ONE_OUTPUT_ONLY' }]);
  });
});
