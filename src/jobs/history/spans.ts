/** How far back a history goes. */
export type HistorySpan = 'hour' | 'day' | 'week' | 'month';

/** The steps of each span. They are stored apart, so that a history of a month reads no more than one of an hour. */
export const SPANS = {
  hour: { stepSeconds: 60, steps: 60 },
  day: { stepSeconds: 300, steps: 288 },
  week: { stepSeconds: 3600, steps: 168 },
  month: { stepSeconds: 14_400, steps: 180 },
} as const satisfies Record<HistorySpan, { readonly stepSeconds: number; readonly steps: number }>;

/** The beginning of the step that `ms` is in, in milliseconds. */
export const stepOf = (ms: number, stepSeconds: number): number => ms - (ms % (stepSeconds * 1000));

/** The beginning of the first step of a span that ends now. */
export function firstStep(span: HistorySpan, nowMs: number): string {
  const { stepSeconds, steps } = SPANS[span];
  return new Date(stepOf(nowMs, stepSeconds) - (steps - 1) * stepSeconds * 1000).toISOString();
}
