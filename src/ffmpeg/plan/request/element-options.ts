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
      errors.push(ofWholeRequest({ field: `${element.pointer}/parameters/${name}`, values: [] }));
  return options.filter((option) => {
    if (!isOwn(option) || (option.side !== 'global' && option.side !== 'input')) return true;
    errors.push(option.side === 'global' ? ofWholeRequest(option) : ofInputs(option.field, sentName(option)));
    return false;
  });
}

/** Returns whether an option is for one output alone. All options are if the request has only one output. */
export const isOwnOption =
  ({ element }: Pick<OutputRequest, 'element'>) =>
  ({ field }: ArgvOption): boolean =>
    element === undefined || field.startsWith(`${element.pointer}/`);

function ofWholeRequest(option: Pick<ArgvOption, 'field' | 'values'>): FieldError {
  const name = sentName(option);
  const [value, ...others] = option.values;
  return {
    field: option.field,
    code: 'WRONG_SIDE',
    message: `"${name}" is for the whole run of ffmpeg, not for one of "outputs".`,
    fix:
      value === undefined || others.length > 0
        ? `Send "${name}" in the "parameters" of the request, beside "outputs".`
        : `Send "${name}": ${JSON.stringify(value)} in the "parameters" of the request.`,
  };
}

const ofInputs = (field: string, name: string): FieldError => ({
  field,
  code: 'WRONG_SIDE',
  message: `"${name}" is an input option, and the outputs share the inputs.`,
  fix: `Send "${name}" in the "parameters" of the request, or of one of "inputs".`,
});
