import type { FieldError } from '../../../domain/problem.ts';
import { isTextType } from '../../allowlist/av-text.ts';
import { type AvUse, type Catalogue, componentOf, usesOf } from '../../catalogue/catalogue.ts';
import type { AvOption } from '../../catalogue/component.ts';
import { checkAvValue } from '../../values/av-value.ts';
import type { ValueError } from '../../values/value-error.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { ArgvOption } from '../request/resolve-options.ts';

/**
 * Whether the values of input options can be right. Which demuxer and decoders will read an input is mostly found in the
 * file, so a value is refused only where it suits none that may be given it.
 */
export function checkInputValues(inputs: readonly ArgvInput[], catalogue: Catalogue, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const { options, format } of inputs) {
    for (const option of options) {
      // An option of the whole request stands before every input.
      if (seen.has(option.field)) continue;
      seen.add(option.field);
      const [value] = option.values;
      if (value === undefined || catalogue.cli.get(option.name.name) !== undefined) continue;
      const fault = checkOne(option, value, format, catalogue);
      if (fault !== undefined) errors.push({ field: option.field, ...fault });
    }
  }
}

function checkOne(
  { name, key }: ArgvOption,
  value: string,
  demuxer: string | undefined,
  catalogue: Catalogue,
): ValueError | undefined {
  const { generic, lists } = catalogue;
  const named = demuxer === undefined ? undefined : componentOf(catalogue, 'demuxer', demuxer);
  const own = named?.options.find((one) => one.name === name.name && one.decoding);
  if (own !== undefined) return checkAvValue(key, own, value, lists);
  const known = [generic.codec.get(name.name), generic.format.get(name.name)].filter((one) => one?.decoding === true);
  // Devices, which no conversion reads, take as text what others take by type.
  const guessed = usesOf(catalogue, name.name).filter(
    (use) => use.owner === 'private' && use.decoding && !isTextType(use.type),
  );
  let first: ValueError | undefined;
  for (const option of [...known, ...guessed.map((use) => guess(name.name, use))]) {
    const fault = option === undefined ? undefined : checkAvValue(key, option, value, lists);
    if (fault === undefined) return undefined;
    first ??= fault;
  }
  return first;
}

/** Types whose values need no constants and no bounds to be told right from wrong. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'boolean',
  'duration',
  'image_size',
  'video_rate',
  'color',
  'pix_fmt',
  'sample_fmt',
  'rational',
]);

/** An option of a demuxer or decoder that nobody asked about: only its type is known. */
function guess(name: string, { type, media }: AvUse): AvOption | undefined {
  if (!PLAIN_TYPES.has(type)) return undefined;
  return {
    name,
    type,
    media,
    list: false,
    encoding: false,
    decoding: true,
    runtime: false,
    deprecated: false,
    readOnly: false,
    help: '',
    constants: [],
  };
}
