import type { RecipeDefinition } from '@telecine/client';
import type { OptionMeaning } from '../workbench/option-help.ts';
import { freeName } from './argument-names.ts';
import { isOption, type OptionGroup, type RecipeOption, withText } from './option-texts.ts';
import { type OptionValue, valuesOf } from './option-values.ts';

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

/** The values that people change from file to file. `meaningOf`: what ffmpeg says about an option. */
export const likelyValues = (
  groups: readonly OptionGroup[],
  meaningOf: (name: string, side: OptionGroup['side']) => OptionMeaning | undefined,
): readonly FoundValue[] =>
  groups.flatMap(({ side, options }) =>
    options.flatMap((option) =>
      (option.texts ?? []).flatMap((text, index) =>
        valuesOf(groups, option, text, isOption(option) ? meaningOf(option.name, side) : undefined)
          .filter(({ isLikely }) => isLikely)
          .map((value) => ({ option, index, value })),
      ),
    ),
  );

/** A value in words: `23, from 18 to 28 (crf)`. `isPending`: its range is not known yet. */
export function valueText({ option: { name }, value: { argument, part } }: FoundValue, isPending: boolean): string {
  const range = argument.type === 'number' && !isPending ? `, from ${argument.min} to ${argument.max}` : '';
  return `${argument.default}${range} (${part === undefined ? name : `${part}, ${name}`})`;
}
