export const SPANS = ['hour', 'day', 'week', 'month'] as const;

/** How far back a history goes. */
export type Span = (typeof SPANS)[number];

export const SPAN_NAMES: Readonly<Record<Span, string>> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};

/** Reads the span from the query of an address. */
export function readSpan(query: Readonly<Record<string, unknown>>): { readonly span?: Span } {
  const span = SPANS.find((one) => one === query['span']);
  return span === undefined ? {} : { span };
}
