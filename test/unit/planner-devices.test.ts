import { expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { codecViews, filterViews } from '../../packages/ffmpeg/src/capabilities/components.ts';
import { meaningsOf } from '../../packages/ffmpeg/src/capabilities/option-lookup.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { NVIDIA, VAAPI, withAbilities } from '../support/devices.ts';
import { CATALOGUE, errorsOf, planForAll, requestWith, validPlan, wholePlan } from '../support/planning.ts';

/** The argv without what every argv has: how to log, and which files ffmpeg may open. */
function argvOf(request: ConversionRequest, catalogue: Catalogue): string {
  const argv = wholePlan(request, { catalogue }).passes[0]?.join(' ') ?? '';
  return argv.replace(/^.*-stats_period 0\.5 /, '').replaceAll(/-protocol_whitelist file -format_whitelist \S+ /g, '');
}

const film = (parameters: Parameters, own: Parameters = {}): ConversionRequest => ({
  inputs: [{ input: 'a.mp4', parameters: own }],
  output: 'b.mp4',
  parameters,
});

const UPLOAD = 'format=pix_fmts=nv12|vaapi,hwupload';

test.each<[what: string, catalogue: Catalogue, request: ConversionRequest, argv: string]>([
  [
    'NVENC takes frames in memory, so nothing is uploaded',
    NVIDIA,
    film({ 'c:v': 'h264_nvenc', preset: 'p5', rc: 'vbr', cq: '23', vf: 'scale=1280:-2', 'c:a': 'copy' }),
    '-init_hw_device cuda=hw -i file:in/0.mp4 -c:v h264_nvenc -preset p5 -rc vbr -cq 23 -filter:v scale=w=1280:h=-2 -c:a copy -f mp4 file:out/b.mp4',
  ],
  [
    'frames that stay on the card from the decoder to the encoder',
    NVIDIA,
    film({ 'c:v': 'hevc_nvenc', vf: 'scale_cuda=1280:-2' }, { hwaccel: 'cuda', hwaccel_output_format: 'cuda' }),
    '-init_hw_device cuda=hw -hwaccel cuda -hwaccel_output_format cuda -i file:in/0.mp4 -c:v hevc_nvenc -filter:v scale_cuda=w=1280:h=-2 -f mp4 file:out/b.mp4',
  ],
  [
    'a decoder on the card, which the client names for all inputs',
    NVIDIA,
    requestWith({ hwaccel: 'cuda', 'c:v': 'libx264' }),
    '-init_hw_device cuda=hw -hwaccel cuda -i file:in/0.mp4 -c:v libx264 -f mp4 file:out/b.mp4',
  ],
  [
    'a decoder of CUVID by its name',
    NVIDIA,
    film({ 'c:v': 'h264_nvenc' }, { 'c:v': 'h264_cuvid' }),
    '-init_hw_device cuda=hw -c:v h264_cuvid -i file:in/0.mp4 -c:v h264_nvenc -f mp4 file:out/b.mp4',
  ],
  [
    'VA-API takes only frames on the device, so they are uploaded',
    VAAPI,
    film({ 'c:v': 'h264_vaapi', qp: '24' }),
    `-init_hw_device vaapi=hw:dev/vaapi -i file:in/0.mp4 -c:v h264_vaapi -qp 24 -filter:v ${UPLOAD} -f mp4 file:out/b.mp4`,
  ],
  [
    'frames are uploaded after filters in memory',
    VAAPI,
    film({ 'c:v': 'h264_vaapi', vf: 'scale=1280:-2,hflip' }),
    `-init_hw_device vaapi=hw:dev/vaapi -i file:in/0.mp4 -c:v h264_vaapi -filter:v scale=w=1280:h=-2,hflip,${UPLOAD} -f mp4 file:out/b.mp4`,
  ],
  [
    'filters that end on the device stay as they are',
    VAAPI,
    film({ 'c:v': 'hevc_vaapi', vf: 'format=nv12,hwupload,scale_vaapi=w=1280:h=-2:format=nv12' }),
    '-init_hw_device vaapi=hw:dev/vaapi -i file:in/0.mp4 -c:v hevc_vaapi -filter:v format=pix_fmts=nv12,hwupload,scale_vaapi=w=1280:h=-2:format=nv12 -f mp4 file:out/b.mp4',
  ],
  [
    'the format of the pictures becomes that of the upload',
    VAAPI,
    film({ 'c:v': 'hevc_vaapi', 'profile:v': 'main10', pix_fmt: 'yuv420p10le' }),
    '-init_hw_device vaapi=hw:dev/vaapi -i file:in/0.mp4 -c:v hevc_vaapi -profile:v main10 -filter:v format=pix_fmts=p010le|vaapi,hwupload -f mp4 file:out/b.mp4',
  ],
  [
    'a graph that ends on the device',
    VAAPI,
    film({ 'c:v': 'h264_vaapi', filter_complex: '[0:v]hflip,format=nv12,hwupload[v]', map: '[v]' }),
    '-init_hw_device vaapi=hw:dev/vaapi -i file:in/0.mp4 -c:v h264_vaapi -filter_complex [0:v]hflip,format=pix_fmts=nv12,hwupload[v] -map [v] -f mp4 file:out/b.mp4',
  ],
  [
    'two passes of an encoder that has no log of them',
    NVIDIA,
    film({ 'c:v': 'h264_nvenc', 'b:v': '2M', pass: '2' }),
    '-init_hw_device cuda=hw -i file:in/0.mp4 -c:v h264_nvenc -b:v 2M -f mp4 file:out/b.mp4',
  ],
])('%s', (_what, catalogue, request, argv) => {
  expect(argvOf(request, catalogue)).toBe(argv);
});

test('opens the device once for several outputs, of which one uses it', () => {
  const request: ConversionRequest = {
    input: 'a.mp4',
    outputs: [
      { output: 'poster.jpg', parameters: { 'frames:v': '1' } },
      { output: 'b.mp4', parameters: { 'c:v': 'h264_vaapi' } },
    ],
  };
  const argv = argvOf(request, VAAPI);
  expect(argv.match(/-init_hw_device/g)).toHaveLength(1);
  expect(argv).toContain(`-filter:v ${UPLOAD} -f mp4`);
  expect(wholePlan(request, { catalogue: VAAPI }).devices).toEqual(['h264_vaapi', 'vaapi']);
});

test.each<[what: string, catalogue: Catalogue, request: ConversionRequest, error: object]>([
  [
    'an encoder, where the operator has allowed no device',
    CATALOGUE,
    film({ 'c:v': 'h264_nvenc' }),
    {
      field: '/parameters/c:v',
      code: 'NEEDS_DEVICE',
      message: '"h264_nvenc" needs a hardware device of type "cuda", and the operator has allowed none.',
      fix: 'Send "libx264".',
    },
  ],
  [
    'an encoder, where a device of another type has the same codec',
    VAAPI,
    film({ 'c:v': 'h264_nvenc' }),
    { code: 'NEEDS_DEVICE', allowed: ['h264_vaapi', 'libx264'] },
  ],
  [
    'an encoder that the model of the device lacks',
    withAbilities('vaapi', 'h264_vaapi'),
    film({ 'c:v': 'vp8_vaapi' }),
    {
      code: 'NEEDS_DEVICE',
      message:
        '"vp8_vaapi" needs a hardware device and the devices of type "vaapi" that the operator has allowed do not offer it.',
      fix: 'Send "libvpx".',
    },
  ],
  [
    'a decoder on a device',
    CATALOGUE,
    film({ 'c:v': 'libx264' }, { hwaccel: 'vaapi' }),
    { field: '/inputs/0/parameters/hwaccel', code: 'NEEDS_DEVICE' },
  ],
  [
    'a decoder on a device of another type',
    VAAPI,
    film({ 'c:v': 'libx264' }, { hwaccel: 'nvdec' }),
    { field: '/inputs/0/parameters/hwaccel', code: 'NEEDS_DEVICE', allowed: ['vaapi'], fix: 'Send "vaapi".' },
  ],
  [
    'a filter on a device',
    CATALOGUE,
    film({ vf: 'scale_cuda=1280:-2' }),
    { field: '/parameters/vf', code: 'NEEDS_DEVICE', message: expect.stringContaining('needs a hardware device') },
  ],
  [
    'a device that the client opens itself',
    VAAPI,
    film({ 'c:v': 'h264_vaapi', vaapi_device: '/dev/dri/renderD128' }),
    { field: '/parameters/vaapi_device', code: 'OPTION_NOT_ALLOWED' },
  ],
  [
    'a device that a filter opens',
    VAAPI,
    film({ 'c:v': 'h264_vaapi', vf: 'format=nv12,hwupload=derive_device=vulkan' }),
    { field: '/parameters/vf' },
  ],
  [
    'a graph that leaves frames in memory',
    VAAPI,
    film({ 'c:v': 'h264_vaapi', filter_complex: '[0:v]hflip[v]', map: '[v]' }),
    { field: '/parameters/filter_complex', code: 'NEEDS_UPLOAD' },
  ],
  [
    'a slideshow, whose frames are in memory',
    VAAPI,
    { inputs: [{ input: 'a.png', duration: '2' }], output: 'b.mp4', parameters: { 'c:v': 'h264_vaapi' } },
    { code: 'NEEDS_UPLOAD' },
  ],
  [
    'frames on a device before a filter in memory',
    NVIDIA,
    film({ 'c:v': 'h264_nvenc', vf: 'hflip' }, { hwaccel: 'cuda', hwaccel_output_format: 'cuda' }),
    { field: '/inputs/0/parameters/hwaccel_output_format', code: 'FRAMES_ON_DEVICE' },
  ],
  [
    'frames on a device before an encoder in memory',
    NVIDIA,
    film({ 'c:v': 'libx264' }, { hwaccel: 'cuda', hwaccel_output_format: 'cuda' }),
    { field: '/inputs/0/parameters/hwaccel_output_format', code: 'FRAMES_ON_DEVICE' },
  ],
  [
    'frames on a device without a decoder there',
    NVIDIA,
    film({ 'c:v': 'h264_nvenc' }, { hwaccel_output_format: 'cuda' }),
    { code: 'MISSING', message: expect.stringContaining('needs "hwaccel": "cuda"') },
  ],
  [
    'a format that the device does not take',
    VAAPI,
    film({ 'c:v': 'h264_vaapi', pix_fmt: 'yuv444p' }),
    { field: '/parameters/pix_fmt', code: 'BAD_VALUE', allowed: ['nv12', 'p010le'] },
  ],
  [
    'devices of two types',
    withAbilities('cuda', 'h264_nvenc', 'vaapi'),
    film({ 'c:v': 'h264_nvenc' }, { hwaccel: 'vaapi' }),
    { code: 'EXCLUSIVE' },
  ],
  [
    'an option that the encoder does not have',
    NVIDIA,
    film({ 'c:v': 'h264_nvenc', preset: 'p9' }),
    { field: '/parameters/preset', code: 'BAD_VALUE' },
  ],
])('rejects %s', (_what, catalogue, request, error) => {
  expect(errorsOf(request, { catalogue })[0]).toMatchObject(error);
});

test('a job waits for a device even if every worker has one, because each takes a few at a time', () => {
  const request = film({ 'c:v': 'h264_nvenc' });
  const needs = ['device:cuda', 'device:h264_nvenc'];
  expect(planForAll(request, [NVIDIA])).toMatchObject({ needs });
  expect(planForAll(request, [CATALOGUE, NVIDIA])).toMatchObject({ needs });
  expect(planForAll(request, [CATALOGUE])).toMatchObject({ result: { ok: false }, needs: [] });
});

test('a film that a device encodes takes less of a worker than one of the processor', () => {
  const weightOf = (codec: string) => workloadOf(wholePlan(film({ 'c:v': codec }), { catalogue: NVIDIA })).weight;
  expect(weightOf('h264_nvenc')).toBeLessThan(weightOf('libx264'));
});

test('capabilities describe what works on a device, and only where one is', () => {
  const named = (catalogue: Catalogue) => codecViews(catalogue).map(({ name }) => name);
  expect(named(VAAPI)).toEqual(expect.arrayContaining(['h264_vaapi', 'libx264']));
  expect(named(VAAPI)).not.toEqual(expect.arrayContaining(['h264_nvenc']));
  expect(named(CATALOGUE).filter((name) => /vaapi|nvenc|cuvid/.test(name))).toEqual([]);
  expect(named(NVIDIA)).toEqual(expect.arrayContaining(['h264_cuvid', 'h264_nvenc']));
  expect(filterViews(VAAPI).map(({ name }) => name)).toEqual(expect.arrayContaining(['hwupload', 'scale_vaapi']));
  expect(filterViews(CATALOGUE).map(({ name }) => name)).not.toEqual(expect.arrayContaining(['hwupload']));
  expect(meaningsOf('hwaccel', NVIDIA)).toMatchObject([{ on: 'input', constants: [{ name: 'cuda' }] }]);
  expect(meaningsOf('hwaccel', CATALOGUE)).toMatchObject({ code: 'NEEDS_DEVICE' });
});

test('a plan without a device has no trace of one, whatever the workers have', () => {
  const plain = validPlan(film({ 'c:v': 'libx264', vf: 'hflip' }));
  expect(validPlan(film({ 'c:v': 'libx264', vf: 'hflip' }), { catalogue: VAAPI })).toEqual(plain);
});
