import { describe, expect, test } from 'vitest';
import { BY_DESIGN, reasonsFor } from '../manual/by-design.ts';
import { plannerAnswer } from '../manual/planner-answer.ts';
import { recordedAnswers } from '../manual/recorded-answers.ts';
import type { Recorded } from '../support/recorded-catalogue.ts';

const VERSIONS: readonly Recorded[] = ['5.1', '7.1'];

/** The examples of ffmpeg's manual that ffmpeg accepts: `npm run test:manual` finds them. */
const accepted = (version: Recorded) =>
  recordedAnswers(version).flatMap(({ at, argv, planner }) =>
    argv === undefined || planner === undefined ? [] : [{ at, argv, planner }],
  );

describe.each(VERSIONS)('the manual of ffmpeg %s', (version) => {
  const examples = accepted(version);

  test('the planner answers its examples as recorded', () => {
    expect(examples.length).toBeGreaterThan(400);
    expect(examples.map(({ at, argv }) => ({ at, argv, planner: plannerAnswer(argv, version).errors }))).toEqual(
      examples,
    );
  });

  test('the planner rejects only by design what ffmpeg accepts', () => {
    const isUnexplained = ({ argv, planner }: (typeof examples)[number]): boolean =>
      planner.some((error) => reasonsFor(argv, error).length === 0);
    expect(examples.filter(isUnexplained)).toEqual([]);
  });
});

test('each reason for a rejection by design is that of an example', () => {
  const used = new Set(
    VERSIONS.flatMap(accepted).flatMap(({ argv, planner }) => planner.flatMap((error) => reasonsFor(argv, error))),
  );
  expect(BY_DESIGN.filter((reason) => !used.has(reason))).toEqual([]);
});
