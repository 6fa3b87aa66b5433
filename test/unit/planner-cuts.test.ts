import { describe, expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Cut } from '../../packages/contract/src/domain/cut.ts';
import type { MediaStream } from '../../packages/contract/src/domain/media-info.ts';
import type { ProbedInput } from '../../packages/contract/src/domain/plan.ts';
import { errorCodesOf, errorsOf, wholePlan } from '../support/planning.ts';

const common = { disposition: [], tags: {} } as const;
const VIDEO: MediaStream = {
  ...common,
  index: 0,
  type: 'video',
  codec: 'h264',
  width: 320,
  height: 180,
  frameRate: 25,
  durationSeconds: 60,
  pixelFormat: 'yuv420p',
};
const AUDIO: MediaStream = {
  ...common,
  index: 1,
  type: 'audio',
  codec: 'aac',
  sampleRate: 48_000,
  channels: 2,
  channelLayout: 'stereo',
};
const FILM: ProbedInput = {
  format: { names: ['mov'], durationSeconds: 60.02, startSeconds: 0, tags: {} },
  streams: [VIDEO, AUDIO],
};
const SOUND: ProbedInput = { ...FILM, streams: [{ ...AUDIO, index: 0 }] };

const request = (cut: Cut, parameters: Parameters = {}, output = 'b.mp4'): ConversionRequest => ({
  input: 'a.mp4',
  cut,
  output,
  parameters,
});

const planOf = (cut: Cut, media: ProbedInput | undefined = FILM, parameters: Parameters = {}, output?: string) =>
  wholePlan(request(cut, parameters, output), { media: [media] });
const graphOf = (...args: Parameters2): string => {
  const [argv = []] = planOf(...args).passes;
  return argv[argv.indexOf('-filter_complex') + 1] ?? '';
};
type Parameters2 = [cut: Cut, media?: ProbedInput, parameters?: Parameters, output?: string];

