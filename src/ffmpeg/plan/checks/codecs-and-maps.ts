import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { quoted, sendInstead } from '../../values/value-error.ts';
import { checkEncoder, experimentalEncoder } from '../encoders/check-encoder.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { isStreamSpecifier, STREAM_SPECIFIERS } from '../request/specifiers.ts';

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
  for (const { name, field, values } of options) {
    if (name.name === 'c')
      for (const value of values) {
        const error =
          checkEncoder(name.specifier, value, catalogue) ??
          (allowsExperiments ? undefined : experimentalEncoder(value, catalogue));
        if (error !== undefined) errors.push({ field, ...error });
      }
    else if (name.name === 'map' || name.name === 'map_metadata' || name.name === 'map_chapters')
      for (const value of values) checkMap(name.name, value, field, inputCount, errors);
  }
}

function checkMap(name: string, value: string, field: string, inputCount: number, errors: FieldError[]): void {
  // A leading "-" of `map` removes streams; "-1" of the others means none.
  const specifier = name === 'map' ? /^-?\d+:(.+?)\??$/.exec(value)?.[1] : undefined;
  if (specifier !== undefined && !isStreamSpecifier(specifier) && !NEWER_SPECIFIER.test(specifier))
    errors.push({ field, ...badSpecifier(specifier) });
  const index = (name === 'map' ? /^-?(\d+)/ : /^(\d+)/).exec(value)?.[1];
  if (index !== undefined && Number(index) >= inputCount) errors.push({ field, ...noSuchInput(value, inputCount) });
}

/** Specifiers of ffmpeg 7 and later: dispositions, groups, views. */
const NEWER_SPECIFIER = /(?:^|:)(?:disp|g|view|vidx|vpos):/;

const KIND = /^(?:video|audio|subtitle)s?$/i;

const badSpecifier = (specifier: string): Omit<FieldError, 'field'> => ({
  code: 'BAD_SPECIFIER',
  message: `${quoted(specifier)} is not a stream specifier.`,
  allowed: STREAM_SPECIFIERS,
  ...(KIND.test(specifier) && { fix: sendInstead(specifier.charAt(0).toLowerCase()) }),
});

const noSuchInput = (value: string, inputCount: number): Omit<FieldError, 'field'> => ({
  code: 'NO_SUCH_INPUT',
  message: `${quoted(value)} refers to an input that the request does not have.`,
  allowed: [inputCount === 1 ? '0' : `0 to ${inputCount - 1}`],
  fix: 'Inputs are numbered from 0, in the order of "inputs".',
});
