import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { client } from '../app/client.ts';
import type { Suggestion } from '../ui/suggest-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import {
  baseName,
  kindOf,
  meaningFor,
  nameSuggestions,
  namesEncoder,
  type OptionMeaning,
  STABLE,
  valueSuggestions,
} from './option-help.ts';
import { useChosenCodecs } from './use-chosen-codecs.tsx';

const PAUSE_MS = 150;

/** The maximum page size of the catalogue. */
const PAGE = 100;

/** The options of the chosen encoders and container. */
function useOwnOptions(): readonly OptionMeaning[] {
  const { video, audio, subtitle, muxer } = useChosenCodecs();
  const encoders = [video, audio, subtitle].filter((name) => name !== undefined);
  const owners = [...encoders.map((encoder) => ({ encoder })), ...(muxer === undefined ? [] : [{ format: muxer }])];
  return useQueries({
    queries: owners.map((owner) => ({
      queryKey: ['options', owner],
      queryFn: () => client.options({ ...owner, limit: PAGE }),
      ...STABLE,
    })),
    combine: (results) => results.flatMap(({ data }) => data?.options ?? []),
  });
}

/** Suggests option names for a typed text and for the chosen encoders and container. */
export function useNameSuggestions(text: string): readonly Suggestion[] {
  const own = useOwnOptions();
  const q = useDebounced(text, PAUSE_MS);
  const found = useQuery({
    queryKey: ['options', { q }],
    queryFn: ({ signal }) => client.options({ q, signal }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
    ...STABLE,
  });
  return nameSuggestions(text, own, q.length > 1 ? (found.data?.options ?? []) : []);
}

/** The meanings of an option. None: ffmpeg has no such option. */
const meaningsQuery = (base: string) =>
  queryOptions({
    queryKey: ['option', base],
    queryFn: async ({ signal }) => {
      try {
        return (await client.option(base, { signal })).meanings;
      } catch (error) {
        if (error instanceof ClientError && error.status === 404) return [];
        throw error;
      }
    },
    enabled: base !== '',
    ...STABLE,
  });

/** The meaning of an option. undefined: not read yet, or ffmpeg has no such option. */
export function useOptionMeaning(name: string, side: 'input' | 'output'): OptionMeaning | undefined {
  const chosen = useChosenCodecs();
  const own = useOwnOptions();
  const base = useDebounced(baseName(name), PAUSE_MS);
  const found = useQuery(meaningsQuery(base));
  // Prefer the help of the chosen component, because it has more details than the list of all options, such as constants.
  return meaningFor([...own.filter((one) => one.name === base), ...(found.data ?? [])], chosen, side);
}

/** Returns a function that says the meanings of several options, and whether some are not read yet. */
export function useOptionMeanings(names: readonly string[]): {
  readonly meaningOf: (name: string, side: 'input' | 'output') => OptionMeaning | undefined;
  readonly isPending: boolean;
} {
  const chosen = useChosenCodecs();
  const own = useOwnOptions();
  const bases = [...new Set(names.map(baseName))];
  const read = useQueries({ queries: bases.map(meaningsQuery) });
  return {
    meaningOf: (name, side) => {
      const base = baseName(name);
      const found = read[bases.indexOf(base)]?.data ?? [];
      return meaningFor([...own.filter((one) => one.name === base), ...found], chosen, side);
    },
    isPending: read.some(({ isLoading }) => isLoading),
  };
}

/** Suggests values of an option: its constants, encoders, or the pixel formats of the encoder. */
export function useValueSuggestions(
  name: string,
  value: string,
  meaning: OptionMeaning | undefined,
): readonly Suggestion[] {
  const { video } = useChosenCodecs();
  const kind = kindOf(name);
  const encoders = useQuery({
    queryKey: ['codecs', kind],
    queryFn: () => client.codecs({ use: 'encode', limit: PAGE, ...(kind !== undefined && { kind }) }),
    enabled: namesEncoder(name),
    ...STABLE,
  });
  const codec = useQuery({
    queryKey: ['codec', video],
    queryFn: () => client.codec(video ?? ''),
    enabled: baseName(name) === 'pix_fmt' && video !== undefined,
    ...STABLE,
  });
  const names: readonly Suggestion[] = namesEncoder(name)
    ? [
        { value: 'copy', detail: 'keep the stream as it is' },
        ...(encoders.data?.codecs ?? []).map((one) => ({ value: one.name, detail: one.description })),
      ]
    : baseName(name) === 'pix_fmt'
      ? (codec.data?.pixelFormats ?? []).map((format) => ({ value: format }))
      : [];
  return valueSuggestions(value, meaning, names);
}
