import type { Recipe, RecipeDefinition } from '@telecine/client';
import { isGraph } from '../workbench/option-help.ts';

type Argument = Recipe['arguments'][string];

/** What becomes of the templates of a recipe. */
export interface Mapping {
  /** Returns another text. undefined: the text is left out. */
  readonly inText: (text: string, isInGraph: boolean) => string | undefined;
  /** Returns the name that `when` tests instead, or whether its condition is met. */
  readonly inCondition: (name: string) => string | boolean;
  /** Returns another formula. */
  readonly inFormula: (formula: string) => string;
}

/** Maps all templates and formulas of a recipe. The names of its arguments, inputs and values stay. */
export function mapTemplates(definition: RecipeDefinition, mapping: Mapping): RecipeDefinition {
  const { inputs, arguments: own, values, limits, request } = definition;
  const { inFormula } = mapping;
  return {
    ...definition,
    inputs: mapValue(inputs, mapping) as RecipeDefinition['inputs'],
    arguments: mapMembers(own, (argument) => mapChoices(argument, mapping)),
    ...(values && { values: mapMembers(values, inFormula) }),
    ...(limits && {
      limits: mapMembers(limits, ({ min, max, ...rest }) => ({
        ...rest,
        ...(min !== undefined && { min: inFormula(min) }),
        ...(max !== undefined && { max: inFormula(max) }),
      })),
    }),
    request: mapValue(request, mapping) as RecipeDefinition['request'],
  };
}

/** Replaces a name in a formula. A function such as `min(…)` is not a name. */
export const replaceInFormula = (formula: string, name: string, by: string): string =>
  formula.replaceAll(new RegExp(`(?<![\\w.])${name}(?![\\w.]|\\s*\\()`, 'g'), () => by);

function mapValue(whole: unknown, { inText, inCondition }: Mapping): unknown {
  const map = (value: unknown, option: string): unknown => {
    if (typeof value === 'string') return inText(value, isGraph(option));
    if (Array.isArray(value)) return value.map((one) => map(one, option)).filter((one) => one !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    const { when, ...others } = value as Readonly<Record<string, unknown>>;
    const condition = typeof when === 'string' ? inCondition(when) : undefined;
    if (typeof condition === 'boolean') {
      // An output of a recipe has a role. Other conditions choose between two texts.
      if ('role' in others) return condition ? map(others, option) : undefined;
      return map(condition ? others['value'] : others['otherwise'], option);
    }
    const members = Object.entries(value).map(([name, one]): [string, unknown] =>
      name === 'when' && condition !== undefined
        ? [name, condition]
        : [name, map(one, name === 'value' || name === 'otherwise' ? option : name)],
    );
    return Object.fromEntries(members.filter(([, one]) => one !== undefined));
  };
  return map(whole, '');
}

/** Maps the texts of choices. A choice of which nothing stays is left out. */
function mapChoices(argument: Argument, { inText }: Mapping): Argument {
  if (argument.type !== 'choice') return argument;
  const { default: usual, ...rest } = argument;
  const texts = Object.entries(argument.choices).map(([choice, text]) => [choice, inText(text, true)] as const);
  const choices = Object.fromEntries(texts.filter((one): one is readonly [string, string] => one[1] !== undefined));
  return { ...rest, choices, ...(usual !== undefined && Object.hasOwn(choices, usual) && { default: usual }) };
}

const mapMembers = <T, R>(all: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, map(value)]));
