import type { RecipeDefinition } from '@telecine/client';
import { conditionsIn, referencesIn, renameInTemplate } from '../../packages/contract/src/domain/recipe-template.ts';
import { mapTemplates, replaceInFormula } from './map-templates.ts';

/** The names that a recipe gives to values: no two may be the same. */
export const takenNames = ({ arguments: own, inputs, values = {} }: RecipeDefinition): ReadonlySet<string> =>
  new Set([...Object.keys(own), ...inputs.map(({ role }) => role), ...Object.keys(values)]);

/** A name that a recipe does not have yet: `height2` if it has `height`. */
export function freeName(definition: RecipeDefinition, name: string): string {
  const taken = takenNames(definition);
  let number = 1;
  while (taken.has(nameWith(name, number))) number += 1;
  return nameWith(name, number);
}

const nameWith = (name: string, number: number): string => (number === 1 ? name : `${name}${number}`);

/** The name that a person means: `frameHeight` of "Frame height". '': the text has no letter at its beginning. */
export function nameOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const name = words
    .map(
      (word, index) => `${index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()}${word.slice(1)}`,
    )
    .join('');
  return /^[a-z]/.test(name) ? name.slice(0, 64) : '';
}

/** Whether a text refers to a name, or tests it. */
export const usesName = (text: string, name: string): boolean =>
  referencesIn(text).has(name) || conditionsIn(text).includes(name);

/** Renames an argument or the role of an input, also where the recipe refers to it. */
export function renamed(definition: RecipeDefinition, from: string, to: string): RecipeDefinition {
  const one = (name: string): string => (name === from ? to : name);
  const renameKeys = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [one(name), value]));
  const {
    inputs,
    arguments: own,
    values,
    limits,
    ...rest
  } = mapTemplates(definition, {
    inText: (text) => renameInTemplate(text, one),
    inCondition: one,
    inFormula: (formula) => replaceInFormula(formula, from, to),
  });
  return {
    ...rest,
    inputs: inputs.map((input) => ({ ...input, role: one(input.role) })),
    arguments: renameKeys(own),
    ...(values && { values: renameKeys(values) }),
    ...(limits && { limits: renameKeys(limits) }),
  };
}
