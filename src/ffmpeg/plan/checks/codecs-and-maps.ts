import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { quoted, sendOption } from '../../values/value-error.ts';
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
      for (const value of values) checkMap(option, value, inputCount, errors);
  }
}

function checkMap(option: ArgvOption, value: string, inputCount: number, errors: FieldError[]): void {
  const { field } = option;
  const isMap = option.name.name === 'map';
  const specifier = isMap ? PARTS.exec(value)?.[2] : undefined;
  if (specifier !== undefined && !isKnownSpecifier(specifier))
    errors.push({ field, ...badSpecifier(specifier, option) });
  // A leading "-" of `map` removes streams; "-1" of the others means none.
  const index = (isMap ? /^-?(\d+)/ : /^(\d+)/).exec(value)?.[1];
  if (index !== undefined && Number(index) >= inputCount) errors.push({ field, ...noSuchInput(value, inputCount) });
}

/** The parts of a map: what is before its specifier, the specifier, and the mark that makes it optional. */
const PARTS = /^(-?\d+:)(.+?)(:?\?)?$/;

const badSpecifier = (specifier: string, { values }: ArgvOption): Omit<FieldError, 'field'> => {
  const meant = values.map(meantMaps);
  const isClear = meant.every((maps) => maps !== undefined);
  const maps = isClear ? meant.flatMap((one) => one ?? []) : [];
  return {
    code: 'BAD_SPECIFIER',
    message: `${quoted(specifier)} is not a stream specifier.`,
    allowed: STREAM_SPECIFIERS,
    ...(isClear && { fix: sendOption('map', maps.length === 1 ? (maps[0] ?? '') : maps) }),
  };
};

/** The maps that one means. undefined if it is not clear. */
function meantMaps(map: string): readonly string[] | undefined {
  const [, before = '', specifier = '', mark = ''] = PARTS.exec(map) ?? [];
  if (specifier === '' || isKnownSpecifier(specifier)) return [map];
  const meant = meantSpecifier(specifier);
  if (meant === '') return [`${before.slice(0, -1)}${mark}`];
  if (meant !== undefined) return [`${before}${meant}${mark}`];
  return meantNumbers(specifier)?.map((one) => `${before}${one}${mark}`);
}

const noSuchInput = (value: string, inputCount: number): Omit<FieldError, 'field'> => ({
  code: 'NO_SUCH_INPUT',
  message: `${quoted(value)} refers to an input that the request does not have.`,
  allowed: [inputCount === 1 ? '0' : `0 to ${inputCount - 1}`],
  fix: 'Inputs are numbered from 0, in the order of "inputs".',
});
