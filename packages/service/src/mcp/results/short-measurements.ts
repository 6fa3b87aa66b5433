import { type AnalysisSpec, MAX_LISTED, type Measurements, usedSettings } from '@telecine/contract/domain/analysis.ts';
import {
  MEASURED_LISTS,
  type MeasuredList,
  measuredList,
  withFirstEntries,
} from '@telecine/contract/domain/measured-lists.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import type { ToolContext } from '../tool.ts';

/** The maximum number of entries of each list in the result of an analysis. */
const FIRST_ENTRIES = 20;

/** The number of entries on a further page. They have about 1,500 tokens. */
const PAGE_ENTRIES = 100;

/** Returns the cursor of a list: its name, and how many entries the model has already seen. */
const writeListCursor = (list: MeasuredList, count: number): string => `${list} ${count}`;

function readListCursor(cursor: string): { readonly list: MeasuredList; readonly first: number } {
  const [, name, count] = /^([a-z.]{1,20}) (\d{1,6})$/.exec(cursor) ?? [];
  const list = MEASURED_LISTS.find((one) => one === name);
  if (list !== undefined) return { list, first: Number(count) };
  throw invalidRequest([
    {
      field: '/cursor',
      code: 'INVALID_FORMAT',
      message: `"cursor" is "${cursor.slice(0, 50)}", which no result of this tool contains.`,
      fix: 'Send the "nextCursor" of a list in "measurements", or leave "cursor" out.',
    },
  ]);
}

/** Removes the values of a curve, which say little as text. Only a further page shows them. */
const firstEntries = (measurements: Measurements): Measurements => ({
  ...measurements,
  ...(measurements.bitrate && { bitrate: { ...measurements.bitrate, values: [] } }),
});

/**
 * Whether a list has more entries than `shortMeasurements` shows. The values of a curve do not count, because few
 * readers need them.
 */
export const hasFurtherEntries = (measurements: Measurements): boolean =>
  MEASURED_LISTS.some((list) => list !== 'bitrate' && (measuredList(measurements, list)?.count ?? 0) > FIRST_ENTRIES);

/**
 * Shortens the results of an analysis for a model. Lists keep their first entries, and get a cursor for `wait_for_job` if
 * there are more. `settings`: the values that the analysis used.
 */
export function shortMeasurements(
  measurements: Measurements,
  analysis: AnalysisSpec | undefined,
): { readonly measurements: object; readonly settings: object | undefined } {
  const shown = withFirstEntries(firstEntries(measurements), FIRST_ENTRIES, (list, { count, entries }) =>
    count > entries ? { nextCursor: writeListCursor(list, entries) } : {},
  );
  const rates = measurements.bitrate?.values.length ?? 0;
  return {
    measurements:
      shown.bitrate === undefined
        ? shown
        : { ...shown, bitrate: { ...shown.bitrate, count: rates, nextCursor: writeListCursor('bitrate', 0) } },
    settings: analysis && usedSettings(analysis),
  };
}

/** The maximum length of the results of an analysis in one line, in characters. */
const MAX_LINE = 300;

/** Formats the results of an analysis in one line: numbers and words, without lists. */
export function measurementsLine(measurements: Measurements): string {
  const values = (holder: object): string =>
    Object.entries(holder)
      .flatMap(([name, value]) => {
        if (Array.isArray(value)) return [];
        return typeof value === 'object' && value !== null ? [`${name} (${values(value)})`] : [`${name} ${value}`];
      })
      .join(', ');
  const line = Object.entries(measurements)
    .map(([name, found]) => `${name}: ${found === null ? 'none' : values(found)}`)
    .join('; ');
  return shorten(line, MAX_LINE);
}

/** Returns a further page of a measured list. Throws INVALID_REQUEST, JOB_NOT_FINISHED and NOT_FOUND. */
export async function measuredPage(
  { deps, call }: Pick<ToolContext, 'deps' | 'call'>,
  jobId: string,
  cursor: string,
): Promise<object> {
  const { list, first } = readListCursor(cursor);
  const { count, entries } = await deps.jobs.measured(call.caller, jobId, { list, first, limit: PAGE_ENTRIES });
  const next = first + entries.length;
  const stored = Math.min(count, MAX_LISTED);
  const hasMore = entries.length > 0 && next < stored;
  return {
    jobId,
    status: 'COMPLETED',
    message: `Entries ${first + 1} to ${next} of ${count} of "${list}".`,
    next: hasMore
      ? 'Call wait_for_job with "nextCursor" as "cursor".'
      : `Done: these are the last entries${stored < count ? ` of the ${stored} that the job stores` : ''}.`,
    entries,
    nextCursor: hasMore ? writeListCursor(list, next) : undefined,
  };
}
