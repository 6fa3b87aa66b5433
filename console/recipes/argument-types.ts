import type { Recipe } from '@telecine/client';

type Argument = Recipe['arguments'][string];
export type ArgumentType = Argument['type'];

/** The types of arguments, in words. */
export const TYPES: readonly { readonly type: ArgumentType; readonly name: string }[] = [
  { type: 'number', name: 'Number' },
  { type: 'choice', name: 'Choice' },
  { type: 'time', name: 'Time' },
  { type: 'text', name: 'Text' },
  { type: 'colour', name: 'Colour' },
  { type: 'flag', name: 'Yes or no' },
];

/** An argument of another type, whose default stays if it can be of this type. */
export function retyped({ description, required, default: before }: Argument, type: ArgumentType): Argument {
  const rest = { description, ...(required && { required }) };
  const text = before === undefined ? '' : String(before);
  switch (type) {
    case 'number': {
      const number = Number(text);
      if (text === '' || Number.isNaN(number)) return { type, min: 0, max: 100, ...rest };
      return { type, min: Math.min(0, number), max: Math.max(100, number), default: number, ...rest };
    }
    case 'choice': {
      const choice = text === '' ? 'usual' : text.slice(0, 64);
      return { type, choices: { [choice]: text }, ...(text !== '' && { default: choice }), ...rest };
    }
    case 'text':
      return { type, maxLength: 200, ...(text !== '' && { default: text }), ...rest };
    case 'flag':
      return { type, ...(typeof before === 'boolean' && { default: before }), ...rest };
    default:
      return { type, ...(text !== '' && { default: text }), ...rest };
  }
}

/** An argument with another value of a member. undefined: without the member. */
export const withMember = (argument: Argument, name: string, value: unknown): Argument =>
  Object.fromEntries([
    ...Object.entries(argument).filter(([own]) => own !== name || value !== undefined),
    ...(value === undefined ? [] : [[name, value]]),
  ]) as Argument;

/**
 * What a field for a number sends: the number, nothing if the field is empty, and a text that is no number as it is, for the check to judge.
 */
export function numberOf(text: string): number | string | undefined {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return undefined;
  const number = Number(plain);
  return Number.isNaN(number) ? text : number;
}
