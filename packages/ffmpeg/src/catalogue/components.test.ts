import { expect, test } from 'vitest';
import { RECORDED, recordedCatalogue, recording } from '../../../../test/support/recorded-catalogue.ts';
import { componentOf } from './catalogue.ts';
import type { ComponentKind } from './component.ts';

test.each(RECORDED)('reads every recorded component of ffmpeg %s', (version) => {
  const catalogue = recordedCatalogue(version);
  for (const [key, text] of recording(version).components) {
    const [kind = '', name = ''] = key.split('=');
    const component = componentOf(catalogue, kind as ComponentKind, name);
    const printed = new Set(Array.from(text.matchAll(/^ {2}[ -](\S+)\s+\[?</gm), ([, option]) => option));
    expect([key, component?.options.length]).toEqual([key, printed.size]);
    if (kind !== 'bsf') expect([key, component?.description]).not.toEqual([key, '']);
  }
});

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
  expect(of('bsf', 'h264_metadata')?.codecs).toEqual(['h264']);
  expect(of('filter', 'nothing')).toBeUndefined();
});
