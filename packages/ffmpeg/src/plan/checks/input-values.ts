import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { isTextType } from '../../allowlist/av-text.ts';
import { type AvUse, type Catalogue, usesOf } from '../../catalogue/catalogue.ts';
import type { AvOption } from '../../catalogue/component.ts';
import { componentOf } from '../../catalogue/components.ts';
import { checkAvValue } from '../../values/av-value.ts';
import { notBoolean } from '../../values/boolean.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, allFilters, hasKey } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { ENDING_OPTIONS, isEndlessInput, isEndlessSource } from '../request/sources.ts';

/** Checks the values of input options. A value must be valid for one demuxer or decoder that may use it. */
export function checkInputValues(inputs: readonly ArgvInput[], catalogue: Catalogue, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const { options, format } of inputs) {
    for (const option of options) {
      // Check an option of the whole request once, although it applies to every input.
      if (seen.has(option.field)) continue;
      seen.add(option.field);
      const [value] = option.values;
      if (value === undefined || catalogue.cli.get(option.name.name) !== undefined) continue;
      const error = checkOne(option, value, format, catalogue);
      if (error !== undefined) errors.push({ field: option.field, ...error });
    }
  }
}

function checkOne(
  { name, key, isBoolean }: ArgvOption,
  value: string,
  demuxer: string | undefined,
  catalogue: Catalogue,
): ValueError | undefined {
  const { generic, lists } = catalogue;
  const component = demuxer === undefined ? undefined : componentOf(catalogue, 'demuxer', demuxer);
  const own = component?.options.find((one) => one.name === name.name && one.decoding);
  if (own !== undefined) return checkAvValue(key, own, value, lists);
  const known = [generic.codec.get(name.name), generic.format.get(name.name)].filter((one) => one?.decoding === true);
  // Ignore text options of this name: they belong to devices, which no conversion reads.
  const privateUses = usesOf(catalogue, name.name).filter(
    (use) => use.owner === 'private' && use.decoding && !isTextType(use.type),
  );
  let firstError: ValueError | undefined;
  for (const option of [...known, ...privateUses.map((use) => optionOfType(name.name, use))]) {
    const isUnchecked = option === undefined || option.list;
    const wrong = option && checkAvValue(key, option, value, lists);
    const error = isBoolean && isUnchecked ? notBoolean(key) : wrong;
    if (error === undefined) return undefined;
    firstError ??= error;
  }
  return firstError;
}

/** Types whose values can be checked without the constants and the range of the option. */
const CHECKABLE_TYPES: ReadonlySet<string> = new Set([
  'boolean',
  'duration',
  'image_size',
  'video_rate',
  'color',
  'pix_fmt',
  'sample_fmt',
  'rational',
]);

/** An option of a demuxer or decoder of which only the type is known. undefined: its values cannot be checked. */
function optionOfType(name: string, { type, media }: AvUse): AvOption | undefined {
  if (!CHECKABLE_TYPES.has(type)) return undefined;
  return {
    name,
    type,
    media,
    list: false,
    encoding: false,
    decoding: true,
    deprecated: false,
    readOnly: false,
    help: '',
    constants: [],
  };
}

/** Rejects inputs that never end (see `isEndlessInput`), unless an option ends the output. */
export function checkSourceEnds(
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  errors: FieldError[],
): void {
  if (options.some(({ name }) => ENDING_OPTIONS.has(name.name))) return;
  const isShortest = hasKey(options, 'shortest');
  // Accept endless inputs with `shortest` if a filter or another input may end a stream, and with it the output.
  if (isShortest && (allFilters(options).length > 0 || !inputs.every(isEndlessInput))) return;
  for (const input of inputs) {
    const { path, field } = input.source;
    if (isEndlessSource(input))
      errors.push({
        field,
        code: 'NEEDS_DURATION',
        message: isShortest
          ? `The source ${quoted(path)} never ends, and "shortest" finds no input that ends.`
          : `The source ${quoted(path)} never ends, and nothing ends the output. "duration" beside "source" sets its length in seconds.`,
      });
  }
}
