import type { Graph, GraphChain, GraphError, GraphFilter, GraphOption } from './graph.ts';
import { parseOptionList } from './option-list.ts';
import { readToken, skipSpaces, type Token, type TokenError } from './token.ts';

const SCALER_FLAGS = 'sws_flags=';

/** Names longer than this lose their end in ffmpeg (`name2[30]` of graphparser.c), and no filter has one. */
const LONGEST_NAME = 29;

/** Deeper than any honest graph: a bound on the work that a text can cause. */
const MOST_FILTERS = 1000;

class Stop extends Error {
  readonly at: number;

  constructor(error: string, at: number) {
    super(error);
    this.at = at;
  }
}

/**
 * Reads a filtergraph as libavfilter's parser does (graphparser.c of 5.1 to 8): first the graph's own marks
 * `[ ] , ; =`, then each filter's options, `:` and `=`, with quoting undone at either level. Knows no filter: names
 * and options are as they were written.
 */
export function parseGraph(text: string): Graph | GraphError {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Stop) return { error: error.message, at: error.at };
    throw error;
  }
}

function read(text: string): Graph {
  let at = skipSpaces(text, 0);
  let scalerFlags: string | undefined;
  if (text.startsWith(SCALER_FLAGS, at)) {
    const end = text.indexOf(';', at);
    if (end < 0) throw new Stop('"sws_flags" must end with a semicolon', at);
    scalerFlags = text.slice(at + SCALER_FLAGS.length, end);
    if (!/^[\w+]*$/.test(scalerFlags)) throw new Stop('"sws_flags" takes names joined by "+"', at);
    at = end + 1;
  }
  const chains: GraphFilter[][] = [];
  let chain: GraphFilter[] = [];
  let count = 0;
  for (;;) {
    at = skipSpaces(text, at);
    const { filter, end } = readFilter(text, at);
    if (++count > MOST_FILTERS) throw new Stop(`A graph has at most ${MOST_FILTERS} filters`, at);
    chain.push(filter);
    at = skipSpaces(text, end);
    const mark = text.charAt(at);
    at += 1;
    if (mark === ',') continue;
    chains.push(chain);
    if (mark === '') break;
    if (mark !== ';') throw new Stop(`"${mark}" stands where a comma, a semicolon or the end belongs`, at - 1);
    chain = [];
  }
  const graph = { chains: chains satisfies readonly GraphChain[] };
  return scalerFlags === undefined ? graph : { scalerFlags, ...graph };
}

function readFilter(text: string, from: number): { readonly filter: GraphFilter; readonly end: number } {
  const before = readLabels(text, from);
  const name = token(text, before.end, '=,;[');
  if (name.text === '') throw new Stop('The name of a filter is missing', before.end);
  let end = name.end;
  let options: readonly GraphOption[] = [];
  if (text.charAt(end) === '=') {
    const raw = token(text, end + 1, '[],;');
    const read = parseOptionList(raw.text);
    if ('error' in read) throw new Stop(read.error, end + 1);
    options = read;
    end = raw.end;
  }
  const after = readLabels(text, end);
  return {
    filter: {
      inputs: before.labels,
      ...splitName(name.text, before.end),
      options,
      outputs: after.labels,
      at: skipSpaces(text, before.end),
    },
    end: after.end,
  };
}

/** ffmpeg takes a lone `@` at the end for a part of the name. */
function splitName(text: string, at: number): { readonly name: string; readonly instance?: string } {
  const mark = text.indexOf('@');
  const name = mark < 0 ? text : text.slice(0, mark);
  if (name.length > LONGEST_NAME) throw new Stop('No filter has so long a name', at);
  if (mark < 0) return { name };
  const instance = text.slice(mark + 1);
  if (name === '' || instance === '') throw new Stop('"@" stands between the name of a filter and a name for it', at);
  return { name, instance };
}

function readLabels(text: string, from: number): { readonly labels: readonly string[]; readonly end: number } {
  const labels: string[] = [];
  let at = from;
  while (text.charAt(at) === '[') {
    const label = token(text, at + 1, ']');
    if (label.text === '') throw new Stop('A label is empty', at);
    if (label.end === text.length) throw new Stop('A bracket is never closed', at);
    labels.push(label.text);
    at = skipSpaces(text, label.end + 1);
  }
  return { labels, end: at };
}

function token(text: string, from: number, ends: string): Token {
  const found: Token | TokenError = readToken(text, from, ends);
  if ('error' in found) throw new Stop(found.error, found.at);
  return found;
}
