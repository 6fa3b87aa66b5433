// @module-tag long
import { expect, test } from 'vitest';
import { growthError } from '../support/growth.ts';
import { sampled } from '../support/sampled.ts';
import { startCounting } from '../support/work.ts';

const counter = startCounting();
const { planRequest, requestWith } = await import('../support/planning.ts');

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

/** One of so many runs in `npm test`. A prime number, so that each value has other texts. */
const EVERY = 127;

const CASES = VALUES.flatMap(([name, head]) =>
  FRAGMENTS.flatMap((fragment) => ENDS.map((end) => [name, head, fragment, end] as const)),
);

test.each(sampled(CASES, EVERY))(
  'the work to check "%s" grows linearly with the length of a value "%s%j…%s"',
  async (name, head, fragment, end) => {
    const prepare = (size: number) => {
      const request = requestWith({ [name]: head + fragment.repeat(size) + end });
      return () => planRequest(request);
    };
    expect(await growthError(counter, prepare, 120)).toBeUndefined();
  },
);
