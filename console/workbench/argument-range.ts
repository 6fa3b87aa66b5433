import type { Recipe } from '@telecine/client';

type Argument = Recipe['arguments'][string];

/** The values that an argument allows, its unit and its default, in words: `16 to 4320 px, default 540.` '': any, and it has no default. */
export function rangeText(argument: Argument): string {
  const { default: usual } = argument;
  const parts = [boundsText(argument), argument.type === 'number' && argument.integer === true && 'whole numbers'];
  const isShown = argument.type === 'number' || argument.type === 'time';
  const text = [...parts, isShown && usual !== undefined && `default ${usual}`].filter(Boolean).join(', ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function boundsText(argument: Argument): string {
  if (argument.type === 'number')
    return `${argument.min} to ${argument.max}${argument.unit === undefined ? '' : ` ${argument.unit}`}`;
  if (argument.type !== 'time') return '';
  const { min = 0, max } = argument;
  if (max !== undefined) return `${min} to ${max} s`;
  return min > 0 ? `at least ${min} s` : '';
}
