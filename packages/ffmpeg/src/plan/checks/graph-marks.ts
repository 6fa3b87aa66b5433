import { hasEdits, memberSentBy, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { errorSpan, type Graph, type GraphError, isGraphError } from '../../filtergraph/graph.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { checkGraph } from './check-graph.ts';
import type { FilterFiles } from './filter-files.ts';
import { MAX_SUGGESTION } from './suggested-graph.ts';

interface SentGraph {
  readonly text: string;
  /** The option as the client sent it: `vf`. */
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly files: FilterFiles;
}

/**
 * True if the fix of an error already sends the whole corrected graph. Spaces in such a graph belong to texts and do not stand for commas.
 */
const hasWholeFix = (errors: readonly ValueError[], name: string): boolean =>
  errors.some(({ fix }) => memberSentBy(fix, name) !== undefined);

/** True if all errors of a graph are about files that are not inputs of the request yet. */
function lacksOnlyInputs(text: string, sent: SentGraph): boolean {
  const parsed = parseGraph(text);
  const found = isGraphError(parsed) ? [] : errorsOf(parsed, sent);
  return found.length > 0 && found.every(({ code }) => code === 'NOT_AN_INPUT');
}

function errorsOf(graph: Graph, { name, catalogue, files }: SentGraph): readonly ValueError[] {
  const found: ValueError[] = [];
  checkGraph(graph, { name }, catalogue, files, found);
  return found;
}

/** True if a graph has no errors, or if the fix of its first error is the graph itself. */
function isValidGraph(text: string, sent: SentGraph): boolean {
  const parsed = parseGraph(text);
  if (isGraphError(parsed)) return false;
  const [first] = errorsOf(parsed, sent);
  return first === undefined || memberSentBy(first.fix, sent.name) === text;
}

/** Filters with an option that is a text or a file name. In other filters, a comma outside of brackets is never a part of a value. */
const TEXTUAL: ReadonlySet<string> = new Set([
  'drawtext',
  'subtitles',
  'ass',
  'metadata',
  'ametadata',
  'lut3d',
  'lut1d',
]);

/**
 * The error for commas or semicolons that are meant within the options of a filter, but end it: `select=eq(n,100)`, `scale=1280,720`.
 * undefined: no correction gives a valid graph.
 */
export function commaError(graph: Graph, sent: SentGraph): ValueError | undefined {
  const { text, name, catalogue } = sent;
  const { filters } = catalogue.lists;
  const marks = graph.chains
    .flat()
    .filter(({ name }) => !filters.has(name))
    .map(({ at }) => text.slice(0, at).trimEnd().length - 1)
    .filter((at) => at >= 0 && ',;'.includes(text.charAt(at)));
  const [first] = marks;
  if (first === undefined || text.length > MAX_SUGGESTION) return undefined;
  const replaceMarks = (by: (mark: string) => string): string =>
    [...text].map((char, at) => (marks.includes(at) ? by(char) : char)).join('');
  // Skip texts with characters of two UTF-16 units: offsets count units, but a spread string has whole characters.
  if ([...text].length !== text.length) return undefined;
  const colons = replaceMarks(() => ':').replaceAll(/:\s+/g, ':');
  const escaped = replaceMarks((mark) => `\\${mark}`);
  const isCall = /\([^()]*$/.test(text.slice(0, first));
  const filter = graph.chains.flat().findLast(({ at }) => at < first)?.name ?? '';
  const ways = isCall ? [escaped] : TEXTUAL.has(filter) ? [colons, escaped] : [colons];
  const meant = ways.find((one) => isValidGraph(one, sent)) ?? ways.find((one) => lacksOnlyInputs(one, sent));
  if (meant === undefined) return undefined;
  const mark = text.charAt(first) === ',' ? 'comma' : 'semicolon';
  return {
    code: 'BAD_FILTERGRAPH',
    message: `The ${mark} after ${quoted(text.slice(0, first))} ends the filter: ${meant === escaped ? `a ${mark} in a value needs a backslash` : 'separate its options by colons'}.`,
    at: { offset: first, length: 1 },
    fix: sendOption(name, meant),
  };
}

/** The errors of a graph that cannot be parsed: its syntax error, and the errors of the suggested graph. The fix corrects all. */
export function syntaxErrors(parsed: GraphError, sent: SentGraph): readonly ValueError[] {
  const { text, name } = sent;
  const { meant } = parsed;
  const syntax = badGraph(text, parsed, name);
  const repaired = meant === undefined ? undefined : parseGraph(meant);
  if (meant === undefined || repaired === undefined || isGraphError(repaired)) return [syntax];
  const found = errorsOf(repaired, sent);
  const comma = found.length === 0 ? undefined : commaError(repaired, { ...sent, text: meant });
  if (comma?.fix !== undefined) return [{ ...syntax, fix: comma.fix }];
  const [first] = found;
  // Suggest no corrected graph: `meant` joins the text after a colon to the value before it, and the result is not a valid expression.
  if (found.some(({ code, fix }) => code === 'BAD_EXPRESSION' && !hasEdits(fix)))
    return [{ ...syntax, fix: 'Name the option: name=value.' }];
  return first !== undefined && hasWholeFix(found, name)
    ? [{ ...syntax, ...(first.fix === undefined ? {} : { fix: first.fix }) }, ...found]
    : [syntax, ...found];
}

/** The number of characters of the graph that a message shows. */
const EXCERPT = 24;

function badGraph(text: string, parsed: GraphError, name: string): ValueError {
  const { error, at, meant } = parsed;
  const excerpt = text.slice(at, at + EXCERPT);
  return {
    code: 'BAD_FILTERGRAPH',
    message: `${error}${excerpt === '' ? ', at the end of the filtergraph' : `, at character ${at + 1}: "${excerpt}"`}.`,
    at: errorSpan(parsed, text),
    fix:
      meant !== undefined && meant.length <= MAX_SUGGESTION
        ? sendOption(name, meant)
        : 'Write the filtergraph as on the command line, without the quotes for the shell. A backslash escapes a special character.',
  };
}
