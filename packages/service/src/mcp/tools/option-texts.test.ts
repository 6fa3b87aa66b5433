import { expect, test } from 'vitest';
import { measurementTexts, timesInSeconds } from './option-texts.ts';

test.each([
  ['500ms', 0.5],
  ['0.3ms', 0.0003],
  ['1.5s', 1.5],
  ['0.4 s', 0.4],
  ['12 sec', 12],
  ['1 second', 1],
  ['250 milliseconds', 0.25],
  ['2m', 120],
  ['1.5 min', 90],
  ['2 minutes', 120],
  ['1h', 3600],
  ['2 hours', 7200],
  ['00:01:30', 90],
])('the time "%s" is %d seconds', (time, seconds) => {
  expect(timesInSeconds({ at: time })).toEqual({ at: [seconds] });
  expect(measurementTexts({ ss: time })).toEqual({ ss: String(seconds) });
});

test.each(['2 months', '3 sheep', '5 meters', '10 hz', '1 windows', '5 us'])(
  'the unit of "%s" is unknown, so the schema rejects it',
  (time) => {
    expect(timesInSeconds({ at: time })).toEqual({ at: [time] });
    expect(measurementTexts({ t: time })).toEqual({ t: time });
  },
);
