/** A filter of a graph as it is written, also one that is not complete yet. */
export interface WrittenFilter {
  /** Without the name of its instance: `scale` of `scale@big`. */
  readonly name: string;
  /** Where its text begins, after its labels. */
  readonly from: number;
  /** None: no `=` follows the name. The last one can be empty. */
  readonly settings: readonly WrittenSetting[];
}

/** A setting of a filter. */
interface WrittenSetting {
  /** undefined: its place among the settings says what it is. */
  readonly name?: string;
  /** Where its value is. */
  readonly from: number;
  readonly to: number;
}

/** A separator of a graph. */
interface Mark {
  readonly at: number;
  readonly char: string;
}

/** The filters of a graph, in their order. undefined: a quote or a label is open at the end. */
export function filtersIn(graph: string): readonly WrittenFilter[] | undefined {
  const marks = marksIn(graph);
  if (marks === undefined) return undefined;
  const filters: WrittenFilter[] = [];
  let from = 0;
  let own: Mark[] = [];
  let isLabel = false;
  for (const mark of [...marks, { at: graph.length, char: ';' }]) {
    const { at, char } = mark;
    if (!isLabel && '=:'.includes(char)) {
      own.push(mark);
      continue;
    }
    if (!isLabel) filters.push(filterIn(graph, { from, to: at }, own));
    isLabel = isLabel ? char !== ']' : char === '[';
    from = at + 1;
    own = [];
  }
  return isLabel ? undefined : filters;
}

/** Reads the filter between two places. `marks`: the `=` and `:` there. */
function filterIn(
  graph: string,
  { from, to }: { readonly from: number; readonly to: number },
  marks: readonly Mark[],
): WrittenFilter {
  const equals = marks.findIndex(({ char }) => char === '=');
  const begin = marks[equals]?.at ?? to;
  const [name = ''] = graph.slice(from, begin).trim().split('@', 1);
  if (equals < 0) return { name, from, settings: [] };
  const settings: WrittenSetting[] = [];
  let setting: WrittenSetting = { from: begin + 1, to };
  for (const { at, char } of marks.slice(equals + 1)) {
    if (char === ':') {
      settings.push({ ...setting, to: at });
      setting = { from: at + 1, to };
    } else if (setting.name === undefined) setting = { name: graph.slice(setting.from, at).trim(), from: at + 1, to };
  }
  return { name, from, settings: [...settings, setting] };
}

/** Whether a backslash begins `\\:`: the graph takes off the first backslash, and the filter the second one. */
const isEscapedInFilter = (text: string, at: number): boolean => /^\\\\[:=]/.test(text.slice(at, at + 3));

/** The separators of a filtergraph that are not quoted or escaped. undefined: a quote is open at the end. */
function marksIn(text: string): readonly Mark[] | undefined {
  const marks: Mark[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at += isEscapedInFilter(text, at) ? 2 : 1;
    else if (char === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) return undefined;
      at = close;
    } else if (',;[]=:'.includes(char)) marks.push({ at, char });
  }
  return marks;
}
