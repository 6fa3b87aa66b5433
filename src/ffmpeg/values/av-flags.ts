import type { AvOption } from '../catalogue/component.ts';
import { constantsOf, GENERIC_CONSTANTS } from './av-number.ts';
import { readNumber } from './number.ts';
import { badValue, nearestName, quoted, type ValueError } from './value-error.ts';

/** `+faststart`, `frag_keyframe+empty_moov`, `-delay_moov`: names, each with its sign but the first. */
const PARTS = /[+-]?[^+-]+/g;

/** A set of flags by name, or as a number. */
export function checkAvFlags(key: string, option: AvOption, value: string): ValueError | undefined {
  const parts = value.match(PARTS);
  if (parts === null || parts.join('') !== value)
    return badValue(`"${key}" takes names joined by "+", and ${quoted(value)} misses one.`, value, {
      names: option.constants.map(({ name }) => name),
    });
  for (const [index, part] of parts.entries()) {
    const name = part.replace(/^[+-]/, '');
    if (isFlag(option, name)) continue;
    const wrong = badValue(`"${key}" has no flag ${quoted(name)}.`, name, {
      names: option.constants.map((constant) => constant.name),
    });
    return { ...wrong, ...fixOf(option, parts, index, name) };
  }
  return undefined;
}

function isFlag(option: AvOption, name: string): boolean {
  if (GENERIC_CONSTANTS.has(name) || option.constants.some((constant) => constant.name === name)) return true;
  const number = readNumber(name, constantsOf(option));
  return number !== undefined && Number.isInteger(number) && number >= -1 && number <= 0xffff_ffff;
}

/** The whole value with the wrong part mended. */
function fixOf(option: AvOption, parts: readonly string[], index: number, name: string): { fix?: string } {
  const listed = name.split(/[,|; ]+/).filter((one) => one !== '');
  const names = option.constants.map((constant) => constant.name);
  const mended =
    listed.length > 1 && listed.every((one) => names.includes(one))
      ? listed.join('+')
      : (nearestName(name, names) ?? '');
  if (mended === '') return {};
  const all = parts.map((part, at) => (at === index ? part.replace(name, () => mended) : part));
  return { fix: `Send "${all.join('')}".` };
}
