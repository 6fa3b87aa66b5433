import { expect } from 'vitest';
import type { Check } from '../common-request.ts';
import { describeFile } from './container.ts';

/** The paths of all output files of the job: the requested output (or the first of a sequence) first. */
export const outputs =
  (...wanted: readonly string[]): Check =>
  ({ job }) => {
    expect(job.outputs?.map(({ path }) => path)).toEqual(wanted);
  };

/** Like `streams`, for another file of the media root. */
export const streamsOf =
  (path: string, ...wanted: readonly Readonly<Record<string, unknown>>[]): Check =>
  async ({ at }) => {
    expect((await describeFile(at(path))).streams).toMatchObject(wanted);
  };
