import { expect, test } from 'vitest';
import { RECORDED, recordedCatalogue } from '../../../../test/support/recorded-catalogue.ts';
import type { ComponentKind } from './component.ts';
import { componentOf } from './components.ts';

test.each(RECORDED)('reads known facts of ffmpeg %s', (version) => {
  const catalogue = recordedCatalogue(version);
  const of = (kind: ComponentKind, name: string) => componentOf(catalogue, kind, name);
  const option = (kind: ComponentKind, name: string, wanted: string) =>
    of(kind, name)?.options.find((one) => one.name === wanted);
  expect(option('encoder', 'libx264', 'crf')).toMatchObject({ type: 'float', min: -1, media: 'V' });
  expect(option('encoder', 'libx264', 'preset')).toMatchObject({ type: 'string', fallback: 'medium' });
  expect(option('encoder', 'libx264', 'aq-mode')?.constants).toContainEqual(
    expect.objectContaining({ name: 'autovariance-biased', value: 3 }),
  );
  expect(of('encoder', 'libx264')?.pixelFormats).toContain('yuv420p10le');
  expect(of('encoder', 'libopus')?.sampleRates).toEqual([48000, 24000, 16000, 12000, 8000]);
  expect(of('encoder', 'ac3')?.channelLayouts).toContain('5.1(side)');
  expect(of('encoder', 'mpeg2video')?.frameRates).toContain('30000/1001');
  expect(of('muxer', 'mp4')?.defaultCodecs).toEqual({ video: 'h264', audio: 'aac' });
  expect(option('muxer', 'mp4', 'movflags')).toMatchObject({ type: 'flags' });
  expect(option('muxer', 'mp4', 'movflags')?.constants.map(({ name }) => name)).toContain('faststart');
  expect(option('muxer', 'hls', 'hls_time')).toMatchObject({ type: 'duration' });
  expect(of('demuxer', 'mov')?.extensions).toContain('mp4');
  expect(of('filter', 'scale')?.outputs).toEqual([{ name: 'default', media: 'video' }]);
  expect(of('filter', 'overlay')).toMatchObject({ timeline: true, inputs: [{ name: 'main' }, { name: 'overlay' }] });
  expect(of('filter', 'concat')).toMatchObject({ inputs: 'dynamic', outputs: 'dynamic' });
  expect(of('filter', 'nothing')).toBeUndefined();
});

test('an option that several components share belongs to those that read it', () => {
  const catalogue = recordedCatalogue();
  const names = (kind: ComponentKind, name: string) =>
    componentOf(catalogue, kind, name)?.options.map((one) => one.name);
  expect(names('encoder', 'prores')).toEqual(['vendor']);
  expect(names('encoder', 'prores_ks')).toContain('mbs_per_slice');
  expect(names('bsf', 'noise')).toEqual(['amount', 'drop', 'dropamount']);
  expect(names('filter', 'scale')).toContain('sws_flags');
});

test('an unknown component has the class with its name, and pads by the list of filters', () => {
  const known = recordedCatalogue();
  const text = 'newfilter AVOptions:\n   w                 <string>     ..FV.....T. Width\n\n';
  const listed = { name: 'newfilter', description: '', inputs: 'VA', outputs: 'N', timeline: true };
  const catalogue = {
    ...known,
    classes: new Map([...known.classes, ['newfilter', text]]),
    lists: { ...known.lists, filters: new Map([...known.lists.filters, ['newfilter', listed]]) },
  };
  expect(componentOf(catalogue, 'filter', 'newfilter')).toMatchObject({
    inputs: [{ media: 'video' }, { media: 'audio' }],
    outputs: 'dynamic',
    timeline: true,
    positions: ['w'],
    options: [{ name: 'w' }],
  });
});

test.each([
  ['5.1', [6, 1], 'filter', 'scale'],
  ['5.1', [7, 0], 'filter', 'scale'],
  ['5.1', [7, 0], 'decoder', 'cc_dec'],
  ['7.1', [6, 0], 'decoder', 'cc_dec'],
] as const)(
  'a build with the classes of %s that counts as release %j has all options of the %s %s',
  (version, release, kind, name) => {
    const recorded = recordedCatalogue(version);
    const { build, classes } = recorded;
    const unrecorded = { ...recorded, classes: new Map(classes), build: { ...build, release } };
    const own = componentOf(recorded, kind, name);
    expect(own?.options.length).toBeGreaterThan(0);
    expect(componentOf(unrecorded, kind, name)).toMatchObject({ options: own?.options });
    expect(componentOf(unrecorded, kind, name)?.positions).toEqual(own?.positions);
  },
);
