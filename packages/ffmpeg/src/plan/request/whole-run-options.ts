import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { FLAG_VALUES, readFlag } from '../../values/boolean.ts';
import { type ArgvOption, sentName } from './argv-option.ts';
import { type OutputRequest, type ParsedOptions, sentValue } from './parse-request.ts';

/** Options of the whole conversion, which no single input can have. */
export const WHOLE_REQUEST_OPTIONS = ['y', 'pass', 'pass:v'] as const;

/** Options that `resolveOptions` skips: the options of the whole conversion, and `f`, which selects the container. */
export const HANDLED_ELSEWHERE: ReadonlySet<string> = new Set(['f', ...WHOLE_REQUEST_OPTIONS]);

/** True if `"y": ""` allows the service to replace an existing output. ffmpeg itself never overwrites a file. */
export function readReplace({ options, inputs }: OutputRequest, errors: FieldError[]): boolean {
  const value = sentValue(options, 'y');
  const flag = readFlag(value);
  if (value === undefined || flag === false) return false;
  if (flag) {
    // A lone "n" is dropped elsewhere: without "y", nothing is overwritten anyway. "n" with "y" is an error, as in ffmpeg.
    for (const { pointer, options: own } of [{ pointer: '', options }, ...inputs])
      if (readFlag(sentValue(own, 'n'))) errors.push(contradiction(`${pointer}/parameters/n`));
    return true;
  }
  errors.push({
    field: '/parameters/y',
    code: 'TAKES_NO_VALUE',
    message: '"y" is a flag and takes no value.',
    allowed: FLAG_VALUES,
  });
  return false;
}

const contradiction = (field: string): FieldError => ({
  field,
  code: 'EXCLUSIVE',
  message: '"n" and "y" are both set: "n" keeps an existing output, "y" replaces it.',
});

/** True if `"pass": "2"` requests two passes, both of which the service runs. */
export function readTwoPass(options: ParsedOptions, errors: FieldError[]): boolean {
  const key = sentValue(options, 'pass') === undefined ? 'pass:v' : 'pass';
  const value = sentValue(options, key);
  if (value === undefined || value === '2') return value === '2';
  errors.push({
    field: `/parameters/${key}`,
    code: 'BAD_PASS',
    message: `"${key}" allows only "2": the service runs both passes, with all other options, and keeps the log of the first.`,
    nearest: { given: String(value), names: ['2'], is: 'value' },
  });
  return false;
}

/** The options that an element of `outputs` may have. Rejects options of inputs and of the whole run (`filter_complex`). */
export function withoutMisplaced(
  options: readonly ArgvOption[],
  { element }: Pick<OutputRequest, 'element'>,
  errors: FieldError[],
): readonly ArgvOption[] {
  if (element === undefined) return options;
  const isOwn = isOwnOption({ element });
  for (const name of WHOLE_REQUEST_OPTIONS)
    if (element.names.has(name)) errors.push(ofWholeRequest({ field: `${element.pointer}/parameters/${name}` }));
  return options.filter((option) => {
    if (!isOwn(option) || (option.side !== 'global' && option.side !== 'input')) return true;
    errors.push(option.side === 'global' ? ofWholeRequest(option) : ofInputs(option));
    return false;
  });
}

/** Returns a function that is true for options of this output alone. If the request has a single `output`, it is true for all options. */
export const isOwnOption =
  ({ element }: Pick<OutputRequest, 'element'>) =>
  ({ field }: ArgvOption): boolean =>
    element === undefined || field.startsWith(`${element.pointer}/`);

type SentOption = Pick<ArgvOption, 'field'>;

const ofWholeRequest = (option: SentOption): FieldError => ({
  field: option.field,
  code: 'WRONG_SIDE',
  message: `"${sentName(option)}" applies to the whole run of ffmpeg, so it belongs in the "parameters" of the request, not in one of "outputs".`,
});

const ofInputs = (option: SentOption): FieldError => ({
  field: option.field,
  code: 'WRONG_SIDE',
  message: `"${sentName(option)}" is an input option, so it belongs in the "parameters" of the request or of one of "inputs", not in one of "outputs".`,
});
