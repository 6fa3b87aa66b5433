import { type Edits, leaveOut, orElse, sendIn, sendOption } from '@telecine/contract/domain/edit.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { FLAG_VALUES, readFlag } from '../../values/boolean.ts';
import { type ArgvOption, sentName } from './argv-option.ts';
import { keyOf, type OutputRequest, type ParsedOptions, sentValue } from './parse-request.ts';

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
    fix: orElse(sendOption('y', ''), 'leave "y" out to keep an existing output'),
  });
  return false;
}

const contradiction = (field: string): FieldError => ({
  field,
  code: 'EXCLUSIVE',
  message: '"n" and "y" are both set: "n" keeps an existing output, "y" replaces it.',
  fix: orElse(leaveOut(), 'leave "y" out to keep an existing output'),
});

/** True if `"pass": "2"` requests two passes, both of which the service runs. */
export function readTwoPass(options: ParsedOptions, errors: FieldError[]): boolean {
  const key = sentValue(options, 'pass') === undefined ? 'pass:v' : 'pass';
  const value = sentValue(options, key);
  if (value === undefined || value === '2') return value === '2';
  // A command line for a first pass removes the audio. Here, `an` is an error, because the job runs both passes.
  const isFirst = value === '1' && sentValue(options, 'an') !== undefined;
  if (isFirst)
    errors.push({
      field: '/parameters/an',
      code: 'BAD_PASS',
      message: '"an" is usual in a first pass, but the job runs both passes, so its output would have no audio.',
      fix: leaveOut(),
    });
  const silent = isFirst ? undefined : ['an', 'vn'].find((name) => sentValue(options, name) !== undefined);
  errors.push({
    field: `/parameters/${key}`,
    code: 'BAD_PASS',
    message: `"${key}" allows only "2": the service runs both passes and keeps the log of the first.${silent === undefined ? '' : ` The other options are for the second pass: "${silent}" removes the ${silent === 'an' ? 'audio' : 'video'}.`}`,
    allowed: ['2'],
    fix: mayLackBitRate(options)
      ? `Send "pass": "2" with ${BIT_RATE}, or leave "pass" out. ${FOR_A_SIZE}`
      : sendOption('pass', '2'),
  });
  return false;
}

/** The part of a fix that says what two passes of libx264 and libx265 need. */
export const BIT_RATE = 'a bit rate instead of "crf" and "qp", such as "b:v": "2M"';

/** The end of a fix for two passes without a bit rate. Most clients want a certain file size. */
export const FOR_A_SIZE =
  'For a size in megabytes, send the recipe "target-size" with the argument "size" instead of these options.';

/** Matches options that set a bit rate, and options with which two passes need none. */
const RATES = /^(?:b(?::[vV\d].*)?|target|x26[45]-params(?::.*)?|x264opts|filter(?::.*)?|filter_complex|lavfi)$/;

/** True if two passes may lack a bit rate. The encoders of VP9 and AV1 need no bit rate: they also use two passes for a quality. */
const mayLackBitRate = (options: ParsedOptions): boolean =>
  !options.some((option) => RATES.test(keyOf(option))) &&
  !['c:v', 'c'].some((name) => /^lib(?:vpx|aom)/.test(`${sentValue(options, name) ?? ''}`));

/** The options that an element of `outputs` may have. Rejects options of inputs and of the whole run (`filter_complex`). */
export function withoutMisplaced(
  options: readonly ArgvOption[],
  { element }: Pick<OutputRequest, 'element'>,
  errors: FieldError[],
): readonly ArgvOption[] {
  if (element === undefined) return options;
  const isOwn = isOwnOption({ element });
  for (const name of WHOLE_REQUEST_OPTIONS)
    if (element.names.has(name))
      errors.push(
        ofWholeRequest({ field: `${element.pointer}/parameters/${name}`, values: name === 'y' ? [] : ['2'] }),
      );
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

type SentOption = Pick<ArgvOption, 'field' | 'values'>;

const ofWholeRequest = (option: SentOption): FieldError => ({
  field: option.field,
  code: 'WRONG_SIDE',
  message: `"${sentName(option)}" applies to the whole run of ffmpeg, so it cannot be set for one of "outputs".`,
  fix: inParameters(option),
});

const ofInputs = (option: SentOption): FieldError => ({
  field: option.field,
  code: 'WRONG_SIDE',
  message: `"${sentName(option)}" is an input option, so it cannot be set for one of "outputs": all outputs read the same inputs.`,
  fix: orElse(inParameters(option), 'of one of "inputs"'),
});

/** The fix that sends an option in the "parameters" of the request. It gives a flag the value `""`. */
function inParameters(option: SentOption): Edits {
  const [value = '', ...others] = option.values;
  return sendIn('parameters', sentName(option), others.length === 0 ? value : option.values);
}
