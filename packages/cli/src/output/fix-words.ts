import { shellWord } from '@telecine/contract/domain/shell-text.ts';

/**
 * Rewrites JSON members in a fix as arguments of `telecine convert`. Example: `"crf": "23"` becomes `-p crf=23`, `"map": ["0:v","0:a"]`
 * becomes `-p map=0:v -p map=0:a`, and `"inputs": […]` becomes files with their options.
 */
export function fixWords(text: string): string {
  const fix = text.replace(
    RETRY_IN_WATCH,
    (_all, id: string, path: string) => `telecine watch retry ${id} ${shellWord(JSON.parse(path))}`,
  );
  let words = '';
  let at = 0;
  for (const { index, 0: text, 1: name = '' } of fix.matchAll(MEMBER)) {
    if (index < at) continue;
    const start = index + text.length;
    const end = jsonEnd(fix, start);
    const value = end === undefined ? undefined : parse(fix.slice(start, end));
    if (end === undefined || value === undefined) continue;
    words += fix.slice(at, index) + (member(name, value) ?? fix.slice(index, end));
    at = end;
  }
  const all = words + fix.slice(at);
  return (
    all
      .replace(/(?<!belongs?) (?:beside|in(?: the)?) "parameters"(?: of the request)?/g, '')
      .replace(/(?<=leave )(?:this )?"preset"(?= out)/, '--preset')
      .replace('GET /api/recipes?q=WORDS', 'telecine recipes WORDS')
      .replace(
        /POST \/api\/analyze with \{"input": ("(?:[^"\\]|\\.)*"), "measure": \["errors"\]\}/,
        (_all, input: string) => `telecine analyze ${shellWord(`server:${JSON.parse(input)}`)} errors`,
      )
      // A fix of this form is about the limit of a recipe argument.
      .replace(/^Send "([\w-]+)": (-?\d+(?:\.\d+)?)\.$/, 'Send -a $1=$2.')
      .replace('which a probe of the input shows', 'which "telecine probe FILE" shows')
      .replace(/Send "format", for example "(\w+)"\./, 'Name another file, or add its format, such as -f $1.')
      .replaceAll(/"map" with ("[\w:?[\]-]+")/g, (_all, map: string) => `-p ${shellWord(`map=${JSON.parse(map)}`)}`)
  );
}

/** The fix of a job that belongs to a watch. */
const RETRY_IN_WATCH = /POST \/api\/watches\/([\w-]+)\/retry with \{"paths": \[("(?:[^"\\]|\\.)*")\]\}/;

/** Matches the name of a member with its colon (`"c:v": `). Matches also the position before an input object, which has no name. */
const MEMBER = /"([\w:.-]+)":\s*(?=["[{])|(?=\{"(?:input|source)":)/g;

function member(name: string, value: unknown): string | undefined {
  if (name === 'inputs' || name === 'input' || name === '') return files(value);
  if (name === 'parameters') return options('-p', value);
  if (name === 'arguments') return argumentWords(value);
  if (name === 'preset' && typeof value === 'object') return presetWords(value);
  if (typeof value === 'string' && name === 'join') return `--join ${shellWord(value)}`;
  if (typeof value === 'string' && name === 'format') return `-f ${shellWord(value)}`;
  if (typeof value === 'string' && name === 'source') return `the input ${shellWord(`source:${value}`)}`;
  if (typeof value === 'string' && name === 'output') return `the output ${shellWord(value)}`;
  return option('-p', name, value);
}

function option(flag: string, name: string, value: unknown): string | undefined {
  if (value === '') return `${flag} ${shellWord(name)}`;
  if (typeof value === 'string') return `${flag} ${shellWord(`${name}=${value}`)}`;
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return undefined;
  return value.map((one) => `${flag} ${shellWord(`${name}=${one}`)}`).join(' ');
}

function options(flag: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const all = Object.entries(value).map(([name, one]) => option(flag, name, one));
  return all.includes(undefined) ? undefined : all.join(' ');
}

/** Rewrites `{"name": "gif", "arguments": {"width": 320}}` as `--preset gif -a width=320`. */
function presetWords(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, arguments: own = {} } = value as { readonly name?: unknown; readonly arguments?: object };
  const words = ['--preset', typeof name === 'string' ? shellWord(name) : '', argumentWords(own)];
  return typeof name === 'string' ? words.filter((word) => word !== '').join(' ') : undefined;
}

/** Rewrites `{"width": 320}` as `-a width=320`. */
const argumentWords = (value: unknown): string | undefined =>
  typeof value !== 'object' || value === null
    ? undefined
    : Object.entries(value)
        .map(([argument, one]) => `-a ${shellWord(`${argument}=${String(one)}`)}`)
        .join(' ');

/** Writes the inputs in order. The options of an input precede it. */
function files(value: unknown): string | undefined {
  const inForce = new Map<string, string>();
  const all = (Array.isArray(value) ? value : [value]).map((one) => {
    if (typeof one === 'string') return shellWord(one);
    const { input: path, source, parameters = {}, ...times } = one as Readonly<Record<string, unknown>>;
    const input = typeof source === 'string' ? `source:${source}` : path;
    const own = options('-i', parameters);
    if (typeof input !== 'string' || own === undefined) return undefined;
    // --duration applies to all following images, so write it only where it changes.
    const flags = Object.entries(times).flatMap(([name, time]) => {
      const text = String(time);
      if (inForce.get(name) === text) return [];
      inForce.set(name, text);
      return `--${name} ${shellWord(text)}`;
    });
    return [...flags, own, shellWord(input)].filter((word) => word !== '').join(' ');
  });
  return all.includes(undefined) ? undefined : all.join(' ');
}

/** Returns the index after the JSON value that starts at `from`. undefined: the value is not complete. */
function jsonEnd(text: string, from: number): number | undefined {
  let depth = 0;
  const token = /"(?:[^"\\]|\\.)*"|[[\]{}]/y;
  for (let at = from; at < text.length; at = Math.max(at + 1, token.lastIndex)) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) continue;
    if (found === '[' || found === '{') depth += 1;
    else if (found === ']' || found === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
