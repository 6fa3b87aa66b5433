import { expect, test } from 'vitest';
import { madeText, queueText, shortEstimate, sizeText, timeText } from './estimate-text.ts';

test('an estimate is its likely value, with its range', () => {
  expect(sizeText({ sizeBytes: { low: 3e6, likely: 4e6, high: 6e6 } })).toEqual({
    likely: 'about 4\u00a0MB',
    range: '3\u00a0MB to 6\u00a0MB',
  });
  expect(sizeText({ sizeBytes: { low: 4e6, likely: 4e6, high: 4e6 } })).toEqual({ likely: 'about 4\u00a0MB' });
  expect(timeText({ outputs: [], time: { seconds: { low: 8, likely: 12, high: 20 } } })).toEqual({
    likely: 'about 12\u00a0s',
    range: '8\u00a0s to 20\u00a0s',
  });
});

test('both ends of a range of times have one unit', () => {
  expect(timeText({ outputs: [], time: { seconds: { low: 0.049, likely: 0.4, high: 0.8 } } })).toEqual({
    likely: 'about 0.4\u00a0s',
    range: '0.05\u00a0s to 0.8\u00a0s',
  });
});

test('a size that a recipe or an option limits is told with its limit', () => {
  expect(sizeText({ sizeBytes: { low: 7e6, likely: 7.5e6, high: 8e6 }, basis: ['bitRate', 'limit'] })).toEqual({
    likely: 'about 7.5\u00a0MB',
    range: 'up to 8\u00a0MB',
  });
  expect(sizeText({ sizeBytes: { low: 8e6, likely: 8e6, high: 8e6 }, basis: ['defaults', 'limit'] })).toEqual({
    likely: 'up to 8\u00a0MB',
  });
});

test('an estimate from little is its range, not a value that looks exact', () => {
  expect(sizeText({ sizeBytes: { low: 1e5, likely: 581_000, high: 2e6 } })).toEqual({
    likely: '100\u00a0kB to 2\u00a0MB',
  });
});

test('what the service does not know is left out', () => {
  expect(sizeText({ unknown: 'The input is a URL.' })).toBeUndefined();
  expect(timeText({ outputs: [], time: { unknown: 'The input is a URL.' } })).toBeUndefined();
});

test('says what starts before the conversion', () => {
  const of = (jobsBefore?: number) =>
    queueText({ outputs: [], time: { ...(jobsBefore !== undefined && { jobsBefore }) } });
  expect([of(), of(0), of(1), of(3)]).toEqual([
    undefined,
    'Starts when a worker has a free slot.',
    'Starts after one queued job.',
    'Starts after 3 queued jobs.',
  ]);
});

test('the bar with the button has the time and the size in a few words, and says nothing that is not known', () => {
  const outputs = [{ sizeBytes: { low: 3e6, likely: 3.5e6, high: 6e6 } }];
  const time = { seconds: { low: 8, likely: 13, high: 20 } };
  expect(shortEstimate({ estimate: { outputs, time } })).toBe('about 13\u00a0s · 3.5\u00a0MB');
  expect(shortEstimate({ estimate: { outputs, time: {} } })).toBe('about 3.5\u00a0MB');
  expect(shortEstimate({ estimate: { outputs: [...outputs, ...outputs], time } })).toBe('about 13\u00a0s');
  expect(shortEstimate({})).toBe('');
});

test('what a conversion makes is its format and its length, before the size and the time', () => {
  const planOf = (...paths: string[]) => ({
    ...{ inputs: [], passes: 1 },
    outputs: paths.map((path) => ({ ...{ name: path, path, muxer: 'mp4', replace: false, files: [], encoders: {} } })),
  });
  const sizeBytes = { low: 3e5, likely: 581_000, high: 9e5 };
  const time = { seconds: { low: 1, likely: 1.8, high: 3 } };
  const gif = { outputs: [{ durationSeconds: 3, sizeBytes }], time };
  expect(madeText({ plan: planOf('goal-2s-5s.gif'), estimate: gif })).toBe(
    'GIF, 3\u00a0s · about 581\u00a0kB · takes about 1.8\u00a0s',
  );
  expect(madeText({ plan: planOf('poster.jpg'), estimate: { outputs: [{}], time: {} } })).toBe('JPG');
  expect(madeText({ plan: planOf('a.mp4', 'b.mp4'), estimate: { outputs: [{}, {}], time } })).toBe(
    '2 outputs · takes about 1.8\u00a0s',
  );
  const [output] = planOf('web/master.m3u8').outputs;
  const hls = { ...planOf(), outputs: [{ ...output, muxer: 'hls' }] } as ReturnType<typeof planOf>;
  expect(madeText({ plan: hls })).toBe('HLS');
});
