import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import { expect, test } from 'vitest';
import { MediaFacts } from '../rules/facts/media-facts.ts';
import { asRead, reportedInputs } from './pass-output.ts';

const joined = (count: number, mode: 'copy' | 'encode' = 'copy') =>
  ({
    inputs: Array.from({ length: count }, (_, index) => ({
      logical: `in/${index}.ts`,
      path: `${index}.ts`,
      field: `/inputs/${index}`,
    })),
    span: { inputs: [{ start: 1, duration: 2 }], output: {}, shortest: false, joined: 12 },
    join: { mode, clips: [], starts: [], isAssumed: false },
    passes: [['-f', 'concat', '-i', 'file:pass/inputs.ffconcat']],
  }) as unknown as OutputPlan;

const REPORTS = [{ demuxer: 'concat', streams: [], durationSeconds: 4 }] as unknown as Parameters<
  typeof reportedInputs
>[1];

test('what ffmpeg says about a list of joined clips is about all of them', () => {
  const plan = asRead(joined(3));
  const facts = new MediaFacts(plan, reportedInputs(plan, REPORTS), []);
  expect(facts.pathOf(0)).toBe('"0.ts, 1.ts, 2.ts"');
  expect(plan.inputs.map(({ field }) => field)).toEqual(['/inputs']);
  // Not that of the first clip, and without its trim.
  expect(facts.secondsOfInput(0)).toBe(12);
});

test('a message names few of many clips', () => {
  expect(asRead(joined(9)).inputs[0]?.path).toBe('0.ts, 1.ts, 2.ts and 6 more');
});

test('clips that are encoded are inputs of their own', () => {
  const plan = joined(3, 'encode');
  expect(asRead(plan)).toBe(plan);
  expect(reportedInputs(plan, REPORTS)).toBe(REPORTS);
});
