import { type OptionValue, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import type { RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { quoteForFilter } from '@telecine/contract/domain/structured-values.ts';
import { parseOptionName } from '@telecine/ffmpeg/plan/request/option-name.ts';

const REFERENCE = /\{\{\s*([\w.-]+)\s*\}\}/g;
/**
 * The start or the end of a section. A section stays in the text only if one of its names is set. With `^`, it stays only if none of them
 * is set.
 */
const SECTION = /\{\{([#^/])([\w.|-]+)\}\}/g;
const SECTION_START = /\{\{[#^]/;

/** The text of a name that templates refer to. */
export interface FilledName {
  readonly text: string;
  /**
   * `plain`: has no characters of filtergraph syntax. `free`: chosen by the client, so it is escaped in filtergraphs. `template`: contains
   * references to other names.
   */
  readonly kind: 'plain' | 'free' | 'template';
}

/** Looks up the value of a name in a template. undefined: the name has no value. */
export type LookUp = (name: string) => FilledName | undefined;

/** Whether an argument or input has a value other than false. */
type IsSet = (name: string) => boolean;

/**
 * Limits the total length of the texts of one request. Choices can contain lists of references to other names, so a small recipe could
 * produce gigabytes of text.
 */
export class FilledTexts {
  #characters = 0;
  readonly #choices = new Map<string, string | undefined>();

  /** Whether the texts are longer than a request may be. In that case, no further text is filled in. */
  get areTooLong(): boolean {
    return this.#characters > REQUEST_LIMITS.bodyBytes;
  }

  add(text: string): void {
    this.#characters += text.length;
  }

  /** Returns the text of a choice, computed at most once. `key`: the kind of the option and the name of the choice. */
  choice(key: string, make: () => string | undefined): string | undefined {
    if (!this.#choices.has(key)) this.#choices.set(key, make());
    return this.#choices.get(key);
  }
}

/** What is needed to fill in templates, with the texts filled so far. */
export interface TemplateScope {
  readonly lookUp: LookUp;
  readonly isSet: IsSet;
  readonly filled: FilledTexts;
}

/** Fills in the value of the option `name`. Returns undefined if a name in it has no value or its condition is not met. */
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
  // If the first filter of a chain is a section, the remaining text can begin with a comma. Remove it.
  const shown = SECTION_START.test(text) ? keepSections(text, isSet).replace(/^,/, '') : text;
  if (shown === '' && text !== '') return undefined;
  const one = fillText(shown, (reference) => {
    const value = lookUp(reference);
    return value && textOf(reference, value, isGraph, scope);
  });
  if (one !== undefined) filled.add(one);
  return one;
}

/** Removes sections whose condition is not met. */
function keepSections(text: string, isSet: IsSet): string {
  if (!SECTION_START.test(text)) return text;
  let kept = '';
  let end = 0;
  /** The number of open sections that are hidden. Sections in a hidden section are also hidden. */
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
 * Fills in references. Returns undefined if a name has no value. Cuts the text one character after the limit of an option, so that a later
 * check rejects it.
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
    // A choice cannot refer to another choice, so the recursion ends.
    fillText(keepSections(text, isSet), (reference) => {
      const value = lookUp(reference);
      return value === undefined || value.kind === 'template' ? undefined : plain(value);
    }),
  );
}

/** Escapes text for filtergraphs, including equal signs. Otherwise the file `a=b.srt` in `subtitles={{file}}` would set the option `a`. */
const quoteReference = (text: string): string => quoteForFilter(text).replaceAll('=', String.raw`\\=`);

/** Whether the value of this option is a filtergraph. */
export function isGraphOption(name: string): boolean {
  const parsed = parseOptionName(name);
  return 'name' in parsed && (parsed.name === 'filter' || parsed.name === 'filter_complex');
}

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
  return value === undefined || typeof value === 'string' || isList(value) ? sections : [value.when, ...sections];
}

export function textsIn(value: RecipeValue | undefined): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  return isList(value) ? value : [...textsIn(value.value), ...textsIn(value.otherwise)];
}
