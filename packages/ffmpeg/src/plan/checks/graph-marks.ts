import { hasEdits, memberSentBy, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import { readSteps } from '@telecine/contract/domain/foreign-text.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import { meantFilter } from '@telecine/contract/domain/synonyms/media-words.ts';
import { FILTERS } from '../../allowlist/filters.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import { errorSpan, type Graph, type GraphError, isGraphError } from '../../filtergraph/graph.ts';
import {
  respelled,
  withBars,
  withColons,
  withCommas,
  withoutLooseMarks,
  withPanLayout,
} from '../../filtergraph/graph-spelling.ts';
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

const COLOUR_CALL =
  /\b(rgb|hsl)a?\(\s*(\d{1,3})(?:deg)?\s*[, ]\s*(\d{1,3})%?\s*[, ]\s*(\d{1,3})%?\s*(?:[,/]\s*([\d.]{1,8})(%?)\s*)?\)/gi;

/** Converts CSS colours such as `rgb(255,0,0)`, `rgba(255,0,0,0.5)` and `hsl(120,50%,50%)` to `#rrggbb` or `#rrggbb@0.5`. */
function hexColour(kind: string, values: readonly number[], alpha: number | undefined): string {
  const [a = 0, b = 0, c = 0] = values;
  const channel = (offset: number): number => {
    const position = (offset + a / 30) % 12;
    const amount = (b / 100) * Math.min(c / 100, 1 - c / 100);
    return Math.round(255 * (c / 100 - amount * Math.max(-1, Math.min(position - 3, 9 - position, 1))));
  };
  const channels = kind.toLowerCase() === 'rgb' ? [a, b, c] : [channel(0), channel(8), channel(4)];
  const hex = channels.map((one) => Math.min(255, one).toString(16).padStart(2, '0')).join('');
  return `#${hex}${alpha === undefined ? '' : `@${Number(Math.min(1, alpha).toFixed(3))}`}`;
}

/** The error for CSS colours such as `rgb(255,0,0)`, whose commas end the filter. */
function colourError(sent: SentGraph): ValueError | undefined {
  const { text, name } = sent;
  const calls: string[] = [];
  const meant = text.replace(
    COLOUR_CALL,
    (all, kind: string, a: string, b: string, c: string, alpha?: string, percent?: string) => {
      calls.push(all);
      const opacity = alpha === undefined ? undefined : Number(alpha) / (percent === '%' ? 100 : 1);
      return hexColour(kind, [a, b, c].map(Number), opacity);
    },
  );
  const [first] = calls;
  const repaired = first === undefined ? undefined : repairedGraph(meant, sent);
  if (first === undefined || repaired === undefined) return undefined;
  return {
    code: 'BAD_VALUE',
    message: `${quoted(first)} is a colour of CSS. A colour is #RRGGBB, or a name, with "@0.5" for its opacity.`,
    at: { offset: text.indexOf(first), length: first.length },
    fix: sendOption(name, repaired),
  };
}

/** The error for filters without commas between them, or effects of sox: `highpass 80 gain -3`. */
function separatorError(sent: SentGraph): ValueError | undefined {
  const { text, name, catalogue } = sent;
  const isFilter = (one: string): boolean => FILTERS.has(one) && catalogue.lists.filters.has(one);
  const isEffect = (one: string): boolean => isFilter(meantFilter(one, true) ?? '');
  const joined = withCommas(text, /^af$|:a/.test(name) ? (one) => isFilter(one) || isEffect(one) : isFilter);
  const parsed = joined === undefined ? undefined : parseGraph(joined);
  if (joined === undefined || parsed === undefined || isGraphError(parsed)) return undefined;
  // Only names are checked: the catalogue may lack the options of filters that only the corrected text names.
  const isNamed = parsed.chains.flat().map((filter) => isFilter(filter.name));
  const ofEffects = isNamed.includes(true) ? undefined : repairedGraph(joined, sent);
  const meant = isNamed.includes(false) ? ofEffects : joined;
  if (meant === undefined) return undefined;
  return {
    code: 'BAD_FILTERGRAPH',
    message: `The filters of ${quoted(text)} must be joined by commas.`,
    fix: sendOption(name, meant),
  };
}

/** The error for a pipeline of GStreamer: `videoscale ! video/x-raw,width=640,height=360`. undefined: another text. */
function pipelineError({ text }: SentGraph): ValueError | undefined {
  if (!text.includes(' ! ')) return undefined;
  const { parameters, unread } = readSteps(text);
  const words = unread.map(quoted).join(', ');
  const fix: Hint =
    Object.keys(parameters).length === 0 ? 'Send filters of ffmpeg, such as "scale=1280:-2".' : sendMembers(parameters);
  return {
    code: 'BAD_FILTERGRAPH',
    message: `${quoted(text)} is a pipeline of GStreamer.`,
    fix: words === '' ? fix : withAdvice(fix, `That leaves out ${words}: send what they mean as filters or options.`),
  };
}

/** The error for a graph in the syntax of another program: `scale(640,-2)`, `(0:v)hflip(v)`. */
function spellingError({ text, name, catalogue }: SentGraph): ValueError | undefined {
  const isFilter = (one: string): boolean => FILTERS.has(one) && catalogue.lists.filters.has(one);
  const meant = respelled(text, isFilter);
  const parsed = meant && parseGraph(meant.text);
  // Only names are checked: the catalogue may lack the options of filters that only the corrected text names.
  if (meant === undefined || parsed === undefined || isGraphError(parsed)) return undefined;
  if (!parsed.chains.flat().every((filter) => isFilter(filter.name))) return undefined;
  return { code: 'BAD_FILTERGRAPH', message: meant.why, fix: sendOption(name, meant.text) };
}

const markName = (mark: string): string => (mark === ' ' ? 'a space' : `"${mark}"`);

/** The maximum number of lists that are corrected in a graph. */
const MAX_LISTS = 4;

/** The error for wrong separators: a list without `|`, such as the channels of `pan`, or options of a filter with `|` between them. */
function listError(sent: SentGraph): ValueError | undefined {
  const { text, name } = sent;
  const lists = [];
  for (let list = withBars(text); list !== undefined && lists.length < MAX_LISTS; list = withBars(list.text))
    lists.push(list);
  const [first] = lists;
  const barred = lists.at(-1)?.text ?? text;
  const layout = withPanLayout(barred);
  const colons = first === undefined && layout === undefined ? withColons(text) : undefined;
  const meant = [layout?.text ?? barred, colons].find(
    (one) => one !== undefined && one !== text && isValidGraph(one, sent),
  );
  if (meant === undefined) return undefined;
  const message =
    first !== undefined
      ? `The filter "${first.filter}" separates its ${first.items} by ${markName(first.takes)}, not by ${markName(first.mark)}.`
      : (layout?.why ?? 'The options of a filter are separated by ":", not by "|".');
  return { code: 'BAD_FILTERGRAPH', message, fix: sendOption(name, meant) };
}

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

const isValidGraph = (text: string, sent: SentGraph): boolean => repairedGraph(text, sent) === text;

/** The graph itself if it is valid, or else the graph in the fix of its first error. undefined: no fix corrects it. */
function repairedGraph(text: string, sent: SentGraph): string | undefined {
  const parsed = parseGraph(text);
  if (isGraphError(parsed)) return undefined;
  const [first] = errorsOf(parsed, sent);
  if (first === undefined) return text;
  const meant = memberSentBy(first.fix, sent.name);
  return typeof meant === 'string' ? meant : undefined;
}

/** The first error that a check finds. undefined: there is none, or the graph is too long for a fix. */
function firstMark(
  checks: readonly ((sent: SentGraph) => ValueError | undefined)[],
  sent: SentGraph,
): ValueError | undefined {
  if (sent.text.length > MAX_SUGGESTION) return undefined;
  for (const check of checks) {
    const error = check(sent);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** The error for punctuation of another syntax, if that explains the errors of a parsed graph. */
export function markError(graph: Graph, errors: readonly ValueError[], sent: SentGraph): ValueError | undefined {
  const spelled = hasWholeFix(errors, sent.name) ? [] : [separatorError, spellingError];
  return firstMark([pipelineError, listError, colourError, ...spelled, (one) => commaError(graph, one)], sent);
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
function commaError(graph: Graph, sent: SentGraph): ValueError | undefined {
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
  const ofOptions = beforeOptions(text, graph, marks, catalogue);
  const ways = isCall ? [escaped] : TEXTUAL.has(filter) ? [colons, escaped] : [colons];
  const meant =
    ways.find((one) => isValidGraph(one, sent)) ??
    ways.find((one) => lacksOnlyInputs(one, sent)) ??
    (ofOptions === text ? undefined : repairedGraph(ofOptions, sent));
  if (meant === undefined || meant === text) return undefined;
  const mark = text.charAt(first) === ',' ? 'comma' : 'semicolon';
  return {
    code: 'BAD_FILTERGRAPH',
    message: `The ${mark} after ${quoted(text.slice(0, first))} ends the filter: ${meant === escaped ? `a ${mark} in a value needs a backslash` : 'separate its options by colons'}.`,
    at: { offset: first, length: 1 },
    fix: sendOption(name, meant),
  };
}

/** The graph with a colon instead of each mark after which an option of the previous filter follows, as in `scale=w=1280,h=720,blur=5`. */
function beforeOptions(text: string, graph: Graph, marks: readonly number[], catalogue: Catalogue): string {
  const filters = graph.chains.flat();
  const ofOptions = marks.filter((mark) => {
    const next = filters.find(({ at }) => at > mark);
    const before = filters.findLast(({ at, name }) => at < mark && catalogue.lists.filters.has(name))?.name ?? '';
    const own = componentOf(catalogue, 'filter', before)?.options;
    return own?.some((option) => option.name === next?.name) === true;
  });
  return [...text].map((char, at) => (ofOptions.includes(at) ? ':' : char)).join('');
}

/** The errors of a graph that cannot be parsed: its syntax error, and the errors of the suggested graph. The fix corrects all. */
export function syntaxErrors(parsed: GraphError, sent: SentGraph): readonly ValueError[] {
  const { text, name, catalogue } = sent;
  const spelling = firstMark([listError, pipelineError, spellingError, separatorError], sent);
  if (spelling !== undefined) return [{ at: errorSpan(parsed, text), ...spelling }];
  const { meant } = parsed;
  const syntax = badGraph(text, parsed, name);
  const escaped = withTextCommas(text, catalogue);
  const ofEscaped = escaped === text ? undefined : parseGraph(escaped);
  if (ofEscaped !== undefined && isGraphError(ofEscaped) && ofEscaped.meant !== undefined)
    if (isValidGraph(ofEscaped.meant, sent)) return [{ ...syntax, fix: sendOption(name, ofEscaped.meant) }];
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

/**
 * Adds a backslash before each comma in the text of a `drawtext`, except before the name of a filter. A text with quotes stays unchanged.
 */
function withTextCommas(text: string, { lists }: Catalogue): string {
  if (!/drawtext=/.test(text) || text.includes("'") || text.length > MAX_SUGGESTION) return text;
  return text.replaceAll(/(?<!\\),(?=\s*([^=,;:[\]@]*))/g, (mark, next: string) =>
    lists.filters.has(next.trim()) || next.trim() === '' ? mark : `\\${mark}`,
  );
}

/** The number of characters of the graph that a message shows. */
const EXCERPT = 24;

function badGraph(text: string, parsed: GraphError, name: string): ValueError {
  const { error, at, meant: joined } = parsed;
  const meant = joined ?? withoutLooseMarks(text);
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
