import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { OptionMeaning } from '@telecine/contract/wire/capabilities.ts';
import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { usableTypes } from '../allowlist/device-components.ts';
import { type Catalogue, isCodecUse, usesOf } from '../catalogue/catalogue.ts';
import { isNameError, parseOptionName, printOptionName } from '../plan/request/option-name.ts';
import { isMisnamed, parseOption } from '../plan/request/parse-request.ts';
import { checkRejected, checkSpecifier, unusableOption } from '../plan/request/unknown-options.ts';
import { HANDLED_ELSEWHERE } from '../plan/request/whole-run-options.ts';
import { optionMeanings } from './options.ts';

/**
 * Finds the meanings of an option name, or returns the error that a request with this name would get. A meaning has the name as in ffmpeg's
 * argv: `filter:v` for `vf`.
 */
export function meaningsOf(sent: string, catalogue: Catalogue): readonly OptionMeaning[] | Omit<FieldError, 'field'> {
  const parsed = parseOptionName(sent);
  if (isNameError(parsed)) return parsed;
  const onDevice = hwaccelMeanings(catalogue).filter(({ name }) => name === sent);
  if (onDevice.length > 0) return onDevice;
  const rejection = checkRejected(parsed);
  if (rejection !== undefined) return rejection;
  const meanings = allMeanings(catalogue).filter(({ name }) => name === parsed.name);
  const option = parseOption(sent, '', '/name');
  if (meanings.length === 0)
    return isMisnamed(option) ? option.error : (unusableOption(option, catalogue) satisfies Omit<FieldError, 'field'>);
  const rule = CLI_RULES.get(parsed.name);
  const takes = rule === undefined ? usesOf(catalogue, parsed.name).some(isCodecUse) && 'stream' : rule.specifier;
  const isHandled = HANDLED_ELSEWHERE.has(sent);
  const error = isHandled ? undefined : checkSpecifier(parsed, takes === false ? undefined : takes);
  return error ?? meanings.map((one) => ({ ...one, name: isHandled ? sent : printOptionName(parsed) }));
}

/** Lists every option under its canonical name. */
export const allMeanings = (catalogue: Catalogue): readonly OptionMeaning[] => [
  ...SERVICE_MEANINGS,
  ...hwaccelMeanings(catalogue),
  ...optionMeanings(catalogue),
];

/** The meanings of the options that decode on a device. Empty if no worker has a device. */
function hwaccelMeanings({ devices }: Catalogue): readonly OptionMeaning[] {
  const constants = usableTypes(devices).map((name) => ({ name, help: '' }));
  if (constants.length === 0) return [];
  const shared = { of: ['ffmpeg'], on: 'input', type: 'value', constants } as const;
  const description = 'Decodes on a hardware device. The processor decodes everything else.';
  const keeps = 'Keeps decoded frames on the device: for filters and encoders that take them there.';
  return [
    { ...shared, name: 'hwaccel', description },
    { ...shared, name: 'hwaccel_output_format', description: keeps },
  ];
}

/** The meanings of `f`, `y` and `pass`, which the service handles itself; see `HANDLED_ELSEWHERE`. */
const SERVICE_MEANINGS: readonly OptionMeaning[] = [
  {
    name: 'f',
    of: ['ffmpeg'],
    on: 'both',
    type: 'value',
    description: 'The format of the output, as the field "format" sets it; for an input, the format to read it as.',
  },
  {
    name: 'y',
    of: ['ffmpeg'],
    on: 'global',
    type: 'flag',
    description: 'Replaces an existing output. Without it, the job fails with OUTPUT_EXISTS.',
  },
  {
    name: 'pass',
    of: ['ffmpeg'],
    on: 'output',
    type: 'value',
    description: 'Encodes in two passes. The service runs both and keeps the log of the first.',
    constants: [{ name: '2', help: '' }],
  },
];
