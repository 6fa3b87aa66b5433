import type { TextSpan } from '@telecine/contract/domain/problem.ts';
import type { GraphFilter } from './graph.ts';
import { type OptionSpans, parseOptionList, trimmedSpan } from './option-list.ts';
import { readToken, skipSpaces } from './token.ts';

interface FilterPlaces {
  /** The name and the options, without labels. */
  readonly whole: TextSpan;
  readonly name: TextSpan;
  readonly options: readonly OptionSpans[];
  /** The input labels, with their brackets. */
  readonly inputs: readonly TextSpan[];
  readonly outputs: readonly TextSpan[];
}

/** Finds the positions of a filter and its parts in the text of the graph. undefined: the text does not have this filter. */
export type FindPlaces = (filter: Pick<GraphFilter, 'at'>) => FilterPlaces | undefined;

/**
 * Returns a function that finds the filters of a valid graph in its text, for messages. It reads the text when it is first called, because
 * most graphs have no error.
 */
export function findPlaces(text: string): FindPlaces {
  let places: ReadonlyMap<number, FilterPlaces> | undefined;
  return ({ at }) => {
    places ??= readPlaces(text);
    return places.get(at);
  };
}

/** The positions of all filters, by the offset of the filter's name. */
function readPlaces(text: string): ReadonlyMap<number, FilterPlaces> {
  const found = new Map<number, FilterPlaces>();
  const first = skipSpaces(text, 0);
  let next = text.startsWith('sws_flags=', first) ? text.indexOf(';', first) + 1 : first;
  while (next < text.length) {
    const before = readLabels(text, skipSpaces(text, next));
    const nameEnd = endOf(text, before.end, '=,;[');
    const name = trimmedSpan(text, before.end, nameEnd);
    const hasOptions = text.charAt(nameEnd) === '=';
    const end = hasOptions ? endOf(text, nameEnd + 1, '[],;') : nameEnd;
    const after = readLabels(text, end);
    found.set(name.offset, {
      whole: trimmedSpan(text, name.offset, end),
      name,
      options: hasOptions ? readOptions(text, nameEnd + 1) : [],
      inputs: before.spans,
      outputs: after.spans,
    });
    // Skips the separator between two filters.
    next = skipSpaces(text, after.end) + 1;
  }
  return found;
}

function readLabels(text: string, from: number): { readonly spans: readonly TextSpan[]; readonly end: number } {
  const spans: TextSpan[] = [];
  let at = from;
  while (text.charAt(at) === '[') {
    const close = endOf(text, at + 1, ']');
    spans.push({ offset: at, length: close + 1 - at });
    at = skipSpaces(text, close + 1);
  }
  return { spans, end: at };
}

function readOptions(text: string, from: number): readonly OptionSpans[] {
  const offsets: number[] = [];
  const list = readToken(text, from, '[],;', offsets);
  const spans: OptionSpans[] = [];
  if ('error' in list) return spans;
  parseOptionList(list.text, spans);
  const outer = ({ offset, length }: TextSpan): TextSpan => {
    const start = offsets[offset] ?? list.end;
    return { offset: start, length: length === 0 ? 0 : (offsets[offset + length - 1] ?? start) + 1 - start };
  };
  return spans.map(({ key, value }) => ({ ...(key !== undefined && { key: outer(key) }), value: outer(value) }));
}

function endOf(text: string, from: number, ends: string): number {
  const token = readToken(text, from, ends);
  return 'error' in token ? text.length : token.end;
}
