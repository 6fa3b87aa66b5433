import { describe, expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { plannedSizeText } from '../../packages/ffmpeg/src/sampling/choosers/frame-size.ts';
import { withChosen } from '../../packages/ffmpeg/src/sampling/fill-argv.ts';
import { errorsOf, wholePlan } from '../support/planning.ts';

const TWO_PASSES: Parameters = { 'c:v': 'libx264', preset: 'slow', 'b:v': '500k', pass: '2', 'c:a': 'aac' };

const request = (parameters: Parameters = {}, more: Partial<ConversionRequest> = {}): ConversionRequest => ({
  ...{ input: 'a.mov', output: 'b.mp4', frameSize: 'auto' },
  ...{ parameters: { ...TWO_PASSES, ...parameters } },
  ...more,
});

const sizeOf = (sent: ConversionRequest) => {
  const { search } = wholePlan(sent);
  if (search?.choose !== 'frameSize') throw new Error('The plan chooses no size.');
  return search;
};

const samplesOf = (sent: ConversionRequest) => {
  const { samples, none } = sizeOf(sent);
  if (none !== undefined) throw new Error(none);
  return samples;
};

const valueAfter = (argv: readonly string[], option: string): string | undefined => argv[argv.indexOf(option) + 1];

describe('a plan that chooses the frame size', () => {
  test('scales after the filters of the client, in both passes', () => {
    const plan = wholePlan(request({ vf: 'hflip' }));
    const scaling = /^hflip,scale=w=TELECINE_WIDTH:h=TELECINE_HEIGHT,setsar=/;
    for (const argv of plan.passes) expect(valueAfter(argv, '-filter:v')).toMatch(scaling);
    const chosen = { width: 640, height: 360, bitsPerSecond: 500_000, reason: 'It looks best.' };
    const filled = withChosen(plan, { frameSize: chosen });
    for (const argv of filled.passes) expect(valueAfter(argv, '-filter:v')).toMatch(/^hflip,scale=w=640:h=360,setsar=/);
    expect(filled.chosen).toEqual({ frameSize: chosen });
  });

  test('encodes samples with qualities instead of the bit rate, quickly', () => {
    const { encode, compare, packets } = samplesOf(request({ maxrate: '1M', bufsize: '1M', r: '25', vf: 'hflip' }));
    const text = encode.each.join(' ');
    expect(text).toMatch(/-filter:v hflip,fps\S*=fps=25 /);
    expect(text).toContain(' -preset:v veryfast ');
    expect(text).not.toMatch(/-b:v|-pass|-maxrate|-bufsize|preset slow|setsar/);
    expect(compare.source).toMatch(/^hflip,fps\S*=fps=25,null\[quality-source\]$/);
    expect(packets).toBeDefined();
    expect(samplesOf(request({ preset: 'ultrafast' })).encode.each.join(' ')).toContain(' -preset:v ultrafast');
  });

  test('takes samples from the part of a cut input that becomes the output', () => {
    const inputs = [{ input: 'a.mov', parameters: { ss: '60' } }];
    const { range } = samplesOf(request({ ss: '5' }, { input: undefined as never, inputs }));
    expect(range).toEqual({ start: 65 });
  });

  test('says how the size is chosen', () => {
    const planned = sizeOf(request());
    expect(planned.bitsPerSecond).toBe(500_000);
    expect(plannedSizeText(planned)).toMatch(
      /^The job compares samples in several sizes at 500 kb\/s, if the video lasts 180 s /,
    );
    expect(plannedSizeText(sizeOf(request({ 'c:v': 'libx265' })))).toBe(
      'Only samples of libx264 are compared. So the job takes the usual size for 500 kb/s.',
    );
  });

  test('takes the usual size with another encoder', () => {
    expect(sizeOf(request({ 'c:v': 'libx265' })).none).toBe('Only samples of libx264 are compared');
  });

  test.each([
    ['peaks of the library', request({ 'x264-params': 'vbv-maxrate=900:vbv-bufsize=900' }), /has options/],
    ['a constant rate of the library', request({ 'x264-params': 'nal-hrd=cbr' }), /has options/],
    [
      'inputs of which one has the video',
      request({}, { input: undefined as never, inputs: ['a.m4a', 'a.mov'] }),
      /"map"/,
    ],
  ])('takes the usual size with %s', (_what, sent, none) => {
    expect(sizeOf(sent).none).toMatch(none);
  });

  test.each([
    [request({ s: '640x360' }), '/parameters/s', /both would set the size/],
    [request({ 'b:v': [], crf: '23', pass: [] }), '/frameSize', /the request has none/],
    [request({}, { quality: { target: 0.98 } }), '/quality', /"frameSize" does not go with "quality"/],
    [request({ fs: '1M' }), '/parameters/fs', /"t" ends it/],
    [request({ copyts: '' }), '/parameters/copyts', /by their time/],
    [
      request({ filter_complex: '[0:v]hflip[v]', map: ['[v]', '0:a'] }),
      '/parameters/filter_complex',
      /does not go with "frameSize"/,
    ],
    [request({ crf: '23' }), '/parameters/crf', /"crf" .*sets a quality/],
    [request({ 'qp:v': '23' }), '/parameters/qp:v', /"qp:v" .*sets a quality/],
    [request({ 'x264-params': 'crf=23' }), '/parameters/x264-params', /"crf" in "x264-params" .*sets a quality/],
    [request({ vf: 'vidstabtransform' }), '/parameters/vf', /before the first pass detects the motion/],
    [request({ map: ['0:v:0', '0:v:1'] }), '/parameters/map', /has to select one video/],
    [request({ 'c:v': 'copy', preset: [] }), '/parameters/c:v', /A video of "copy" .* one encoded video/],
    [request({}, { output: 'b.mp3' }), '/frameSize', /without a video, .* one encoded video/],
  ])('rejects %j', (sent, field, message) => {
    expect(errorsOf(sent)).toContainEqual(expect.objectContaining({ field, message: expect.stringMatching(message) }));
  });

  test('looks at the video that the passes encode', () => {
    const { inspect } = samplesOf(request());
    expect(inspect).not.toContain('-map');
    expect(samplesOf(request()).encode.each).not.toContain('-map');
    expect(valueAfter(samplesOf(request({ map: ['0:v:1', '0:a'] })).inspect, '-map')).toBe('0:v:1');
  });

  describe('if the recipe asks for the size', () => {
    const preset = { name: 'target-size' };
    const origins = { '/frameSize': { field: '/preset', isOfRecipe: true } } as const;

    test.each([
      ['two videos', { map: ['0:v:0', '0:v:1'] }],
      ['a quality', { crf: '23' }],
    ])('takes the usual size with %s', (_what, parameters) => {
      const { none } = sizeOf(request(parameters, { preset, origins }));
      expect(none).toBe('The request has options for which samples are not compared');
    });

    test('leaves the size out if the output has no video', () => {
      const { 'c:v': _, 'b:v': __, pass: ___, preset: ____, ...audio } = TWO_PASSES;
      const mute = { ...request({}, { preset, origins }), parameters: { ...audio, vn: '' } };
      expect(wholePlan(mute).search).toBeUndefined();
    });
  });

  test('is about one output', () => {
    const { output: _, ...rest } = request();
    expect(errorsOf({ ...rest, outputs: [{ output: 'b.mp4' }, { output: 'c.mp4' }] })).toContainEqual(
      expect.objectContaining({ field: '/frameSize', code: 'ONE_OUTPUT_ONLY' }),
    );
  });

  test('may run in chunks, all of which have the chosen size', () => {
    const { pass: _, ...parameters } = TWO_PASSES;
    const { chunks } = wholePlan(request({}, { parameters }), { chunks: true });
    if (chunks === undefined || 'whole' in chunks) throw new Error(JSON.stringify(chunks));
    expect(valueAfter(chunks.argv, '-filter:v:0')).toMatch(
      /^scale=w=TELECINE_WIDTH:h=TELECINE_HEIGHT,setsar=.*,\{TRIM\}$/,
    );
  });
});
