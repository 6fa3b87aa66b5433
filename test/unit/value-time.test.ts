import { expect, test } from 'vitest';
import { planRequest, requestWith } from '../support/planning.ts';

/** One option of each kind of value, with the start of its value. */
const VALUES: readonly (readonly [string, string])[] = [
  ['r', ''],
  ['b:v', '1'],
  ['t', ''],
  ['ss', '0:'],
  ['s', ''],
  ['aspect', '1'],
  ['ac', ''],
  ['crf', ''],
  ['disposition', ''],
  ['pix_fmt', ''],
  ['channel_layout', ''],
  ['force_key_frames', ''],
  ['force_key_frames', 'expr:'],
  ['metadata', 'title='],
  ['movflags', ''],
  ['x264-params', 'crf='],
  ['bsf:v', ''],
  ['vf', ''],
  ['vf', 'scale=w='],
  ['vf', 'rotate='],
  ['vf', 'drawtext=text=a'],
  ['vf', 'drawtext=text=%'],
  ['vf', 'drawbox=color='],
  ['vf', 'fps='],
  ['vf', 'setpts='],
  ['vf', 'setpts=PTS*'],
  ['af', 'volume='],
  ['af', 'pan=stereo|c0='],
];

const FRAGMENTS = [
  ...['1', '1 ', '9.', '.', ' ', '\t', 'a', 'a-', 'a ', 'a@', '%%', ': ', ':', '\\:', '\\', "'", '(', '1(', '-', '1+'],
  ...['1e', '0x', '1%', '*1%', 'a=', 'a=b:', 'a,', ';', '[a]', '|', 'min(', '%{', 'k', '/', '\n', 'é'],
];
const ENDS = ['', '!', 'x:b'];

/** A request can have many values, so the time of one must not grow with the square of its length. */
const SHORT = 4000;
const LONG = 16_000;
/** A linear check of a long value takes at most 50 ms on a slow machine. Smaller times are not comparable. */
const MEASURABLE_MS = 100;
/** Linear: 4. Quadratic: 16. */
const MAX_RATIO = 10;
const REPETITIONS = 5;

/** Processor time of this thread. On a busy machine, the time of a clock would also count other programs. */
function milliseconds(name: string, value: string): number {
  const request = requestWith({ [name]: value });
  const start = process.threadCpuUsage();
  planRequest(request);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

/** Whether the check of `long` takes far more than four times as long as that of `short`. */
function isSlow(name: string, long: string, short: string): boolean {
  if (milliseconds(name, long) < MEASURABLE_MS) return false;
  const medianOf = (value: string) => median(Array.from({ length: REPETITIONS }, () => milliseconds(name, value)));
  const time = medianOf(long);
  return time >= MEASURABLE_MS && time / medianOf(short) > MAX_RATIO;
}

test.each(VALUES)('the time to check "%s" grows linearly with the length of a value "%s…"', (name, head) => {
  const slow = FRAGMENTS.flatMap((fragment) =>
    ENDS.filter((end) => {
      const ofLength = (length: number): string => head + fragment.repeat(length / fragment.length) + end;
      return isSlow(name, ofLength(LONG), ofLength(SHORT));
    }).map((end) => `${fragment}…${end}`),
  );
  expect(slow).toEqual([]);
});
