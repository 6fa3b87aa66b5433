import type { Measurements } from '../../domain/analysis.ts';

/** The most entries of a list. The count beside it tells how many there are. */
const MAX_ENTRIES = 5;

/** Lists that say little in words: each value of a curve. */
const CURVES: ReadonlySet<string> = new Set(['values']);

/** The results of an analysis for a model: lists have their first entries, and curves are left out. */
export const shortMeasurements = (measurements: Measurements): object =>
  Object.fromEntries(Object.entries(measurements).map(([name, result]) => [name, shortResult(result)]));

const shortResult = (result: unknown): unknown =>
  typeof result !== 'object' || result === null
    ? result
    : Object.fromEntries(
        Object.entries(result)
          .filter(([key]) => !CURVES.has(key))
          .map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : shortResult(value)]),
      );
