import { REQUEST_LIMITS } from './conversion.ts';
import type { RecipeValue } from './recipe.ts';
import { quoteForFilter } from './structured-values.ts';

/** The grammar of the texts in recipes: references and sections. `Recipe` says what they mean. */
const REFERENCE = /\{\{\s*([\w.-]+)\s*\}\}/g;
/**
 * The start or the end of a section. A section stays in the text only if one of its names is set. With `^`, it stays only if none of them
 * is set.
 */
const SECTION = /\{\{([#^/])([\w.|-]+)\}\}/g;
const SECTION_START = /\{\{[#^]/;

/** Whether an argument or input has a value other than false. undefined: it is not known yet, and what depends on it stays a section. */
export type IsSet = (name: string) => boolean | undefined;

/** Returns the text that a reference stands for. undefined: the name has no value. */
export type TextOf = (name: string) => string | undefined;

/** Fills in a text. Returns undefined if a name in it has no value, or if no section of it stays and it has nothing else. */
export function fillTemplate(text: string, isSet: IsSet, textOf: TextOf): string | undefined {
  // If the first filter of a chain is a section, the remaining text can begin with a comma. Remove it.
  const shown = SECTION_START.test(text) ? keepSections(text, isSet).replace(/^,/, '') : text;
  return shown === '' && text !== '' ? undefined : fillReferences(shown, textOf);
}

/** Removes sections whose condition is not met, and the tags of those whose condition is met. */
export function keepSections(text: string, isSet: IsSet): string {
  if (!SECTION_START.test(text)) return text;
  let kept = '';
  let end = 0;
  /** The tags that end the open sections. '': the section is decided. */
  const ends: string[] = [];
  /** The number of open sections that are hidden. Sections in a hidden section are also hidden. */
  let hidden = 0;
  for (const { 0: tag, 1: kind, 2: names = '', index } of text.matchAll(SECTION)) {
    if (hidden === 0) kept += text.slice(end, index);
    end = index + tag.length;
    if (kind === '/') {
      if (hidden > 0) hidden -= 1;
      else kept += ends.pop() ?? '';
      continue;
    }
    const all = names.split('|');
    const isAnySet = all.some((name) => isSet(name) === true);
    const unknown = isAnySet ? [] : all.filter((name) => isSet(name) === undefined);
    if (hidden > 0 || (unknown.length === 0 && isAnySet === (kind === '^'))) hidden += 1;
    else if (unknown.length === 0) ends.push('');
    else {
      kept += `{{${kind}${unknown.join('|')}}}`;
      ends.push(`{{/${unknown.join('|')}}}`);
    }
  }
  return `${kept}${text.slice(end)}`;
}

/**
 * Fills in references. Returns undefined if a name has no value. Cuts the text one character after the limit of an option, so that a later
 * check rejects it.
 */
export function fillReferences(text: string, textOf: TextOf): string | undefined {
  let filled = '';
  let end = 0;
  for (const { 0: all, 1: reference = '', index } of text.matchAll(REFERENCE)) {
    const one = textOf(reference);
    if (one === undefined) return undefined;
    filled += text.slice(end, index) + one;
    end = index + all.length;
    if (filled.length > REQUEST_LIMITS.optionValueLength) return filled.slice(0, REQUEST_LIMITS.optionValueLength + 1);
  }
  return filled + text.slice(end);
}

/** Escapes text for filtergraphs, including equal signs. Otherwise the file `a=b.srt` in `subtitles={{file}}` would set the option `a`. */
export const quoteReference = (text: string): string => quoteForFilter(text).replaceAll('=', String.raw`\\=`);

/** Gives the names in a text other names: those that it refers to, and those that its sections test. */
export const renameInTemplate = (text: string, rename: (name: string) => string): string =>
  text
    .replaceAll(REFERENCE, (_, name: string) => `{{${rename(name)}}}`)
    .replaceAll(SECTION, (_, kind: string, names: string) => `{{${kind}${names.split('|').map(rename).join('|')}}}`);

/** The names that a value refers to. */
export function referencesIn(value: RecipeValue | undefined): ReadonlySet<string> {
  return new Set(textsIn(value).flatMap((text) => [...text.matchAll(REFERENCE)].map(([, name = '']) => name)));
}

/** The names that a value refers to between single quotes of a filtergraph. Between quotes, backslashes do not escape. */
export function quotedReferencesIn(value: RecipeValue | undefined): ReadonlySet<string> {
  const quoted = textsIn(value).flatMap((text) =>
    [...text.matchAll(/\\.|'([^']*)(?:'|$)/gs)].map(([, part = '']) => part),
  );
  return new Set(quoted.flatMap((text) => [...referencesIn(text)]));
}

/** The first double brace that is not part of a reference, such as `{{a b}}`. undefined: there is none. */
export const strayBraces = (value: RecipeValue | undefined): string | undefined =>
  textsIn(value)
    .map((text) => /\{\{[^}]{0,40}\}{0,2}/.exec(text.replaceAll(REFERENCE, '').replaceAll(SECTION, ''))?.[0])
    .find((one) => one !== undefined);

/** The error in the sections of a value, as the end of a sentence. undefined: there is no error. */
export const wrongSection = (value: RecipeValue | undefined): string | undefined =>
  textsIn(value)
    .map(wrongSectionIn)
    .find((one) => one !== undefined);

function wrongSectionIn(text: string): string | undefined {
  const open: { readonly name: string; readonly tag: string }[] = [];
  let end = 0;
  for (const { 0: tag, 1: kind, 2: name = '', index } of text.matchAll(SECTION)) {
    // If the section is removed, the backslash escapes the text after the section.
    if (text[index - 1] === '\\') return `"${tag}" follows a backslash`;
    // If the section is removed, two braces can meet and begin a reference that no check has seen.
    if (text[index - 1] === '{') return `"${tag}" follows a brace`;
    // If the section is removed, the quotes of the remaining text no longer match.
    if (open.length > 0 && text.slice(end, index).includes("'")) return `"${open.at(-1)?.tag}" contains a single quote`;
    if (kind !== '/') open.push({ name, tag });
    else if (open.pop()?.name !== name) return `"${tag}" does not end the section before it`;
    end = index + tag.length;
  }
  const last = open.at(-1);
  return last && `"${last.tag}" has no "{{/${last.name}}}"`;
}

/** The names that a value tests, in `when` and in sections of its texts. */
export function conditionsIn(value: RecipeValue | undefined): readonly string[] {
  const sections = textsIn(value).flatMap((text) =>
    [...text.matchAll(SECTION)].flatMap(([, , name = '']) => name.split('|')),
  );
  return typeof value !== 'object' || isValueList(value) ? sections : [value.when, ...sections];
}

/** All texts of a value. */
export function textsIn(value: RecipeValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object') return [];
  return isValueList(value) ? value.map(String) : [...textsIn(value.value), ...textsIn(value.otherwise)];
}

/** Whether a value is a list of texts, and not a choice between two. */
export const isValueList = (value: RecipeValue): value is Extract<RecipeValue, readonly unknown[]> =>
  Array.isArray(value);
