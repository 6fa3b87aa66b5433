import { type Edits, sendOption, sendValue } from '../../domain/edit.ts';
import type { AvOption } from '../catalogue/component.ts';
import { constantsOf, GENERIC_CONSTANTS } from './av-number.ts';
import { readNumber } from './number.ts';
import { badValue, nearestName, quoted, type ValueError } from './value-error.ts';

/** `+faststart`, `frag_keyframe+empty_moov`, `-delay_moov`: names with signs; the first sign is optional. */
const PARTS = /[+-]?[^+-]+/g;

/** Checks a set of flags, given by names or as a number. */
export function checkAvFlags(key: string, option: AvOption, value: string): ValueError | undefined {
  const parts = value.match(PARTS);
  if (parts === null || parts.join('') !== value)
    return badValue(`"${key}" must be names joined by "+"; a name is missing in ${quoted(value)}.`, value, {
      names: option.constants.map(({ name }) => name),
    });
  for (const [index, part] of parts.entries()) {
    const name = part.replace(/^[+-]/, '');
    if (isFlag(option, name)) continue;
    const wrong = badValue(`"${key}" has no flag ${quoted(name)}.`, name, {
      names: option.constants.map((constant) => constant.name),
    });
    const dashed = withUnderscores(option, value);
    return {
      ...wrong,
      ...(dashed === undefined
        ? fixOf(option, parts, index, name)
        : { fix: key.includes('=') ? sendValue(dashed) : sendOption(key, dashed) }),
    };
  }
  return undefined;
}

/** The names of flags have underscores. A dash in one removes the flag that follows it: `+fast-start`. */
function withUnderscores(option: AvOption, value: string): string | undefined {
  const meant = value.replaceAll(/[^+,|;\s]+/g, (part) => {
    const [, sign = '', name = ''] = /^(-?)(.*)$/.exec(part) ?? [];
    const bare = name.replaceAll(/[-_]/g, '').toLowerCase();
    const flag = name.includes('-') && option.constants.find((one) => one.name.replaceAll('_', '') === bare);
    return flag ? `${sign}${flag.name}` : part;
  });
  return meant === value ? undefined : meant;
}

function isFlag(option: AvOption, name: string): boolean {
  if (GENERIC_CONSTANTS.has(name) || option.constants.some((constant) => constant.name === name)) return true;
  const number = readNumber(name, constantsOf(option));
  return number !== undefined && Number.isInteger(number) && number >= -1 && number <= 0xffff_ffff;
}

/** Suggests the whole value with the wrong part corrected. */
function fixOf(option: AvOption, parts: readonly string[], index: number, name: string): { fix?: Edits } {
  const listed = name.split(/[,|; ]+/).filter((one) => one !== '');
  const names = option.constants.map((constant) => constant.name);
  const corrected =
    listed.length > 1 && listed.every((one) => names.includes(one))
      ? listed.join('+')
      : (nearestName(name, names) ?? '');
  if (corrected === '') return {};
  const all = parts.map((part, at) => (at === index ? part.replace(name, () => corrected) : part));
  return { fix: sendValue(all.join('')) };
}
