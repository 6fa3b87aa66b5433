import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { planProbe } from './plan-probe.ts';

const plan = (input: string, parameters?: Record<string, string | string[]>) =>
  planProbe({ input, ...(parameters && { parameters }) }, mediaRoot('/media'));

test('the whole argv: only logical names, the file protocol and allowed formats', () => {
  const planned = plan('/a b/My Film.MOV');
  expect(planned).toMatchObject({ ok: true, plan: { path: 'a b/My Film.MOV', logical: 'in/0.mov' } });
  expect(planned.ok && planned.plan.argv).toEqual([
    ...['-hide_banner', '-loglevel', 'level+error', '-of', 'json'],
    ...['-show_format', '-show_streams', '-show_chapters', '-show_packets', '-show_entries', 'packet=stream_index'],
    ...['-read_intervals', '%+#1', '-protocol_whitelist', 'file'],
    ...['-format_whitelist', expect.stringMatching(/^mov,.*bitpacked$/), '-i', 'file:in/0.mov'],
  ]);
});

test('options for raw media are translated to ffprobe’s names', () => {
  const sound = plan('a.raw', { f: 's16le', ar: '44100', ac: '2' });
  expect(sound.ok && sound.plan.argv.join(' ')).toContain('-f s16le -sample_rate 44100 -ch_layout 2c -protocol');
  const picture = plan('a.yuv', { f: 'rawvideo', s: '320x180', r: '30000/1001', pix_fmt: 'yuv420p' });
  expect(picture.ok && picture.plan.argv.join(' ')).toContain(
    '-f rawvideo -video_size 320x180 -framerate 30000/1001 -pixel_format yuv420p -protocol',
  );
});

test.each([
  ['..', undefined, { field: '/input' }],
  ['a', { frmerate: '5' }, { field: '/parameters/frmerate', code: 'UNKNOWN_OPTION' }],
  ['a', { protocol_whitelist: 'http' }, { field: '/parameters/protocol_whitelist', code: 'UNKNOWN_OPTION' }],
  ['a', { 'print_filename/~': 'x' }, { field: '/parameters/print_filename~1~0', code: 'UNKNOWN_OPTION' }],
  ['a', { f: 'hls' }, { field: '/parameters/f', code: 'BAD_VALUE' }],
  ['a', { f: ['mov'] }, { field: '/parameters/f', code: 'BAD_VALUE' }],
  ['a', { ar: '-i /etc/passwd' }, { field: '/parameters/ar', code: 'BAD_VALUE' }],
  ['a', { ac: '0' }, { field: '/parameters/ac', code: 'BAD_VALUE' }],
  ['a', { s: '1x' }, { field: '/parameters/s', code: 'BAD_VALUE' }],
  ['a', { ac: '2', ch_layout: 'stereo' }, { field: '/parameters/ch_layout', code: 'DUPLICATE_OPTION' }],
] as const)('rejects %s with %j', (input, parameters, error) => {
  const planned = plan(input, parameters as never);
  expect(planned).toMatchObject({ ok: false, errors: [error] });
});

test.each(['a.svg', 'a.SVGZ'])('rejects the SVG drawing %s, also if it is to be read as a picture', (input) => {
  for (const parameters of [{}, { f: 'image2' }])
    expect(planProbe({ input, parameters }, mediaRoot('/media'))).toMatchObject({
      ok: false,
      errors: [{ field: '/input', code: 'UNSUPPORTED_FORMAT' }],
    });
});
