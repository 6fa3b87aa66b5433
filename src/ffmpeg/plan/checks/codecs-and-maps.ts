import { orElse, sendOption, sendValue } from '../../../domain/edit.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { quoted } from '../../values/value-error.ts';
import { checkEncoder, experimentalEncoder } from '../encoders/check-encoder.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { meantNumbers, meantSpecifier } from '../request/meant-specifiers.ts';
import { isKnownSpecifier, STREAM_SPECIFIERS } from '../request/specifiers.ts';

/** Checks that the encoders exist, and that maps refer to existing inputs. */
export function checkCodecsAndMaps(
  options: readonly ArgvOption[],
  inputCount: number,
  catalogue: Catalogue,
  errors: FieldError[],
): void {
  const allowsExperiments = options.some(
    ({ name, values }) => name.name === 'strict' && /^(?:experimental|-[2-9])$/.test(values[0] ?? ''),
  );
  // An option `i` has an error of its own, whose fix makes its file the next input: maps may count it.
  const count = inputCount + errors.filter(({ field }) => field.endsWith('/parameters/i')).length;
  for (const option of options) {
    const { name, field, values } = option;
    if (name.name === 'c')
      for (const value of values) {
        const error =
          checkEncoder(name.specifier, value, catalogue) ??
          (allowsExperiments ? undefined : experimentalEncoder(value, catalogue));
        if (error !== undefined) errors.push({ field, ...error });
      }
    else if (name.name === 'map' || name.name === 'map_metadata' || name.name === 'map_chapters')
      checkMaps(option, count, errors);
  }
}

function checkMaps({ name, field, values }: ArgvOption, inputCount: number, errors: FieldError[]): void {
  const isMap = name.name === 'map';
  let fix: { readonly fix?: Hint } | undefined;
  for (const value of values) {
    const specifier = isMap ? PARTS.exec(value)?.[2] : undefined;
    if (specifier !== undefined && !isKnownSpecifier(specifier)) {
      fix ??= meantValues(values);
      errors.push({ field, ...badSpecifier(specifier), ...fix });
    }
    // A leading "-" of `map` removes streams; "-1" of the others means none.
    const index = (isMap ? /^-?(\d+)/ : /^(\d+)/).exec(value)?.[1];
    if (index !== undefined && Number(index) >= inputCount)
      errors.push({ field, ...noSuchInput(value, inputCount, isMap ? values.slice(0, MAX_MAPS + 1) : undefined) });
  }
  // ffmpeg ignores an optional map that removes nothing.
  if (isMap && values.every((value) => value.startsWith('-')) && values.some((value) => !value.endsWith('?')))
    errors.push({
      field,
      code: 'BAD_VALUE',
      message: '"map" only removes streams here, and ffmpeg then has none to remove.',
      fix: sendOption('map', ['0', ...values]),
    });
}

/** The parts of a map: what is before its specifier, the specifier, and the mark that makes it optional. */
const PARTS = /^(-?\d+:)(.+?)(:?\?)?$/;

const badSpecifier = (specifier: string): Omit<FieldError, 'field'> => ({
  code: 'BAD_SPECIFIER',
  message: `${quoted(specifier)} is not a stream specifier.`,
  allowed: STREAM_SPECIFIERS,
});

/** The fix with the maps that all values mean. Empty if one of them is not clear. */
function meantValues(values: readonly string[]): { readonly fix?: Hint } {
  const meant = values.map(meantMaps);
  if (!meant.every((maps) => maps !== undefined)) return {};
  const maps = meant.flat();
  return { fix: sendOption('map', maps.length === 1 ? (maps[0] ?? '') : maps) };
}

/** The maps that one means. undefined if it is not clear. */
function meantMaps(map: string): readonly string[] | undefined {
  const [, before = '', specifier = '', mark = ''] = PARTS.exec(map) ?? [];
  if (specifier === '' || isKnownSpecifier(specifier)) return [map];
  const meant = meantSpecifier(specifier);
  if (meant === '') return [`${before.slice(0, -1)}${mark}`];
  if (meant !== undefined) return [`${before}${meant}${mark}`];
  return meantNumbers(specifier)?.map((one) => `${before}${one}${mark}`);
}

/** More maps are not repeated in a fix. */
const MAX_MAPS = 10;

/** The maps with the numbers of inputs counted from 0, if they count from 1: the first is not among them, and the last is one too many. */
function countedFromZero(maps: readonly string[], inputCount: number): readonly string[] | undefined {
  const numbers = maps.flatMap((map) => (/^-?\d+/.exec(map) ?? []).map((one) => Math.abs(Number(one))));
  if (inputCount < 2 || numbers.length === 0 || Math.min(...numbers) !== 1 || Math.max(...numbers) !== inputCount)
    return undefined;
  return maps.map((map) => map.replace(/\d+/, (one) => (/^-?\d/.test(map) ? String(Number(one) - 1) : one)));
}

/** @param maps The first values of `map`. undefined for another option. */
function noSuchInput(
  value: string,
  inputCount: number,
  maps: readonly string[] | undefined,
): Omit<FieldError, 'field'> {
  const number = /\d+/.exec(value)?.[0] ?? '';
  const fromZero = maps === undefined || maps.length > MAX_MAPS ? undefined : countedFromZero(maps, inputCount);
  if (fromZero !== undefined)
    return {
      code: 'NO_SUCH_INPUT',
      message: `${quoted(value)} refers to an input that the request does not have: they are numbered from 0, not from 1.`,
      fix: sendOption('map', fromZero.length === 1 ? (fromZero[0] ?? '') : fromZero),
    };
  const meant = maps?.map((one) => (one === value ? value.replace(number, String(inputCount - 1)) : one));
  const file = `add the path of another file to "inputs" as number ${number}`;
  return {
    code: 'NO_SUCH_INPUT',
    message: `${quoted(value)} refers to an input that the request does not have: they are numbered from 0.`,
    allowed: [inputCount === 1 ? '0' : `0 to ${inputCount - 1}`],
    fix:
      meant === undefined
        ? orElse({ ...sendValue('-1'), why: 'that leaves all out' }, file)
        : meant.length > MAX_MAPS
          ? `Name one of the inputs that are there, or ${file}.`
          : orElse(sendOption('map', meant.length === 1 ? (meant[0] ?? '') : meant), file),
  };
}
