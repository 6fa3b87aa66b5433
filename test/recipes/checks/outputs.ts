import { expect } from 'vitest';
import type { Check } from '../recipe.ts';
import { describeFile } from './container.ts';

/** The paths of all files of the job, the named output (or the first of a series) first. */
export const outputs =
  (...wanted: readonly string[]): Check =>
  ({ job }) => {
    expect(job.outputs?.map(({ path }) => path)).toEqual(wanted);
  };

/** What ffprobe says of the streams of a file beside the output. */
export const streamsOf =
  (path: string, ...wanted: readonly Readonly<Record<string, unknown>>[]): Check =>
  async ({ at }) => {
    expect((await describeFile(at(path))).streams).toMatchObject(wanted);
  };
