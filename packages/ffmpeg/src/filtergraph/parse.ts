import { type Graph, type GraphChain, type GraphError, type GraphFilter, isGraphError, printGraph } from './graph.ts';
import { type GraphOption, parseOptionList } from './option-list.ts';
import { readToken, skipSpaces, type Token, type TokenError } from './token.ts';

const SCALER_FLAGS = 'sws_flags=';

/** The maximum length of a filter name. ffmpeg truncates a longer one (`name2[30]` in graphparser.c), and no filter has one. */
const MAX_NAME_LENGTH = 29;

/** The maximum number of filters, so that parsing takes little time. Real graphs have far fewer. */
const MAX_FILTERS = 1000;

class GraphSyntaxError extends Error {
  readonly at: number;
  /** True if the client probably forgot the backslash before a colon in a value. */
  readonly isColon: boolean;

  constructor(error: string, at: number, isColon = false) {
    super(error);
    this.at = at;
    this.isColon = isColon;
  }
}

/**
 * Parses a filtergraph as libavfilter does (graphparser.c of 5.1 to 8): splits at `[ ] , ; =`, then splits the options of each filter at
 * `:` and `=`, and removes quotes at both steps. Does not check names and options.
 */
export function parseGraph(text: string): Graph | GraphError {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof GraphSyntaxError)) throw error;
    const meant = withApostrophes(text) ?? joinedColons(text, error);
    return { error: error.message, at: error.at, ...(meant === undefined ? {} : { meant }) };
  }
}

/** Stands for an apostrophe during parsing. No request has this character. */
const APOSTROPHE = '\u{e000}';

/** Matches every text that `BETWEEN_LETTERS` matches, and more, but much faster. So it is tested first. */
const MAYBE_BETWEEN_LETTERS = /[A-Za-z\x80-\uffff]'[A-Za-z\x80-\uffff]/;

const BETWEEN_LETTERS = /(?<=\p{L})'(?=\p{L})/gu;

/**
 * Reads each quote between two letters as an apostrophe, and prints the graph: `text='It's me'`. undefined: there is none, or the graph is
 * still invalid.
 */
export function withApostrophes(text: string): string | undefined {
  if (!MAYBE_BETWEEN_LETTERS.test(text)) return undefined;
  const marked = text.replaceAll(BETWEEN_LETTERS, APOSTROPHE);
  if (marked === text || text.includes(APOSTROPHE)) return undefined;
  const parsed = parseGraph(marked);
  const graph = isGraphError(parsed) && parsed.meant !== undefined ? parseGraph(parsed.meant) : parsed;
  if (isGraphError(graph)) return undefined;
  const chains = graph.chains.map((chain) =>
    chain.map((filter) => ({
      ...filter,
      options: filter.options.map((one) => ({ ...one, value: one.value.replaceAll(APOSTROPHE, "'") })),
    })),
  );
  return printGraph({ ...graph, chains });
}

/** Corrects a graph whose only errors are colons without a backslash: `drawtext=text='12:30'`. undefined: it has other errors. */
function joinedColons(text: string, { isColon }: GraphSyntaxError): string | undefined {
  if (!isColon) return undefined;
  try {
    return printGraph(read(text, true));
  } catch (error) {
    if (error instanceof GraphSyntaxError) return undefined;
    throw error;
  }
}

/** @param joinsColons True: a value without a name is a part of the named value before it. */
function read(text: string, joinsColons = false): Graph {
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
    const { filter, end } = readFilter(text, at, joinsColons);
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
  joinsColons: boolean,
): { readonly filter: GraphFilter; readonly end: number } {
  const before = readLabels(text, from);
  const name = expectToken(text, before.end, '=,;[');
  if (name.text === '') throw new GraphSyntaxError('A filter name is missing', before.end);
  let end = name.end;
  let options: readonly GraphOption[] = [];
  if (text.charAt(end) === '=') {
    const raw = expectToken(text, end + 1, '[],;');
    const read = parseOptionList(raw.text);
    if (!('error' in read)) options = read;
    else if (joinsColons && read.options !== undefined) options = read.options;
    else throw new GraphSyntaxError(read.error, offsetOf(text, end + 1, read.at), read.options !== undefined);
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

function readLabels(text: string, from: number): { readonly labels: readonly string[]; readonly end: number } {
  const labels: string[] = [];
  let at = from;
  while (text.charAt(at) === '[') {
    const label = expectToken(text, at + 1, ']');
    if (label.text === '') throw new GraphSyntaxError('A label is empty', at);
    if (label.end === text.length) throw new GraphSyntaxError('A bracket is never closed', at);
    labels.push(label.text);
    at = skipSpaces(text, label.end + 1);
  }
  return { labels, end: at };
}

function expectToken(text: string, from: number, ends: string): Token {
  const token: Token | TokenError = readToken(text, from, ends);
  if ('error' in token) throw new GraphSyntaxError(token.error, token.at);
  return token;
}
