import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { usableTypes } from '../../allowlist/device-components.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { quoted } from '../../values/value-error.ts';
import type { ArgvOption } from './argv-option.ts';
import { namedOptions, type ParsedOptions } from './parse-request.ts';

/** Input options that decode on a device. They are rejected if no worker has a device. */
const HWACCEL_OPTIONS: ReadonlySet<string> = new Set(['hwaccel', 'hwaccel_output_format']);

/** If a worker has a device, adds these options to the options that `resolveOptions` skips. */
export const withHwaccel = (skipped: ReadonlySet<string>, { devices }: Catalogue): ReadonlySet<string> =>
  usableTypes(devices).length === 0 ? skipped : new Set([...skipped, ...HWACCEL_OPTIONS]);

/** Reads the options that decode on a device, as input options for the argv. Appends their errors to `errors`. */
export function hwaccelOptions(
  parsed: ParsedOptions,
  { devices }: Catalogue,
  errors: FieldError[],
): readonly ArgvOption[] {
  const types = usableTypes(devices);
  if (types.length === 0) return [];
  const sent = namedOptions(parsed).filter(({ key }) => HWACCEL_OPTIONS.has(key));
  return sent.flatMap(({ name, key, field, value }) => {
    if (value === 'none' && key === 'hwaccel') return [];
    if (typeof value === 'string' && types.includes(value))
      return [{ name, key, field, side: 'input' as const, values: [value], containerOnly: false }];
    errors.push({
      field,
      code: 'NEEDS_DEVICE',
      message: `"${key}" must be a type of device that the operator has allowed, not ${quoted(String(value))}.`,
      nearest: { given: String(value), names: types, is: 'value' },
    });
    return [];
  });
}
