import type { RecipeDefinition } from '@telecine/client';
import type { OptionMeaning } from '../workbench/option-help.ts';
import { freeName } from './argument-names.ts';
import { isOption, type OptionGroup, type RecipeOption, withText } from './option-texts.ts';
import { type OptionValue, placesOf, type ValuePlace, valuesOf } from './option-values.ts';

/** A value of a recipe, and which text of which option has it. */
export interface FoundValue {
  readonly option: RecipeOption;
  readonly index: number;
  readonly value: OptionValue;
}

/** The recipe with a value as an argument, whose name is free. */
export function withArgument(definition: RecipeDefinition, { option, index, value }: FoundValue): RecipeDefinition {
  const name = freeName(definition, value.name);
  const { argument, from, to, after = '' } = value;
  const text = option.texts?.[index] ?? '';
  const filled = `${text.slice(0, from)}{{${name}}}${after}${text.slice(to)}`;
  return {
    ...withText(definition, option, index, filled),
    arguments: { ...definition.arguments, [name]: argument } as RecipeDefinition['arguments'],
  };
}

type MeaningOf = (name: string, side: OptionGroup['side']) => OptionMeaning | undefined;

/** The values that people change from file to file. `meaningOf`: what ffmpeg says about an option. */
export const likelyValues = (groups: readonly OptionGroup[], meaningOf: MeaningOf): readonly FoundValue[] =>
  groups.flatMap(({ side, options }) =>
    options.flatMap((option) =>
      (option.texts ?? []).flatMap((text, index) =>
        valuesOf(groups, option, text, isOption(option) ? meaningOf(option.name, side) : undefined)
          .filter(({ isLikely }) => isLikely)
          .map((value) => ({ option, index, value })),
      ),
    ),
  );

/** What became of a value in a recipe that was changed since. */
export interface ChangedPlace {
  /** The value there. */
  readonly found?: FoundValue;
  /** The name of the argument that took its place. */
  readonly reference?: string;
}

/**
 * Finds the place of a value of `before` in the recipe `now`: that of the same part in the same text. Several settings of a text can have one
 * name, and keep their order. undefined: the recipe no longer has the place.
 */
export function placeNow(
  before: readonly OptionGroup[],
  now: readonly OptionGroup[],
  { option, index, value }: FoundValue,
  meaningOf: MeaningOf,
): ChangedPlace | undefined {
  const order = placesOfPart(before, { option, index, value }, meaningOf).findIndex(
    ({ place }) => place.value?.from === value.from,
  );
  const at = placesOfPart(now, { option, index, value }, meaningOf)[order];
  if (at === undefined) return undefined;
  const { value: own, reference } = at.place;
  return {
    ...(own && { found: { option: at.option, index, value: own } }),
    ...(reference !== undefined && { reference }),
  };
}

/** The places of a part of a text, in their order. */
function placesOfPart(
  groups: readonly OptionGroup[],
  { option: { path }, index, value: { part } }: FoundValue,
  meaningOf: MeaningOf,
): readonly { readonly option: RecipeOption; readonly place: ValuePlace }[] {
  return groups.flatMap(({ side, options }) =>
    options
      .filter((one) => one.path.join('.') === path.join('.'))
      .flatMap((option) =>
        placesOf(
          groups,
          option,
          option.texts?.[index] ?? '',
          isOption(option) ? meaningOf(option.name, side) : undefined,
        )
          .filter((place) => place.part === part)
          .map((place) => ({ option, place })),
      ),
  );
}

/** A value in words: `23, from 18 to 28 (crf)`. `isPending`: its range is not known yet. */
export function valueText(
  { option: { name }, value: { argument, part } }: FoundValue | ArgumentOfValue,
  isPending: boolean,
): string {
  const range = argument.type === 'number' && !isPending ? `, can be ${argument.min} to ${argument.max}` : '';
  return `Now ${argument.default}${range} · ${part === undefined ? name : `${name}, ${part}`}`;
}

/** An argument that took the place of a value. */
interface ArgumentOfValue extends Pick<FoundValue, 'option'> {
  readonly value: Pick<OptionValue, 'argument' | 'part'>;
}
