import { type OptionValue, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import type { RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { quoteForFilter } from '@telecine/contract/domain/structured-values.ts';
import { parseOptionName } from '@telecine/ffmpeg/plan/request/option-name.ts';

const REFERENCE = /\{\{\s*([\w.-]+)\s*\}\}/g;
/** The start or the end of a section: a part of a text that counts only if one of its names is set, or with `^` if none is set. */
const SECTION = /\{\{([#^/])([\w.|-]+)\}\}/g;
const SECTION_START = /\{\{[#^]/;

/** The text of a name in a template. */
export interface FilledName {
  readonly text: string;
  /**
   * `plain`: without characters of filtergraph syntax. `free`: chosen by the client, so filtergraphs quote it. `template`: refers to
   * names.
   */
  readonly kind: 'plain' | 'free' | 'template';
}

/** The values of the names that a template refers to. undefined: the name has no value. */
export type LookUp = (name: string) => FilledName | undefined;

/** Whether an argument or an input is set, and not false. */
type IsSet = (name: string) => boolean;

/** Counts the texts of one request. A small recipe can produce gigabytes by lists of references to choices, which are such lists. */
export class FilledTexts {
  #characters = 0;
  readonly #choices = new Map<string, string | undefined>();

  /** Whether the texts are longer than a request may be. Then no further text is filled in. */
  get areTooLong(): boolean {
    return this.#characters > REQUEST_LIMITS.bodyBytes;
  }

  add(text: string): void {
    this.#characters += text.length;
  }

  /** The text of a choice, which is computed once. `key`: the choice, and the kind of its option. */
  choice(key: string, make: () => string | undefined): string | undefined {
    if (!this.#choices.has(key)) this.#choices.set(key, make());
    return this.#choices.get(key);
  }
}

/** The names that templates refer to, and the texts so far. */
export interface TemplateScope {
  readonly lookUp: LookUp;
  readonly isSet: IsSet;
  readonly filled: FilledTexts;
}

/** Fills in a value of the option `name`. Returns undefined if a name or the condition has no value. */
export function fillValue(name: string, value: RecipeValue | undefined, scope: TemplateScope): OptionValue | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return fillNext(name, value, scope);
  if (isList(value)) {
    const filled = value.flatMap((text) => fillNext(name, text, scope) ?? []);
    return filled.length === 0 ? undefined : filled;
  }
  return fillValue(name, scope.isSet(value.when) ? value.value : value.otherwise, scope);
}

function fillNext(name: string, text: string, scope: TemplateScope): string | undefined {
  const { filled, lookUp, isSet } = scope;
  if (filled.areTooLong) return undefined;
  const isGraph = isGraphOption(name);
  // Each filter of a chain may be a section that begins with a comma.
  const shown = SECTION_START.test(text) ? keepSections(text, isSet).replace(/^,/, '') : text;
  if (shown === '' && text !== '') return undefined;
  const one = fillText(shown, (reference) => {
    const value = lookUp(reference);
    return value && textOf(reference, value, isGraph, scope);
  });
  if (one !== undefined) filled.add(one);
  return one;
}

/** A text without its hidden sections. */
function keepSections(text: string, isSet: IsSet): string {
  if (!SECTION_START.test(text)) return text;
  let kept = '';
  let end = 0;
  /** The number of open sections that are hidden: one that is not set, and the sections in it. */
  let hidden = 0;
  for (const { 0: tag, 1: kind, 2: name = '', index } of text.matchAll(SECTION)) {
    if (hidden === 0) kept += text.slice(end, index);
    if (kind === '/') hidden = Math.max(0, hidden - 1);
    else if (hidden > 0 || name.split('|').some(isSet) === (kind === '^')) hidden += 1;
    end = index + tag.length;
  }
  return `${kept}${text.slice(end)}`;
}

const isList = (value: Exclude<RecipeValue, string>): value is readonly string[] => Array.isArray(value);

/**
 * Returns undefined if a name has no value. Cuts off a text one character after the limit of an option, so that the later check
 * rejects it.
 */
function fillText(text: string, textOfName: (reference: string) => string | undefined): string | undefined {
  let filled = '';
  let end = 0;
  for (const { 0: all, 1: reference = '', index } of text.matchAll(REFERENCE)) {
    const one = textOfName(reference);
    if (one === undefined) return undefined;
    filled += text.slice(end, index) + one;
    end = index + all.length;
    if (filled.length > REQUEST_LIMITS.optionValueLength) return filled.slice(0, REQUEST_LIMITS.optionValueLength + 1);
  }
  return filled + text.slice(end);
}

function textOf(
  name: string,
  { text, kind }: FilledName,
  isGraph: boolean,
  { lookUp, isSet, filled }: TemplateScope,
): string | undefined {
  const plain = (value: FilledName): string =>
    value.kind === 'free' && isGraph ? quoteReference(value.text) : value.text;
  if (kind !== 'template') return plain({ text, kind });
  return filled.choice(`${isGraph} ${name}`, () =>
    // A choice cannot refer to a choice, so the recursion ends.
    fillText(keepSections(text, isSet), (reference) => {
      const value = lookUp(reference);
      return value === undefined || value.kind === 'template' ? undefined : plain(value);
    }),
  );
}

/** Quotes equals signs too: with `subtitles={{file}}`, the file `a=b.srt` would be the option `a`. */
const quoteReference = (text: string): string => quoteForFilter(text).replaceAll('=', String.raw`\\=`);

/** Whether the value of this option is a filtergraph. */
export function isGraphOption(name: string): boolean {
  const parsed = parseOptionName(name);
  return 'name' in parsed && (parsed.name === 'filter' || parsed.name === 'filter_complex');
}

/** The names that a value refers to in its texts. */
export function referencesIn(value: RecipeValue | undefined): ReadonlySet<string> {
  return new Set(textsIn(value).flatMap((text) => [...text.matchAll(REFERENCE)].map(([, name = '']) => name)));
}

/** The names that a value refers to between the single quotes of a filtergraph. Backslashes are plain characters there. */
export function quotedReferencesIn(value: RecipeValue | undefined): ReadonlySet<string> {
  const quoted = textsIn(value).flatMap((text) =>
    [...text.matchAll(/\\.|'([^']*)(?:'|$)/gs)].map(([, part = '']) => part),
  );
  return new Set(quoted.flatMap((text) => [...referencesIn(text)]));
}

/** The first double brace that opens no reference: `{{a b}}`. undefined if there is none. */
export const strayBraces = (value: RecipeValue | undefined): string | undefined =>
  textsIn(value)
    .map((text) => /\{\{[^}]{0,40}\}{0,2}/.exec(text.replaceAll(REFERENCE, '').replaceAll(SECTION, ''))?.[0])
    .find((one) => one !== undefined);

/** The error in the sections of a value, as the end of a sentence. undefined if there is none. */
export const wrongSection = (value: RecipeValue | undefined): string | undefined =>
  textsIn(value)
    .map(wrongSectionIn)
    .find((one) => one !== undefined);

function wrongSectionIn(text: string): string | undefined {
  const open: { readonly name: string; readonly tag: string }[] = [];
  let end = 0;
  for (const { 0: tag, 1: kind, 2: name = '', index } of text.matchAll(SECTION)) {
    // If the section is left out, the backslash would escape the text after it.
    if (text[index - 1] === '\\') return `"${tag}" follows a backslash`;
    // If the section is left out, other text would be between the quotes.
    if (open.length > 0 && text.slice(end, index).includes("'")) return `"${open.at(-1)?.tag}" contains a single quote`;
    if (kind !== '/') open.push({ name, tag });
    else if (open.pop()?.name !== name) return `"${tag}" does not end the section before it`;
    end = index + tag.length;
  }
  const last = open.at(-1);
  return last && `"${last.tag}" has no "{{/${last.name}}}"`;
}

/** The names that conditions of a value test: `when`, and sections of its texts. */
export function conditionsIn(value: RecipeValue | undefined): readonly string[] {
  const sections = textsIn(value).flatMap((text) =>
    [...text.matchAll(SECTION)].flatMap(([, , name = '']) => name.split('|')),
  );
  return value === undefined || typeof value === 'string' || isList(value) ? sections : [value.when, ...sections];
}

/** All texts of a value. */
export function textsIn(value: RecipeValue | undefined): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  return isList(value) ? value : [...textsIn(value.value), ...textsIn(value.otherwise)];
}
