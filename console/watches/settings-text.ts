import type { WatchRequest } from './watch-draft.ts';

/** How many options the text names. */
const NAMED = 3;

/** Options whose value says enough: `libx265`, and not `c:v libx265`. */
const CODEC = /^(?:c|codec|vcodec|acodec|scodec)(?::|$)/;

/** The options of a request without a recipe in a few words: `libx265, crf 28`. '': it has none. */
export function settingsText({ parameters = {}, outputs = [] }: Pick<WatchRequest, 'parameters' | 'outputs'>): string {
  const all = [parameters, ...outputs.map((output) => output.parameters ?? {})].flatMap(Object.entries);
  const texts = [...new Set(all.map(([name, value]) => optionText(name, value)))];
  const rest = texts.length - NAMED;
  return [...texts.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

function optionText(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  if (text === '') return name;
  if (!CODEC.test(name)) return `${name} ${text}`;
  return text === 'copy' ? COPIED : text;
}

/** A codec of this name only copies what the input has. */
const COPIED = 'streams copied';
