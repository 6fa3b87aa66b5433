export const SPANS = ['hour', 'day', 'week', 'month'] as const;

/** The time that a history covers. */
export type Span = (typeof SPANS)[number];

export const SPAN_NAMES: Readonly<Record<Span, string>> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};

/** Reads the span from the query of a URL. */
export function readSpan(query: Readonly<Record<string, unknown>>): { readonly span?: Span } {
  const span = SPANS.find((one) => one === query['span']);
  return span === undefined ? {} : { span };
}
