import { type OptionValue, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import type { RecipeValue } from '@telecine/contract/domain/recipe.ts';
import {
  fillReferences,
  fillTemplate,
  isValueList,
  keepSections,
  quoteReference,
} from '@telecine/contract/domain/recipe-template.ts';
import { parseOptionName } from '@telecine/ffmpeg/plan/request/option-name.ts';

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

/**
 * Fills in the value of the option `name`. Returns undefined if a name in it has no value or its condition is not met. Each line of a text for
 * `map` is a value: facts such as `input.covers` have a line for each stream.
 */
export function fillValue(name: string, value: RecipeValue | undefined, scope: TemplateScope): OptionValue | undefined {
  if (typeof value === 'string') return fillNext(name, value, scope);
  if (typeof value !== 'object') return value;
  if (isValueList(value)) {
    const texts = value.flatMap((text) => fillNext(name, String(text), scope) ?? []);
    const filled = name === 'map' ? texts.flatMap((text) => text.split('\n')) : texts;
    return filled.length === 0 ? undefined : filled;
  }
  return fillValue(name, scope.isSet(value.when) ? value.value : value.otherwise, scope);
}

function fillNext(name: string, text: string, scope: TemplateScope): string | undefined {
  const { filled, lookUp, isSet } = scope;
  if (filled.areTooLong) return undefined;
  const isGraph = isGraphOption(name);
  const one = fillTemplate(text, isSet, (reference) => {
    const value = lookUp(reference);
    return value && textOf(reference, value, isGraph, scope);
  });
  if (one !== undefined) filled.add(one);
  return one;
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
    fillReferences(keepSections(text, isSet), (reference) => {
      const value = lookUp(reference);
      return value === undefined || value.kind === 'template' ? undefined : plain(value);
    }),
  );
}

/** Whether the value of this option is a filtergraph. */
export function isGraphOption(name: string): boolean {
  const parsed = parseOptionName(name);
  return 'name' in parsed && (parsed.name === 'filter' || parsed.name === 'filter_complex');
}
