import { type Edits, orElse, sendIn } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { type ArgvOption, sentName } from './argv-option.ts';
import { WHOLE_REQUEST_OPTIONS } from './overwrite-and-passes.ts';
import type { OutputRequest } from './parse-request.ts';

/**
 * Returns the options of an output without those that an element of `outputs` cannot have: options of the whole run, such
 * as `filter_complex`, and options of inputs. The errors about them are added to `errors`.
 */
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

/** Returns whether an option is for one output alone. All options are if the request has only one output. */
export const isOwnOption =
  ({ element }: Pick<OutputRequest, 'element'>) =>
  ({ field }: ArgvOption): boolean =>
    element === undefined || field.startsWith(`${element.pointer}/`);

type SentOption = Pick<ArgvOption, 'field' | 'values'>;

const ofWholeRequest = (option: SentOption): FieldError => ({
  field: option.field,
  code: 'WRONG_SIDE',
  message: `"${sentName(option)}" is for the whole run of ffmpeg, not for one of "outputs".`,
  fix: inParameters(option),
});

const ofInputs = (option: SentOption): FieldError => ({
  field: option.field,
  code: 'WRONG_SIDE',
  message: `"${sentName(option)}" is an input option, and the outputs share the inputs.`,
  fix: orElse(inParameters(option), 'of one of "inputs"'),
});

/** The fix that sends an option in the "parameters" of the request. A flag has no values in the argv. */
function inParameters(option: SentOption): Edits {
  const [value = '', ...others] = option.values;
  return sendIn('parameters', sentName(option), others.length === 0 ? value : option.values);
}
