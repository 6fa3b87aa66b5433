import { expect, test } from 'vitest';
import { shortTotal, totalSizeText, totalTimeText } from './total-text.ts';

test('several conversions take the sum of their times and sizes, and say if one is not known', () => {
  const of = (seconds: number, bytes: number, outputs = 1) => ({
    estimate: {
      time: { seconds: { low: seconds - 1, likely: seconds, high: seconds + 2 } },
      outputs: Array.from({ length: outputs }, () => ({ sizeBytes: { low: bytes, likely: bytes, high: bytes } })),
    },
  });
  const plans = [of(10, 2e6), of(16, 1e6, 2)];
  expect(totalTimeText(plans)).toEqual({ likely: 'about 26\u00a0s', range: '24\u00a0s to 30\u00a0s' });
  expect(totalSizeText(plans)).toEqual({ likely: 'about 4\u00a0MB' });
  expect(shortTotal(plans)).toBe('about 26\u00a0s · 4\u00a0MB');
  const partly = [...plans, { estimate: { time: {}, outputs: [{ unknown: 'The input is a URL.' }] } }];
  expect(totalTimeText(partly)).toEqual({ likely: 'about 26\u00a0s', note: 'of 2 of 3; the others are unknown' });
  expect(totalSizeText(partly)).toEqual({ likely: 'about 4\u00a0MB', note: 'of 2 of 3; the others are unknown' });
  expect(shortTotal(partly)).toBe('');
  expect(totalTimeText([...plans, undefined])?.note).toBe('of 2 of 3; the others are unknown');
  expect(totalTimeText([{}])).toBeUndefined();
});
