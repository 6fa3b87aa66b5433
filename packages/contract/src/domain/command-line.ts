import { LIST_OPTIONS } from './structured-values.ts';

type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** The maximum length of a command or of options that are parsed, in characters. Nobody writes longer ones by hand. */
const MAX_LENGTH = 4000;

/** Options of ffmpeg that take no value. */
const FLAGS: ReadonlySet<string> = new Set(
  'an vn sn dn y n shortest copyts start_at_zero bitexact re accurate_seek noaccurate_seek autorotate noautorotate'.split(
    ' ',
  ),
);
/**
 * Options of a command that are left out of the request: ffmpeg's console output, and `threads`, which the service sets itself. `true`: the
 * option takes a value.
 */
const DROPPED: ReadonlyMap<string, boolean> = new Map([
  ...'hide_banner nostdin stats nostats'.split(' ').map((name): [string, boolean] => [name, false]),
  ...'loglevel v threads'.split(' ').map((name): [string, boolean] => [name, true]),
]);

/**
 * Splits a text into words at spaces outside quotes, like a shell. A backslash before a quote, a backslash, a space or `$` is removed; other
 * backslashes stay, because ffmpeg reads them (`\,` in a filter). undefined: a quote is not closed.
 */
function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === undefined && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (char === quote) quote = undefined;
    else if (char === '\\' && quote !== "'" && at + 1 < text.length && /["'\\\s$]/.test(text.charAt(at + 1))) {
      at += 1;
      word = `${word ?? ''}${text.charAt(at)}`;
    } else word = `${word ?? ''}${char}`;
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}

const isOption = (word: string): boolean => /^-[a-z]/i.test(word);

function addOption(to: Record<string, string | readonly string[]>, name: string, value: string): void {
  const before = to[name];
  // If an option with a value is repeated, ffmpeg uses the last value.
  to[name] = before === undefined || !LIST_OPTIONS.test(name) ? value : [before, value].flat();
}

/** An option and its value in one text: `crf=23`, `--crf: 23`. A colon without a space belongs to the name: `c:v`. */
const PAIR = /^-{0,2}([A-Za-z_][\w:-]{0,60})(?: ?= ?|: )(.+)$/s;

/**
 * Reads options from a list of pairs, `[["crf", 23]]`, of objects, `[{"name": "crf", "value": 23}]`, or of texts, `["crf=23"]`. undefined:
 * the list contains something else.
 */
function pairedOptions(value: unknown): Parameters | undefined {
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string' && value.length <= MAX_LENGTH && !/(?:^|\s)-[a-z]/i.test(value)
      ? value.trim().split(/[\s;]+/)
      : [];
  const pairs = list.map((one): readonly (readonly [string, unknown])[] | undefined => {
    if (typeof one === 'string') {
      const [, name, text] = PAIR.exec(one) ?? [];
      return name === undefined ? undefined : [[name, text]];
    }
    if (Array.isArray(one)) return one.length === 2 && typeof one[0] === 'string' ? [[one[0], one[1]]] : undefined;
    if (typeof one !== 'object' || one === null) return undefined;
    const entries = Object.entries(one);
    const of = (word: RegExp): unknown => entries.find(([key]) => word.test(key))?.[1];
    const [name, own] = [of(/^(?:name|key|option|parameter|param|flag)$/i), of(/^(?:value|val|arg)$/i)];
    return typeof name === 'string' && entries.length <= 2 ? [[name, own ?? '']] : entries;
  });
  if (pairs.length === 0 || pairs.includes(undefined)) return undefined;
  const options: Record<string, string | readonly string[]> = {};
  for (const [name, own] of pairs.flatMap((one) => one ?? [])) {
    const text = own === true ? '' : scalar(own);
    if (text === undefined) return undefined;
    addOption(options, name.replace(/^-+/, ''), text);
  }
  return options;
}

/**
 * Parses options of a command line without files: `-c:v libx264 -crf 28`. A list of such texts, or of pairs, is allowed too. undefined: the
 * value contains something else.
 */
export function readOptions(value: unknown): Parameters | undefined {
  const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  if (texts === undefined || !texts.every((one) => typeof one === 'string')) return pairedOptions(value);
  const paired = pairedOptions(value);
  if (paired !== undefined) return paired;
  const words = texts.join(' ').length > MAX_LENGTH ? undefined : texts.flatMap((one) => splitOption(one));
  if (words === undefined || words.length === 0) return undefined;
  const options: Record<string, string | readonly string[]> = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!isOption(word)) return undefined;
    const name = word.slice(1);
    if (FLAGS.has(name)) addOption(options, name, '');
    else if (DROPPED.has(name)) at += DROPPED.get(name) === true ? 1 : 0;
    else {
      at += 1;
      if (words[at] === undefined || name === 'i') return undefined;
      addOption(options, name, words[at] ?? '');
    }
  }
  return options;
}

/** Splits a text of a list into words if it contains an option: `-crf 23`. Any other text with spaces is one value: `drawtext=text=a b`. */
const splitOption = (text: string): readonly string[] =>
  isOption(text) ? (splitWords(text) ?? [text]) : text.includes(' -') ? (splitWords(text) ?? [text]) : [text];

const scalar = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : value === true ? 'true' : undefined;
