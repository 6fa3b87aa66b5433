import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { QueryClient } from '@tanstack/react-query';
import { ClientError, type FilterDetail } from '@telecine/client';
import { client } from '../app/client.ts';
import { graphPoint } from './graph-point.ts';
import { STABLE } from './option-help.ts';

const OFFERED = 50;

/** Suggests the filters of the installed ffmpeg, their options, and the names of values. */
export function graphCompletion(queries: QueryClient) {
  return async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    const point = graphPoint(state.sliceDoc(0, pos));
    if (point === undefined) return null;
    const { from, typed } = point;
    if (point.kind === 'filter') {
      if (typed === '' && !explicit) return null;
      const query = { ...(typed !== '' && { q: typed }), limit: OFFERED };
      const { filters } = await queries.fetchQuery({
        queryKey: ['filters', query],
        queryFn: () => client.filters(query),
        ...STABLE,
      });
      // Do not filter the names by the typed text again, because the service also searches descriptions.
      return {
        from,
        filter: false,
        options: filters.map(({ name, description }) => ({ label: name, detail: description })),
      };
    }
    const filter = await readFilter(queries, point.filter);
    if (filter === undefined) return null;
    if (point.kind === 'option') return { from, options: filter.options.map(optionCompletion), validFor: /^\w*$/ };
    const option = filter.options.find(({ name }) => name === point.option);
    return { from, options: (option?.constants ?? []).map((label) => ({ label })), validFor: /^[\w.-]*$/ };
  };
}

/** A suggestion for an option. Suggestions keep the order of ffmpeg's help, which begins with the important options. */
const optionCompletion = (
  { name, description, default: usual }: FilterDetail['options'][number],
  index: number,
): Completion => ({
  label: name,
  sortText: String(index).padStart(4, '0'),
  apply: `${name}=`,
  detail: `${description}${usual === undefined || usual === '' ? '' : ` (${usual})`}`,
});

/** Reads a filter with its options. undefined: ffmpeg has no filter of this name. */
async function readFilter(queries: QueryClient, name: string): Promise<FilterDetail | undefined> {
  try {
    return await queries.fetchQuery({ queryKey: ['filter', name], queryFn: () => client.filter(name), ...STABLE });
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}