describe('cut', () => {
  test('cuts picture and sound at the same frames', () => {
    const plan = planOf({ keep: [{ start: 10, end: '0:20.5' }, { start: 30 }] });
    expect(graphOf({ keep: [{ start: 10, end: '0:20.5' }, { start: 30 }] })).toBe(
      "[0:0]fps=fps=25:start_time=0,select='if(lt(n,750),between(n,250,512),lt(n,1500))',settb=1/(25),setpts=N,fps=fps=25[joined_v];" +
        '[0:1]aresample=48000:async=1:first_pts=0,apad=whole_len=2880000,' +
        'asegment=samples=480000|984960|1440000|2880000[b0][a0][b1][a1][b2];' +
        '[b0]anullsink;[b1]anullsink;[b2]anullsink;[a0][a1]concat=n=2:v=0:a=1,asetpts=N/SR/TB[joined_a]',
    );
    expect(plan.outputs[0]?.span.joined).toBe(40.52);
    expect(plan.warnings).toEqual([]);
    expect(plan.passes[0]?.join(' ')).toContain('-map [joined_v] -map [joined_a] -map_chapters -1');
  });

  test('keeps what is not removed', () => {
    expect(graphOf({ remove: [{ end: 5 }, { start: 10, end: 12 }] })).toContain(
      "select='if(lt(n,300),between(n,125,249),lt(n,1500))',",
    );
    expect(graphOf({ remove: [{ start: 50 }] })).toContain("select='between(n,0,1249)',");
  });

  test('cuts a sound at its samples, and filters what is left', () => {
    const graph = graphOf({ keep: [{ start: 1.5, end: 2 }] }, SOUND, { af: 'volume=2' }, 'b.mp3');
    expect(graph).toContain('asegment=samples=72000|96000[b0][a0][b1];');
    expect(graph).toContain('[joined_a]asettb=expr=1/sr[sampled_a];[sampled_a]volume=volume=2[filtered_a]');
  });

  test('fades parts into each other', () => {
    const graph = graphOf({ keep: [{ end: 5 }, { start: 10, end: 15 }], crossfade: 1 });
    expect(graph).toContain(
      "select='if(lt(n,250),between(n,0,124),lt(n,375))',segment=frames=100|125|150[v0][u0][g1][v1];",
    );
    expect(graph).toContain('format=pix_fmts=yuva420p,fade=type=in:nb_frames=25:alpha=1[ig1];');
    expect(graph).toContain('[ou0][ig1]overlay=format=yuv420[x1];[v0][x1][v1]concat=n=3:v=1:a=0,');
    expect(graph).toContain('asegment=samples=192000|240000|480000|528000|720000[a0][t0][b0][h1][a1][b1];');
    expect(graph).toContain('[a0][m1][a1]concat=n=3:v=0:a=1,asetpts=N/SR/TB[joined_a]');
    const short = planOf({ keep: [{ end: 5 }, { start: 10, end: 10.8 }], crossfade: 1 });
    expect(short.warnings).toMatchObject([
      { code: 'SHORTER_CROSSFADE', message: expect.stringContaining('takes 0.4 s instead of 1 s') },
    ]);
    expect(planOf({ keep: [{ end: 5 }, { start: 10, end: 10.8 }], crossfade: 0.4 }).warnings).toEqual([]);
  });

  test('does not cut the last part of an input whose length is unknown or estimated', () => {
    const { durationSeconds: _, ...format } = FILM.format;
    const live: ProbedInput = { format, streams: [{ ...AUDIO, index: 0 }] };
    const cut: Cut = { keep: [{ end: 5 }, { start: 10 }], crossfade: 1 };
    expect(errorsOf(request(cut), { media: [live] })).toMatchObject([
      { code: 'UNKNOWN_LENGTH', message: expect.stringContaining('a copy of the file ("c": "copy") has one') },
    ]);
    expect(graphOf({ keep: [{ end: 5 }, { start: 10 }] }, live)).toContain('=240000|480000[a0][b0][a1];');
    const estimated: ProbedInput = { ...SOUND, format: { ...FILM.format, names: ['mp3'] } };
    const late: Cut = { keep: [{ start: 70 }] };
    expect(graphOf(late, estimated)).toContain('asegment=samples=3360000[b0][a0];');
    expect(errorCodesOf(request(late), { media: [{ ...estimated, hasExactLength: true }] })).toEqual([
      '/cut/keep/0/start RANGE_PAST_END',
    ]);
  });

  test('passes a thousand parts to ffmpeg, or says that they are too many', () => {
    const long: ProbedInput = { format: { ...FILM.format, durationSeconds: 1e6 }, streams: [VIDEO, AUDIO] };
    const hours = { ...long, streams: [{ ...VIDEO, frameRate: 60, durationSeconds: 1e6 }, AUDIO] };
    const parts = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ start: at * 900 + 1, end: at * 900 + 9 }));
    const longest = (cut: Cut) =>
      Math.max(
        ...planOf(cut, hours)
          .passes.flat()
          .map((one) => Buffer.byteLength(one)),
      );
    expect(longest({ keep: parts(1000) })).toBeLessThan(128 * 1024);
    expect(longest({ keep: parts(250), crossfade: 1 })).toBeLessThan(128 * 1024);
    expect(errorsOf(request({ keep: parts(1000), crossfade: 1 }), { media: [hours] })).toMatchObject([
      { field: '/cut', code: 'TOO_MANY', message: expect.stringContaining('With a crossfade, 250 parts are allowed.') },
    ]);
  });

  test('removes what was measured, but for its margins', () => {
    const measured = [
      { start: 0, end: 2 },
      { start: 10, end: 14 },
      { start: 30, end: 30.4 },
      { start: 58, end: 60.02 },
    ];
    const cut: Cut = { remove: { silence: { noiseDb: -40 }, marginSeconds: 0.2 } };
    const before = planOf(cut);
    expect(before.cut).toMatchObject({
      isAssumed: true,
      measure: { measure: ['silence'], settings: { silence: { noiseDb: -40 } } },
    });
    expect(graphOf(cut, { ...FILM, measured })).toContain("select='if(lt(n,345),between(n,45,254),lt(n,1455))',");
    expect(planOf(cut, { ...FILM, measured }).cut?.isAssumed).toBe(false);
    expect(planOf(cut, { ...FILM, measured: [] }).warnings).toMatchObject([{ code: 'NOTHING_REMOVED' }]);
    const all = errorsOf(request(cut), { media: [{ ...FILM, measured: [{ start: 0, end: 60.02 }] }] });
    expect(all).toMatchObject([{ field: '/cut/remove', code: 'NOTHING_LEFT' }]);
  });

  test('keeps the middles of scenes that are spread over the film, each scene once', () => {
    const scenes = [0, 4, 5, 20, 23, 24, 50].map((start, index, all) => ({
      start,
      end: all[index + 1] ?? Number.POSITIVE_INFINITY,
    }));
    const film = { ...FILM, measured: scenes };
    const cut = (count: number): Cut => ({ keep: { scenes: { threshold: 10 }, count, partSeconds: 2 } });
    expect(planOf(cut(3)).cut).toMatchObject({
      isAssumed: true,
      measure: { measure: ['scenes'], settings: { scenes: { threshold: 10 } } },
    });
    // The longest of the first two, and of the other three that are as long: 5 to 20 s, and 24 to 50 s.
    expect(graphOf(cut(2), film)).toContain("select='if(lt(n,900),between(n,288,337),lt(n,950))',");
    expect(planOf(cut(5), film).warnings).toEqual([]);
    // Scenes of half the length count if there are too few.
    expect(planOf(cut(7), film).warnings).toEqual([]);
    expect(planOf(cut(8), film).warnings).toMatchObject([
      { field: '/cut/keep', code: 'FEW_SCENES', message: expect.stringContaining('has 7 scenes of 1 s or more') },
    ]);
    const single = { ...FILM, measured: [{ start: 0, end: Number.POSITIVE_INFINITY }] };
    expect(graphOf(cut(1), single)).toContain("select='between(n,725,774)',");
  });

  test('copies parts from the key frames before them, and says where they begin', () => {
    const cut: Cut = {
      keep: [
        { start: 10, end: 20 },
        { start: 30, end: 40 },
      ],
    };
    const plan = planOf(cut, { ...FILM, keys: [8, 30] }, { c: 'copy' });
    expect(plan.cut).toMatchObject({ mode: 'copy', starts: [10, 30] });
    expect(plan.texts?.[0]?.text).toMatch(/inpoint 8\noutpoint 20\n[\s\S]*inpoint 30\noutpoint 40\n/);
    expect(plan.outputs[0]?.span.joined).toBe(22);
    expect(plan.warnings).toEqual([
      {
        field: '/cut',
        code: 'EARLIER_START',
        message: 'Copies begin at a key frame, so parts begin at 8 s instead of 10 s.',
        fix: 'Leave "c": "copy" out, which cuts at each frame.',
      },
    ]);
    // The second part begins in the first one.
    const joined = planOf(cut, { ...FILM, keys: [10, 18] }, { c: 'copy' });
    expect(joined.texts?.[0]?.text.match(/inpoint|outpoint/g)).toEqual(['inpoint', 'outpoint']);
  });

  test.each<[Cut, readonly number[]]>([
    [{ remove: [{ start: 10.2, end: 10.4 }] }, [0, 9.8]],
    [{ keep: [{ start: 3 }] }, [0]],
  ])('says that copies of %j remove nothing, if no key frame is there', (cut, keys) => {
    expect(planOf(cut, { ...FILM, keys }, { c: 'copy' }).warnings).toEqual([
      {
        field: '/cut',
        code: 'NOTHING_REMOVED',
        message:
          'A copy begins at a key frame, but the input has no key frame where parts begin, so the output would be the whole input.',
        fix: 'Leave "c": "copy" out, which cuts at each frame.',
      },
    ]);
  });

  test.each<[string, ConversionRequest, string]>([
    ['an end before the start', request({ keep: [{ start: 5, end: 3 }] }), '/cut/keep/0/end BAD_RANGE'],
    ['a time that is none', request({ keep: [{ start: 'soon' }] }), '/cut/keep/0/start BAD_TIME'],
    ['parts that overlap', request({ remove: [{ end: 5 }, { start: 4 }] }), '/cut/remove/1 BAD_RANGE'],
    ['parts in another order', request({ keep: [{ start: 5 }, { end: 4 }] }), '/cut/keep/1 BAD_RANGE'],
    ['nothing that is left', request({ remove: [{}] }), '/cut/remove NOTHING_LEFT'],
    ['maps', request({ keep: [{ end: 4 }] }, { map: '0:v' }), '/parameters/map EXCLUSIVE'],
    [
      'a graph',
      request({ keep: [{ end: 4 }] }, { filter_complex: '[0:v]hflip' }),
      '/parameters/filter_complex EXCLUSIVE',
    ],
    ['a copied sound of a film', request({ keep: [{ end: 4 }] }, { 'c:a': 'copy' }), '/parameters/c:a NEEDS_ENCODER'],
    [
      'a crossfade of copies',
      request({ keep: [{ end: 4 }], crossfade: 1 }, { c: 'copy' }),
      '/parameters/c NEEDS_ENCODER',
    ],
    ['filters of copies', request({ keep: [{ end: 4 }] }, { c: 'copy', vf: 'hflip' }), '/parameters/vf NEEDS_ENCODER'],
    ['several inputs', { inputs: ['a.mp4', 'b.mp4'], cut: { keep: [{ end: 4 }] }, output: 'c.mp4' }, '/cut EXCLUSIVE'],
    [
      'a part of the input',
      { inputs: [{ input: 'a.mp4', parameters: { ss: '3' } }], cut: { keep: [{ end: 4 }] }, output: 'c.mp4' },
      '/inputs/0/parameters/ss EXCLUSIVE',
    ],
    [
      'several outputs',
      { input: 'a.mp4', cut: { keep: [{ end: 4 }] }, outputs: [{ output: 'a.mkv' }, { output: 'b.mkv' }] },
      '/outputs ONE_OUTPUT_ONLY',
    ],
  ])('rejects %s', (_what, sent, code) => {
    expect(errorCodesOf(sent)).toContain(code);
  });

  test('names what is out of order, and what is past the end', () => {
    const [order] = errorsOf(
      request({
        keep: [
          { start: 5, end: 8 },
          { start: 1, end: 6 },
        ],
      }),
    );
    expect(order?.message).toBe(
      'The range from 1 s begins before the end of the one before it, 8 s. Ranges are in the order of the input, and do not overlap.',
    );
    const [past] = errorsOf(request({ keep: [{ start: 70 }] }), { media: [FILM] });
    expect(past).toMatchObject({ field: '/cut/keep/0/start', code: 'RANGE_PAST_END' });
    expect(planOf({ keep: [{ start: 50, end: 70 }] }).warnings).toMatchObject([
      { field: '/cut/keep/0/end', code: 'RANGE_PAST_END' },
    ]);
  });

  test('holds the last picture while the sound goes on, as a join does', () => {
    const long: ProbedInput = {
      ...FILM,
      streams: [
        { ...VIDEO, durationSeconds: 10 },
        { ...AUDIO, durationSeconds: 60 },
      ],
    };
    const graph = graphOf({ keep: [{ start: 20, end: 30 }] }, long);
    expect(graph).toContain(
      "fps=fps=25:start_time=0,tpad=stop=-1:stop_mode=clone,trim=end_frame=750,select='between(n,500,749)',",
    );
    expect(graph).toContain('asegment=samples=960000|1440000[');
    expect(planOf({ keep: [{ start: 5 }] }, long).outputs[0]?.span.joined).toBe(55);
    // The sound alone is not cut where the picture ends.
    expect(graphOf({ keep: [{ start: 5 }] }, long, {}, 'b.mp3')).toContain('asegment=samples=240000|2880000');
  });

  test('reads no more of the input than the parts need', () => {
    const readingOf = (...args: Parameters2): string => {
      const [argv = []] = planOf(...args).passes;
      return argv.slice(argv.indexOf('pipe:1') + 1, argv.indexOf('-filter_complex')).join(' ');
    };
    const cut: Cut = {
      keep: [
        { start: 20, end: 21 },
        { start: 30, end: 31 },
      ],
    };
    const picture = { ...VIDEO, frameCount: 1500 };
    const sound = { ...AUDIO, durationSeconds: 60.02 };
    const film = { ...FILM, format: { ...FILM.format, names: ['mov', 'mp4'] }, streams: [picture, sound] };
    const whole = /^(?!.*-(?:ss|t) )/;
    expect(readingOf(cut, film)).toMatch(/-ss 10 -t 22 .*-i/);
    expect(graphOf(cut, film)).toContain("trim=end_frame=525,select='if(lt(n,500),between(n,250,274),lt(n,525))',");
    expect(graphOf(cut, film)).toContain('asegment=samples=480000|528000|960000|1008000[');
    expect(readingOf({ keep: [{ start: 30 }] }, film)).toMatch(/-ss 20 (?!-t)/);
    expect(readingOf({ remove: [{ start: 10 }] }, film)).toMatch(/^(?!.*-ss ).*-t 11 /);
    expect(readingOf({ keep: [{ end: 59.5 }] }, film)).toMatch(whole);
    const measured = [{ start: 8, end: 60.02 }];
    expect(readingOf({ remove: { silence: {} } }, { ...film, measured })).toContain('-t 9 ');
    // What has no index, no constant rate, a gap, pictures between frames or no sound after the seek is read from its start.
    const others: readonly ProbedInput[] = [
      { ...film, format: { ...film.format, names: ['mpegts'] } },
      { ...film, format: { ...film.format, names: ['matroska', 'webm'] } },
      { ...film, streams: [{ ...picture, baseFrameRate: 50 }, sound] },
      { ...film, streams: [{ ...picture, startSeconds: 0.02 }, sound] },
      { ...film, streams: [{ ...picture, frameCount: 1490 }, sound] },
      { ...film, streams: [VIDEO, sound] },
      { ...film, streams: [picture, { ...sound, durationSeconds: 9 }] },
      { ...film, streams: [picture, AUDIO] },
    ];
    for (const other of others) expect(readingOf(cut, other)).toMatch(/^(?!.*-ss ).*-t 32 /);
    expect(readingOf(cut, film, { copyts: '' })).toMatch(/^(?!.*-ss ).*-t 32 /);
    const { input: _input, ...rest } = request(cut);
    const stamped = { ...rest, inputs: [{ input: 'a.mp4', parameters: { seek_timestamp: '1' } }] };
    expect(wholePlan(stamped, { media: [film] }).passes[0]).not.toContain('-ss');
    // Its last picture would be held beyond its end.
    const { durationSeconds: _, ...format } = film.format;
    expect(readingOf({ keep: [{ end: 5 }] }, { ...film, format })).toMatch(whole);
  });

  test('shortens only the crossfades of a part that is short', () => {
    const measured = [
      { start: 10, end: 14 },
      { start: 14.04, end: 18 },
      { start: 30, end: 34 },
    ];
    const cut: Cut = { remove: { silence: {} }, crossfade: 0.5 };
    const graph = graphOf(cut, { ...FILM, measured });
    expect(graph.match(/fade=type=in:nb_frames=\d+/g)).toEqual(['fade=type=in:nb_frames=13']);
    expect(planOf(cut, { ...FILM, measured }).warnings).toMatchObject([{ code: 'SHORTER_CROSSFADE' }]);
  });

  test('mixes pictures in the format of the film', () => {
    const cut: Cut = { keep: [{ end: 5 }, { start: 10, end: 15 }], crossfade: 1 };
    const mixed = (pixelFormat: string, colorRange = 'tv'): string =>
      /\[ou0\]\[ig1\](\w+=[^,[]+)/.exec(
        graphOf(cut, { ...FILM, streams: [{ ...VIDEO, pixelFormat, colorRange }, AUDIO] }),
      )?.[1] ?? '';
    expect(mixed('yuv420p10le')).toBe('overlay=format=yuv420p10');
    expect(mixed('yuv422p')).toBe('overlay=format=yuv422');
    expect(mixed('yuv420p', 'pc')).toMatch(/^blend=all_expr=/);
    for (const other of ['yuv444p10le', 'yuv420p12le', 'yuvj420p', 'gbrp'])
      expect(mixed(other), other).toMatch(/^blend=all_expr=/);
  });

  test('rejects a crossfade whose pictures need more memory than a job has', () => {
    const cut: Cut = { keep: [{ end: 40 }, { start: 45 }], crossfade: 30 };
    const large = { ...FILM, streams: [{ ...VIDEO, width: 3840, height: 2160 }, AUDIO] };
    expect(
      errorsOf(request({ ...cut, keep: [{ end: 30 }, { start: 31 }], crossfade: 14 }), { media: [large] }),
    ).toMatchObject([{ field: '/cut/crossfade', code: 'OUT_OF_RANGE', fix: 'Send 6.88, or less.' }]);
    expect(planOf({ ...cut, crossfade: 6.88 }, large).warnings).toEqual([]);
    const limited = { media: [large], policy: { memory: 2 ** 28 } };
    expect(errorsOf(request({ ...cut, keep: [{ end: 30 }, { start: 31 }], crossfade: 1 }), limited)).toMatchObject([
      { field: '/cut/crossfade', fix: 'Send 0.4, or less.' },
    ]);
  });

  test('leaves out parts that are within one frame of the one before', () => {
    const keep = [{ end: 1 }, { start: 1.001, end: 1.002 }, { start: 1.003, end: 1.004 }, { start: 5, end: 8 }];
    const graph = graphOf({ keep, crossfade: 0.5 });
    expect(graph).toContain("select='if(lt(n,25),between(n,0,24),if(lt(n,125),lt(n,26),lt(n,200)))',");
    const samples = (/asegment=samples=([\d|]+)/.exec(graph)?.[1] ?? '').split('|').map(Number);
    expect(new Set(samples).size).toBe(samples.length);
    expect(samples).toEqual(samples.toSorted((a, b) => a - b));
  });

  test('says for whom the crossfade of an input is, and that "f" is not for a cut', () => {
    const of = (input: object) =>
      errorsOf({ inputs: [{ input: 'a.mp4', ...input }], cut: { keep: [{ end: 4 }] }, output: 'c.mp4' });
    expect(of({ crossfade: '0.5' })).toMatchObject([
      {
        field: '/inputs/0/crossfade',
        code: 'EXCLUSIVE',
        message: expect.stringMatching(/To fade between the parts, send "crossfade" in "cut"\.$/),
      },
    ]);
    expect(of({ parameters: { f: 's16le' } })).toMatchObject([{ field: '/inputs/0/parameters/f', code: 'EXCLUSIVE' }]);
    expect(of({ parameters: { r: '50' } })).toMatchObject([{ field: '/inputs/0/parameters/r', code: 'EXCLUSIVE' }]);
  });

  test('rejects a cut of inputs that are joined, whoever set the join', () => {
    const joined: ConversionRequest = { inputs: ['a.mp4', 'b.mp4'], join: 'encode', output: 'c.mp4' };
    expect(errorCodesOf({ ...joined, cut: { keep: [{ end: 4 }] } })).toEqual(['/cut EXCLUSIVE']);
  });

  test('answers an end of 0 and a black input with what helps', () => {
    expect(errorsOf(request({ keep: [{ start: 5, end: 0 }] }))[0]?.message).toBe(
      'The range ends at 0 s, which is not after its start, 5 s. Both are times of the input.',
    );
    const measured = [{ start: 0, end: 60.02 }];
    const [all] = errorsOf(request({ remove: { black: {} } }), { media: [{ ...FILM, measured }] });
    expect(all?.message).toContain('A lower "pixel" or a longer "minSeconds" finds less.');
  });
});
