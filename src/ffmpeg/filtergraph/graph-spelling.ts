import { isGraphError } from './graph.ts';
import { parseGraph } from './parse.ts';
import { printGraph } from './print.ts';

/** A character that no request contains: it stands for an apostrophe while the graph is parsed. */
const APOSTROPHE = '\u{e000}';

const BETWEEN_LETTERS = /(?<=\p{L})'(?=\p{L})/gu;

/**
 * The graph if each quote between two letters is an apostrophe: `drawtext=text='It's me'`. Undefined if there is none,
 * or if the graph is still invalid.
 */
export function withApostrophes(text: string): string | undefined {
  const marked = text.replaceAll(BETWEEN_LETTERS, APOSTROPHE);
  if (marked === text || text.includes(APOSTROPHE)) return undefined;
  const read = parseGraph(marked);
  const graph = isGraphError(read) && read.meant !== undefined ? parseGraph(read.meant) : read;
  if (isGraphError(graph)) return undefined;
  const chains = graph.chains.map((chain) =>
    chain.map((filter) => ({
      ...filter,
      options: filter.options.map((one) => ({ ...one, value: one.value.replaceAll(APOSTROPHE, "'") })),
    })),
  );
  return printGraph({ ...graph, chains });
}

/** The graph without commas and semicolons that no filter follows: `fps=30,`. Undefined if there are none. */
export function withoutLooseMarks(text: string): string | undefined {
  const from = text.search(/[^\s,;]/);
  // A regular expression for the marks at the end takes quadratic time.
  let to = text.length;
  while (to > from && /[\s,;]/.test(text.charAt(to - 1))) to -= 1;
  const plain = text.slice(Math.max(0, from), to).replaceAll(/([,;])\s*(?:[,;]\s*)+/g, '$1');
  return plain !== text.trim() && plain !== '' && !isGraphError(parseGraph(plain)) ? plain : undefined;
}

/** What people write instead of the comma between two filters, and the name of the filter that follows. */
const SEPARATOR = /(?<=[^\s,;|&[\]=:+])(?:\s*(?:\||&&?|->|>|\+)\s*|\s+)(?=([a-z][a-z\d_]+)(?=[=@,;|[&+>\s-]|$))/g;

/**
 * The graph with a comma instead of each space, `|`, `+` or `&` before the name of a filter. Undefined if there is none.
 *
 * @param isFilter Whether a filter has this name.
 */
export function withCommas(text: string, isFilter: (name: string) => boolean): string | undefined {
  const joined = text.trim().replaceAll(SEPARATOR, (mark, name: string) => (isFilter(name) ? ',' : mark));
  return joined === text.trim() ? undefined : joined;
}
