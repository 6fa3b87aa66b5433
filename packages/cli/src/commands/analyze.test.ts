import { expect, test } from 'vitest';
import { addSetting } from './analyze.ts';

test('settings are collected by measurement, and the last value of a name counts', () => {
  const all = ['silence.noiseDb=-50', 'silence.minSeconds=1', 'crop.round=4', 'silence.noiseDb=-40'];
  expect(all.reduce((before, text) => addSetting(text, before), {})).toEqual({
    silence: { noiseDb: -40, minSeconds: 1 },
    crop: { round: 4 },
  });
});

test.each(['silence', 'silence=1', 'silence.noiseDb', 'silence.noiseDb=', 'silence.noiseDb=loud', '.a=1'])(
  'says how to write the setting "%s"',
  (text) => {
    expect(() => addSetting(text)).toThrow('Write it as measurement.name=number, such as silence.noiseDb=-50.');
  },
);
