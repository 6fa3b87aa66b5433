import { existsSync, readFileSync } from 'node:fs';
import type { Recorded } from '../support/recorded-catalogue.ts';
import type { Words } from './forms.ts';

/** What ffmpeg and the planner say about one runnable part of an example. */
export interface ExampleAnswer {
  /** The place in the manual. */
  readonly at: string;
  /** The words after `ffmpeg`. Absent if ffmpeg accepts none of the forms. */
  readonly argv?: Words;
  /** The text of an example that ffmpeg does not accept, shortened, and what ffmpeg says about its first form. */
  readonly text?: string;
  readonly ffmpeg?: string;
  /** The codes of the planner's errors. Empty if it accepts the request of the example. Absent without an argv. */
  readonly planner?: readonly string[];
}

/** The list of one build, one answer a line. */
export const answersFile = (version: Recorded): string => `${import.meta.dirname}/ffmpeg-${version}.jsonl`;

export const printAnswers = (answers: readonly ExampleAnswer[]): string =>
  answers.map((answer) => `${JSON.stringify(answer)}\n`).join('');

export function recordedAnswers(version: Recorded): readonly ExampleAnswer[] {
  const file = answersFile(version);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): ExampleAnswer => JSON.parse(line));
}
