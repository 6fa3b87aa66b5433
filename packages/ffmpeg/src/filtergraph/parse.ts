import type { TextSpan } from '@telecine/contract/domain/problem.ts';
import { readToken, skipSpaces, type Token, type TokenError } from '../values/token.ts';
import type { FilterPlaces, Graph, GraphChain, GraphError, GraphFilter } from './graph.ts';
import { type GraphOption, type OptionSpans, parseOptionList, trimmedSpan } from './option-list.ts';

const SCALER_FLAGS = 'sws_flags=';

/** The maximum length of a filter name. ffmpeg truncates a longer one (`name2[30]` in graphparser.c), and no filter has one. */
const MAX_NAME_LENGTH = 29;

/** The maximum number of filters, so that parsing takes little time. Real graphs have far fewer. */
const MAX_FILTERS = 1000;

class GraphSyntaxError extends Error {
  readonly at: number;

  constructor(error: string, at: number) {
    super(error);
    this.at = at;
  }
}

/**
 * Parses a filtergraph as libavfilter does (graphparser.c of 5.1 to 8): splits at `[ ] , ; =`, then splits the options of each filter at
 * `:` and `=`, and removes quotes at both steps. Does not check names and options.
 *
 * @param places Receives the positions of all filters, by the offset of the filter's name.
 */
export function parseGraph(text: string, places?: Places): Graph | GraphError {
  try {
    return read(text, places);
  } catch (error) {
    if (!(error instanceof GraphSyntaxError)) throw error;
    return { error: error.message, at: error.at };
  }
}

type Places = Map<number, FilterPlaces>;

function read(text: string, places: Places | undefined): Graph {
  let at = skipSpaces(text, 0);
  let scalerFlags: string | undefined;
  if (text.startsWith(SCALER_FLAGS, at)) {
    const end = text.indexOf(';', at);
    if (end < 0) throw new GraphSyntaxError('"sws_flags" must end with a semicolon', at);
    scalerFlags = text.slice(at + SCALER_FLAGS.length, end);
    if (!/^[\w+]*$/.test(scalerFlags)) throw new GraphSyntaxError('"sws_flags" takes names joined by "+"', at);
    at = end + 1;
  }
  const chains: GraphFilter[][] = [];
  let chain: GraphFilter[] = [];
  let count = 0;
  for (;;) {
    at = skipSpaces(text, at);
    const { filter, end } = readFilter(text, at, places);
    if (++count > MAX_FILTERS) throw new GraphSyntaxError(`A graph has at most ${MAX_FILTERS} filters`, at);
    chain.push(filter);
    at = skipSpaces(text, end);
    const mark = text.charAt(at);
    at += 1;
    if (mark === ',') continue;
    chains.push(chain);
    if (mark === '') break;
    if (mark !== ';')
      throw new GraphSyntaxError(`Unexpected "${mark}"; expected a comma, a semicolon or the end`, at - 1);
    chain = [];
  }
  const graph = { chains: chains satisfies readonly GraphChain[] };
  return scalerFlags === undefined ? graph : { scalerFlags, ...graph };
}

function readFilter(
  text: string,
  from: number,
  places: Places | undefined,
): { readonly filter: GraphFilter; readonly end: number } {
  const before = readLabels(text, from);
  const name = expectToken(text, before.end, '=,;[');
  if (name.text === '') throw new GraphSyntaxError('A filter name is missing', before.end);
  let end = name.end;
  let options: readonly GraphOption[] = [];
  if (text.charAt(end) === '=') {
    const raw = expectToken(text, end + 1, '[],;');
    const read = parseOptionList(raw.text);
    if ('error' in read) throw new GraphSyntaxError(read.error, offsetOf(text, end + 1, read.at));
    options = read;
    end = raw.end;
  }
  const after = readLabels(text, end);
  const at = skipSpaces(text, before.end);
  places?.set(at, {
    whole: trimmedSpan(text, at, end),
    name: trimmedSpan(text, at, name.end),
    options: options.length === 0 ? [] : optionPlaces(text, name.end + 1),
    inputs: before.spans,
    outputs: after.spans,
  });
  const filter = { inputs: before.labels, ...splitName(name.text, before.end), options, outputs: after.labels, at };
  return { filter, end: after.end };
}

function optionPlaces(text: string, from: number): readonly OptionSpans[] {
  const offsets: number[] = [];
  const list = expectToken(text, from, '[],;', offsets);
  const spans: OptionSpans[] = [];
  parseOptionList(list.text, spans);
  const outer = ({ offset, length }: TextSpan): TextSpan => {
    const start = offsets[offset] ?? list.end;
    return { offset: start, length: length === 0 ? 0 : (offsets[offset + length - 1] ?? start) + 1 - start };
  };
  return spans.map(({ key, value }) => ({ ...(key !== undefined && { key: outer(key) }), value: outer(value) }));
}

/**
 * The offset in `text` of a character of the options. `from`: the offset of the options. `index`: the character in the options without
 * quotes.
 */
function offsetOf(text: string, from: number, index: number): number {
  const offsets: number[] = [];
  readToken(text, from, '[],;', offsets);
  return offsets[index] ?? from;
}

/** Splits `NAME@INSTANCE`. A `@` with nothing after it is an error here; ffmpeg reads it as part of the name. */
function splitName(text: string, at: number): { readonly name: string; readonly instance?: string } {
  const mark = text.indexOf('@');
  const name = mark < 0 ? text : text.slice(0, mark);
  if (name.length > MAX_NAME_LENGTH) throw new GraphSyntaxError('A filter name is too long', at);
  if (mark < 0) return { name };
  const instance = text.slice(mark + 1);
  if (name === '' || instance === '')
    throw new GraphSyntaxError('"@" must be between a filter name and an instance name', at);
  return { name, instance };
}

function readLabels(text: string, from: number) {
  const labels: string[] = [];
  const spans: TextSpan[] = [];
  let at = from;
  while (text.charAt(at) === '[') {
    const label = expectToken(text, at + 1, ']');
    if (label.text === '') throw new GraphSyntaxError('A label is empty', at);
    if (label.end === text.length) throw new GraphSyntaxError('A bracket is never closed', at);
    labels.push(label.text);
    spans.push({ offset: at, length: label.end + 1 - at });
    at = skipSpaces(text, label.end + 1);
  }
  return { labels, spans, end: at };
}

function expectToken(text: string, from: number, ends: string, offsets?: number[]): Token {
  const token: Token | TokenError = readToken(text, from, ends, offsets);
  if ('error' in token) throw new GraphSyntaxError(token.error, token.at);
  return token;
}
