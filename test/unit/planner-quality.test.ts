import { describe, expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import type { QualityTarget } from '../../packages/contract/src/domain/quality.ts';
import type { Comparison, PlannedSamples } from '../../packages/contract/src/domain/sampling.ts';
import { workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { NVIDIA, VAAPI } from '../support/devices.ts';
import { withFilters } from '../support/more-filters.ts';
import { errorsOf, wholePlan } from '../support/planning.ts';
import { type Recorded, recordedCatalogue } from '../support/recorded-catalogue.ts';

const TARGET: QualityTarget = { target: 0.98 };

const request = (
  parameters: Parameters,
  quality: QualityTarget = TARGET,
  more: Partial<ConversionRequest> = {},
): ConversionRequest => ({ input: 'a.mov', output: 'b.mp4', parameters, quality, ...more });

/** The filters that move frames to the device. */
const UPLOAD = 'format=pix_fmts=nv12|vaapi,hwupload';

/** An argv without what all have: log, progress, limits and formats. */
const shown = (argv: readonly string[] = []): string =>
  argv
    .join(' ')
    .replace(/^.* -stats_period 0\.5 /, '')
    .replaceAll(/-format_whitelist \S+ /g, '')
    .replaceAll('-protocol_whitelist file ', '');

/** The argv of a sample with one value. */
const encodeOf = (samples?: PlannedSamples) => samples && [...samples.encode.start, ...samples.encode.each];

/** The argv of a comparison, with the filters of the source. */
const comparisonOf = (comparison?: Comparison) => comparison && [...comparison.start, '-filter:v', comparison.source];

const argvsOf = (plan: Plan | undefined) => {
  const { samples } = plan?.search ?? {};
  return [samples?.packets, encodeOf(samples), comparisonOf(samples?.compare), comparisonOf(samples?.result)].map(
    shown,
  );
};

describe('a plan with a quality target', () => {
  test('samples are encoded with the options of the output, and compared after its filters', () => {
    const plan = wholePlan(
      request({ 'c:v': 'libx264', preset: 'slow', vf: 'scale=320:-2', pix_fmt: 'yuv420p', 'c:a': 'aac' }),
    );
    expect(plan.warnings).toEqual([]);
    expect(plan.passes.map(shown)).toEqual([
      '-i file:in/0.mov -c:v libx264 -preset slow -filter:v scale=w=320:h=-2 -pix_fmt yuv420p -c:a aac -crf:v QUALITY -f mp4 file:out/b.mp4',
    ]);
    expect(argvsOf(plan)).toEqual([
      '-i file:in/0.mov -map 0:V:0 -c copy -copyts -start_at_zero -f framecrc -y file:pass/packets.txt',
      '-ss TELECINE_SAMPLE_START -t TELECINE_SAMPLE_SECONDS -i file:in/0.mov -copyts -start_at_zero -c:v libx264 -preset slow ' +
        '-filter:v scale=w=320:h=-2 -pix_fmt yuv420p -c:a aac -an -sn -dn',
      '-ss TELECINE_SAMPLE_START -t TELECINE_SAMPLE_SECONDS -i file:in/0.mov -an -sn -dn -copyts -start_at_zero ' +
        '-filter:v scale=w=320:h=-2,format=pix_fmts=yuv420p,null[quality-source]',
      '-i file:in/0.mov -an -sn -dn -filter:v scale=w=320:h=-2,format=pix_fmts=yuv420p,null[quality-source]',
    ]);
    expect(plan.search).toMatchObject({
      target: 0.98,
      samples: { metric: 'ssim', scale: { option: 'crf' }, range: { start: 0 } },
    });
  });

  test.each([{ fps_mode: 'cfr' }, { vsync: '1' }, { 'fps_mode:v:1': 'vfr' }, { 'fps_mode:0': 'cfr' }])(
    'a sample has the frames of its source with %j',
    (parameters) => expect(argvsOf(wholePlan(request(parameters)))[1]).not.toMatch(/-fps_mode|-vsync/),
  );

  test('samples do not have the listed key frames of the whole output', () => {
    const plan = wholePlan(request({ force_key_frames: '0,5.5,00:01:00' }));
    expect(argvsOf(plan)[1]).not.toContain('force_key_frames');
    expect(shown(plan.passes[0])).toContain(' -force_key_frames 0,5.5,00:01:00 ');
  });

  test.each<[value: string, build: Recorded]>([
    ['expr:gte(t,prev_forced_t+2)', '5.1'],
    ['source', '5.1'],
    ['source_no_drop', '5.1'],
    ['scd_metadata', '9.0'],
  ])('a sample has the key frames %s as they are sent, because they are no list of times', (value, build) => {
    const catalogue = recordedCatalogue(build);
    const [, encode] = argvsOf(wholePlan(request({ ss: '60', force_key_frames: value }), { catalogue }));
    expect(encode).toContain(` -force_key_frames ${value} `);
  });

  test('the part of a cut input that is left by a cut of the output counts from the first', () => {
    const ofInput: Partial<ConversionRequest> = {
      input: undefined as never,
      inputs: [{ input: 'a.mov', parameters: { ss: '60', t: '10' } }],
    };
    const { search } = wholePlan(request({ ss: '0.2', to: '30' }, TARGET, ofInput));
    expect(search?.samples.range).toEqual({ start: 60.2, seconds: 9.8 });
    expect(search?.samples.result.source).toContain('trim=start=0.2:end=30,');
  });

  test('the part of the input is known, and a frame rate becomes a filter', () => {
    const parameters = { r: '25', ss: '3', t: '20', 'c:a': 'copy', map: ['0', '-0:s'], 'metadata:g': 'title=QUALITY' };
    const plan = wholePlan(request(parameters, { target: 0.95, maxBitrate: 800_000, maxSize: 4_000_000 }));
    expect(shown(plan.passes[0])).toMatch(/-filter:v fps\S*=fps=25 -crf:v QUALITY/);
    const [, encode, , result] = argvsOf(plan);
    expect(encode).toContain('-map 0:V:0 ');
    expect(encode).toContain('-filter:v fps');
    expect(encode).not.toMatch(/-ss 3|-t 20/);
    expect(result).toMatch(/-filter:v fps\S*=fps=25,trim=start=3:end=23,null\[quality-source\]$/);
    expect(plan.search).toMatchObject({
      samples: { range: { start: 3, seconds: 20 } },
      maxBitrate: 800_000,
      maxSize: 4_000_000,
    });
  });

  test('the part of an input with its own options is known', () => {
    const inputs = [{ input: 'a.mov', parameters: { ss: '10', to: '40' } }, 'b.wav'];
    const plan = wholePlan(request({ map: ['0:v', '1:a'], t: '5' }, TARGET, { input: undefined as never, inputs }));
    const [packets, encode] = argvsOf(plan);
    expect(plan.search?.samples.range).toEqual({ start: 10, seconds: 5 });
    expect(packets).toMatch(/^-ss 10 -to 40 -i file:in\/0\.mov -map 0:V:0/);
    expect(encode).toMatch(
      /^-ss TELECINE_SAMPLE_START -t TELECINE_SAMPLE_SECONDS -i file:in\/0\.mov -ss TELECINE_SAMPLE_START/,
    );
  });

  test('the packets of an input without an end are not listed', () => {
    const sources = [
      { source: 'testsrc2', duration: '5' },
      { input: 'a.png', parameters: { loop: '1' } },
      { input: 'a.mov', parameters: { stream_loop: '-1' } },
    ];
    for (const input of sources) {
      const plan = wholePlan(request({ t: '3' }, TARGET, { input: undefined as never, inputs: [input] }));
      expect(plan.search?.samples).toMatchObject({ range: { start: 0, seconds: 3 } });
      expect(plan.search?.samples).not.toHaveProperty('packets');
    }
  });

  test('a graph with labels keeps its links', () => {
    const plan = wholePlan(request({ vf: 'split[a][b];[a][b]overlay,fade=d=2', r: '25' }));
    const [, encode] = argvsOf(plan);
    const graph = /-filter:v split\[a\]\[b\];\[a\]\[b\]overlay,fade=d=2,fps\S*=fps=25 /;
    expect(shown(plan.passes[0])).toMatch(graph);
    expect(encode).toMatch(graph);
  });

  test.each([
    ['libx265', '-crf:v QUALITY'],
    ['libsvtav1', '-crf:v QUALITY'],
    ['libaom-av1', '-b:v 0 -crf:v QUALITY'],
    ['libvpx-vp9', '-b:v 0 -crf:v QUALITY'],
  ])('%s gets its option', (encoder, options) => {
    expect(shown(wholePlan(request({ 'c:v': encoder }, TARGET, { output: 'b.mkv' })).passes[0])).toContain(options);
  });

  test.each([
    [{ target: 42 }, 'xpsnr'],
    [{ target: 95 }, 'vmaf'],
    [{ target: 42, metric: 'vmaf' }, 'vmaf'],
  ] as const)('a target of %o is measured by %s', (quality, metric) => {
    const plan = wholePlan(request({}, quality), { catalogue: withFilters('xpsnr', 'libvmaf') });
    expect(plan.search?.samples.metric).toBe(metric);
  });

  test('on a device, samples are encoded there, and compared in normal memory', () => {
    const nvenc = wholePlan(request({ 'c:v': 'h264_nvenc' }), { catalogue: NVIDIA });
    expect(shown(nvenc.passes[0])).toContain('-c:v h264_nvenc -b:v 0 -cq:v QUALITY');
    const vaapi = wholePlan(request({ 'c:v': 'h264_vaapi', vf: 'hflip' }), { catalogue: VAAPI });
    const [, encode = '', ...comparisons] = argvsOf(vaapi);
    expect(shown(vaapi.passes[0])).toContain(`-filter:v hflip,${UPLOAD} -qp:v QUALITY`);
    expect(encode).toContain(`-filter:v hflip,${UPLOAD} `);
    expect(encode).toContain('-init_hw_device vaapi=hw:dev/vaapi');
    for (const argv of comparisons) expect(argv).toContain('-filter:v hflip,null[quality-source]');
  });

  test('is a full job', () => {
    expect(workloadOf(wholePlan(request({ t: '2' })))).toMatchObject({ lane: 'full' });
  });
});

const ON_DEVICE = { hwaccel: 'cuda', hwaccel_output_format: 'cuda' };
const BOTH = (name: string): string => `"${name}" does not go with "quality": both would set the quality of the video.`;
const needsVideo = (found: string): RegExp =>
  new RegExp(`: ${found} does not go with "quality": it supports libx264, libx265, libsvtav1, `);
const NO_VIDEO = needsVideo('An image, or an output without a video,');

const UNCLEAR = (map: string): string =>
  `"map" with "${map}" does not go with "quality": it has to select one video by its number, such as "0:v:0".`;

test.each<[what: string, parameters: Parameters, more?: Partial<ConversionRequest>]>([
  ['the bit rate of audio by its index', { 'b:1': '96k' }],
  [
    'a parameter of the encoder that is called "quality"',
    { 'c:v': 'libvpx-vp9', quality: 'good' },
    { output: 'b.mkv' },
  ],
  ['peaks of x264', { maxrate: '2M', bufsize: '4M' }],
  ['maps by number', { map: ['0:v:0', '0:a', '-0:a:1'] }],
  [
    'a decoder and a size of the input',
    {},
    {
      input: undefined as never,
      inputs: [
        { input: 'a.yuv', parameters: { f: 'rawvideo', s: '320x240', pix_fmt: 'yuv420p', 'c:v:0': 'rawvideo' } },
      ],
    },
  ],
])('a quality target goes with %s', (_what, parameters, more) => {
  expect(errorsOf(request(parameters, TARGET, more))).toEqual([]);
});

describe('a quality target is rejected', () => {
  test.each<
    [
      field: string,
      text: string | RegExp,
      parameters: Parameters,
      quality?: QualityTarget,
      more?: Partial<ConversionRequest>,
    ]
  >([
    ['/parameters/crf', BOTH('crf'), { crf: '20' }],
    ['/parameters/b:v', BOTH('b:v'), { 'b:v': '2M' }],
    ['/parameters/b', BOTH('b'), { b: '2M' }],
    ['/parameters/q:v', BOTH('q:v'), { 'q:v': '2' }],
    ['/parameters/qp', BOTH('qp'), { qp: '20' }],
    ['/parameters/crf:1', BOTH('crf:1'), { map: ['0:a:0', '0:v:0'], 'crf:1': '20' }],
    ['/parameters/b:1', BOTH('b:1'), { map: ['0:a:0', '0:v:0'], 'b:1': '2M' }],
    [
      '/parameters/frames:1',
      '"frames:1" does not go with "quality": the job compares all of the video. "t" ends it.',
      { map: ['0:a:0', '0:v:0'], 'frames:1': '10' },
    ],
    [
      '/parameters/pass',
      '"pass" does not go with "quality": two passes reach a bit rate, and the target is a quality.',
      { pass: '2' },
    ],
    [
      '/parameters/x264-params',
      '"crf" in "x264-params" does not go with "quality": both would set the quality of the video.',
      { 'x264-params': 'crf=20:ref=4' },
    ],
    [
      '/parameters/fs',
      '"fs" does not go with "quality": the job compares all of the video. "t" ends it.',
      { fs: '1000000' },
    ],
    [
      '/parameters/frames:v',
      '"frames:v" does not go with "quality": the job compares all of the video. "t" ends it.',
      { 'frames:v': '10' },
    ],
    [
      '/inputs/0/parameters/hwaccel_output_format',
      '"hwaccel_output_format" does not go with "quality": it leaves frames on the device, where the job cannot compare them.',
      { 'c:v': 'h264_nvenc' },
      TARGET,
      { input: undefined as never, inputs: [{ input: 'a.mp4', parameters: ON_DEVICE }] },
    ],
    [
      '/parameters/vf',
      'The filter "hwupload" does not go with "quality": it leaves frames on the device, where the job cannot compare them.',
      { 'c:v': 'h264_nvenc', vf: 'hwupload,scale_cuda=640:-2' },
    ],
    [
      '/parameters/sseof',
      '"sseof" does not go with "quality": samples are read by their time from the start.',
      { sseof: '-10' },
    ],
    [
      '/parameters/copyts',
      '"copyts" does not go with "quality": samples are read by their time from the start.',
      { copyts: '' },
    ],
    [
      '/parameters/filter_complex',
      '"filter_complex" does not go with "quality": send the filters of the video as "vf".',
      { filter_complex: '[0:v]scale=320:-2[v]', map: '[v]' },
    ],
    ['/parameters/c:v', needsVideo('A video of "copy"'), { 'c:v': 'copy' }],
    ['/parameters/c', needsVideo('A video of "copy"'), { c: 'copy' }],
    ['/quality', NO_VIDEO, { vn: '' }],
    ['/quality', NO_VIDEO, {}, TARGET, { output: 'b.mp3' }],
    ['/quality', NO_VIDEO, {}, TARGET, { output: 'b.jpg' }],
    ['/quality', NO_VIDEO, {}, TARGET, { output: 'b.gif' }],
    ['/quality', needsVideo('A video of "prores_ks"'), { 'c:v': 'prores_ks' }, TARGET, { output: 'b.mov' }],
    [
      '/quality',
      'The format "hls" does not go with "quality": the output has to be one file.',
      {},
      TARGET,
      { output: 'b.m3u8' },
    ],
    ['/parameters/map', UNCLEAR('0:v:0, 0:v:1'), { map: ['0:v:0', '0:v:1'] }],
    ['/parameters/map', UNCLEAR('0:v:m:language:eng, 0:a'), { map: ['0:v:m:language:eng', '0:a'] }],
    ['/parameters/map', UNCLEAR('0:p:2'), { map: '0:p:2' }],
    ['/parameters/map', UNCLEAR('0, -0:v:0'), { map: ['0', '-0:v:0'] }],
    [
      '/parameters/encryption_scheme',
      '"encryption_scheme" does not go with "quality": an encrypted output cannot be compared with its source.',
      { encryption_scheme: 'cenc-aes-ctr', encryption_key: 'a'.repeat(32), encryption_kid: 'b'.repeat(32) },
    ],
    [
      '/parameters/maxrate',
      '"maxrate" does not go with "quality": this encoder needs a bit rate with it. "maxBitrate" in "quality" limits the average.',
      { 'c:v': 'libvpx-vp9', maxrate: '2M' },
      TARGET,
      { output: 'b.webm' },
    ],
    [
      '/quality',
      '"join" does not go with "quality": send one of them.',
      {},
      TARGET,
      { input: undefined as never, inputs: ['a.mp4', 'c.mp4'], join: 'encode' },
    ],
    [
      '/quality',
      '"cut" does not go with "quality": send one of them.',
      {},
      TARGET,
      { cut: { keep: [{ start: 1, end: 2 }] } },
    ],
    [
      '/quality',
      '"quality" is about one video, but images with a "duration" become a slideshow.',
      {},
      TARGET,
      {
        input: undefined as never,
        inputs: [
          { input: 'a.png', duration: '5' },
          { input: 'b.png', duration: '5' },
        ],
      },
    ],
    [
      '/quality',
      '"quality" is about one output, but the request has several.',
      {},
      TARGET,
      { output: undefined as never, outputs: [{ output: 'b.mp4' }, { output: 'b.mkv' }] },
    ],
    [
      '/quality/target',
      '"target" is from 0.5 to 0.999 for SSIM, not 40. Usual is 0.98.',
      {},
      { target: 40, metric: 'ssim' },
    ],
    ['/quality/target', '"target" is from 0.5 to 0.999 for SSIM, not 1. Usual is 0.98.', {}, { target: 1 }],
    ['/quality/target', '"target" is from 20 to 60 for XPSNR, not 5. Usual is 42.', {}, { target: 5 }],
    ['/quality/target', 'The installed ffmpeg cannot measure XPSNR: it has no filter "xpsnr".', {}, { target: 42 }],
    [
      '/quality/metric',
      'The installed ffmpeg cannot measure VMAF: it has no filter "libvmaf".',
      {},
      { target: 95, metric: 'vmaf' },
    ],
  ])('%s: %s', (field, text, ...sent) => {
    const errors = errorsOf(request(...sent), { catalogue: NVIDIA });
    const shownErrors = errors.map((one) => `${one.field}: ${one.message}`);
    expect(shownErrors).toEqual([typeof text === 'string' ? `${field}: ${text}` : expect.stringMatching(text)]);
  });
});
