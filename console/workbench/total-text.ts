import type { DryRun } from '@telecine/client';
import { formatBytes } from '../ui/format.ts';
import { type EstimateText, estimatedTime, rangeText } from './estimate-text.ts';

type Range = NonNullable<Parameters<typeof rangeText>[0]>;

/** An estimate of several requests. `note`: for how many of them it is not known. */
type TotalText = EstimateText & { readonly note?: string };

/** undefined: the request has an error. */
type Planned = Pick<DryRun, 'estimate'> | undefined;

/** The probable duration of several conversions, one after the other. undefined: of none of them. */
export const totalTimeText = (plans: readonly Planned[]): TotalText | undefined =>
  totalText(
    plans.map((plan) => plan?.estimate?.time.seconds),
    estimatedTime,
  );

/** The probable size of all outputs of several requests. undefined: of none of them. */
export const totalSizeText = (plans: readonly Planned[]): TotalText | undefined =>
  totalText(
    plans.map((plan) => {
      const sizes = plan?.estimate?.outputs.map(({ sizeBytes }) => sizeBytes) ?? [];
      return sizes.length === 0 || sizes.includes(undefined) ? undefined : sumOf(sizes);
    }),
    formatBytes,
  );

/** The time and the size of several plans in a few words: `about 26 s · 7 MB`. '': unknown, also if it is unknown of one of them. */
export function shortTotal(plans: readonly Planned[]): string {
  const [time, size] = [totalTimeText(plans), totalSizeText(plans)].map((text) =>
    text?.note === undefined ? text?.likely : undefined,
  );
  return [time, time === undefined ? size : size?.replace(/^about /, '')].filter(Boolean).join(' · ');
}

const sumOf = (ranges: readonly (Range | undefined)[]): Range =>
  ranges.reduce<Range>(
    (sum, one) => ({
      low: sum.low + (one?.low ?? 0),
      likely: sum.likely + (one?.likely ?? 0),
      high: sum.high + (one?.high ?? 0),
    }),
    { low: 0, likely: 0, high: 0 },
  );

function totalText(ranges: readonly (Range | undefined)[], write: (value: number) => string): TotalText | undefined {
  const known = ranges.filter((one) => one !== undefined);
  const text = known.length === 0 ? undefined : rangeText(sumOf(known), write);
  if (text === undefined || known.length === ranges.length) return text;
  const { range: _, ...likely } = text;
  return { ...likely, note: `of ${known.length} of ${ranges.length}; the others are unknown` };
}
