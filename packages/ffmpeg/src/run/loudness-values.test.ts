import { expect, test } from 'vitest';
import { loudnessValues } from './loudness-values.ts';

const loudnorm = (options: Readonly<Record<string, string>> = {}) => ({
  ...{ name: 'loudnorm', inputs: [], outputs: [], at: 0 },
  options: Object.entries({ I: '-16', TP: '-1', LRA: '11', ...options }).map(([key, value]) => ({ key, value })),
});

const SOFT = { input_i: -23, input_lra: 5, input_tp: 0.1, output_i: -16.4 };

test('one gain is enough if peak and range stay within the limits', () => {
  expect(loudnessValues(loudnorm(), SOFT)).toEqual({
    gain: 0,
    options: [
      { key: 'measured_I', value: '-23.00' },
      { key: 'measured_LRA', value: '5.00' },
      { key: 'measured_TP', value: '-19.96' },
      { key: 'measured_thresh', value: '-33.00' },
    ],
  });
});

test.each([
  ['a peak that would be too high', {}, { ...SOFT, input_tp: 0.9 }],
  ['a range that is too large', {}, { ...SOFT, input_lra: 12 }],
  ['a client that wants no constant gain', { linear: 'false' }, SOFT],
])('with %s, corrects what the first pass missed', (_what, options, facts) => {
  expect(loudnessValues(loudnorm(options), facts)).toEqual({ gain: 0, options: [{ key: 'offset', value: '0.40' }] });
  expect(loudnessValues(loudnorm(options), { ...facts, output_i: -14.41 })).toEqual({ gain: -1.59, options: [] });
});

test('a sound that its true peak keeps too soft is amplified into a limiter, by what the first pass measured of one', () => {
  const limited = { ...SOFT, input_tp: 0.9, output_i: -17 };
  const values = (limited_i: number) => loudnessValues(loudnorm(), { ...limited, limited_i });
  expect(values(-15.5)).toEqual({ gain: 2, limit: -1, options: [] });
  expect(values(-16.5)).toEqual({ gain: 6, limit: -1, options: [] });
  // A limiter that would have to turn down more is heard, and one that lets nothing through is of no use.
  expect(values(-16.6)).toEqual({ gain: 0, options: [{ key: 'offset', value: '1.00' }] });
  expect(values(-17)).toEqual({ gain: 0, options: [{ key: 'offset', value: '1.00' }] });
  // Less than half a LU, and what the peak does not limit.
  expect(loudnessValues(loudnorm(), { ...limited, output_i: -16.4, limited_i: -15 })).not.toHaveProperty('limit');
  expect(loudnessValues(loudnorm(), { ...limited, input_lra: 12, input_tp: 0.1, limited_i: -15 })).not.toHaveProperty(
    'limit',
  );
});

test('the offset of the client is kept beside the correction, because the first pass had it', () => {
  const { options } = loudnessValues(loudnorm({ linear: 'n', offset: '2' }), SOFT);
  expect(options).toEqual([{ key: 'offset', value: '2.40' }]);
});

test.each([{}, { ...SOFT, input_i: -70 }, { ...SOFT, input_i: Number.NaN }])('leaves silence as it is', (facts) => {
  expect(loudnessValues(loudnorm(), facts)).toEqual({ gain: 0, options: [] });
});

test('only a gain and a limiter change what is shorter than three seconds', () => {
  const short = { ...SOFT, lastSeconds: 1.9, output_i: -43, limited_i: -40 };
  expect(loudnessValues(loudnorm(), short)).toMatchObject({ options: [], isConstant: true, gain: expect.any(Number) });
  const silent = { input_i: -70, input_lra: 0, input_tp: 0.4, output_i: -70, lastSeconds: 0.2 };
  expect(loudnessValues(loudnorm(), silent)).toEqual({ options: [], isConstant: true, gain: 0 });
});
