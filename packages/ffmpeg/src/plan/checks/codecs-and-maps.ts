import { addIn, addOption, orElse, sendOption, sendValue } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { encodersOfMuxer } from '../../allowlist/container-codecs.ts';
import { deviceEncoderError } from '../../allowlist/device-components.ts';
import { type Catalogue, type CodecKind, encoderNamed, kindOfLetter } from '../../catalogue/catalogue.ts';
import { walkOf } from '../../filtergraph/graph.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { areAllCopied } from '../encoders/stream-encoders.ts';
import { type ArgvOption, oneOrList, sentName } from '../request/argv-option.ts';
import { meantEncoder, stableEncoder } from '../request/meant-encoder.ts';
import { isKnownSpecifier, meantNumbers, meantSpecifier, STREAM_SPECIFIERS } from '../request/specifiers.ts';
import { firstOutputKind } from './graph-kinds.ts';
import type { OutputContext } from './option-targets.ts';

/** Checks that the encoders exist, and that maps name existing inputs. */
export function checkCodecsAndMaps({ options, catalogue, errors }: OutputContext, inputCount: number): void {
  const allowsExperiments = options.some(
    ({ name, values }) => name.name === 'strict' && /^(?:experimental|-[2-9])$/.test(values[0] ?? ''),
  );
  // Count the file of an option `i` as an input: the fix for this option makes it one, and maps may count it already.
  const count = inputCount + errors.filter(({ field }) => field.endsWith('/parameters/i')).length;
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
      checkMaps(option, count, errors);
  }
}

function checkMaps({ name, field, values }: ArgvOption, inputCount: number, errors: FieldError[]): void {
  const isMap = name.name === 'map';
  let fix: { readonly fix?: Hint } | undefined;
  for (const value of values) {
    const specifier = isMap ? PARTS.exec(value)?.[2] : undefined;
    if (specifier !== undefined && !isKnownSpecifier(specifier)) {
      fix ??= meantValues(values);
      errors.push({ field, ...badSpecifier(specifier), ...fix });
    }
    // In `map`, "-" before the number removes streams. In the other options, "-1" means no input.
    const index = (isMap ? /^-?(\d+)/ : /^(\d+)/).exec(value)?.[1];
    if (index !== undefined && Number(index) >= inputCount)
      errors.push({ field, ...noSuchInput(value, inputCount, isMap ? values.slice(0, MAX_MAPS + 1) : undefined) });
  }
  // ffmpeg ignores a map that removes nothing if it ends with "?".
  if (isMap && values.every((value) => value.startsWith('-')) && values.some((value) => !value.endsWith('?')))
    errors.push({
      field,
      code: 'BAD_VALUE',
      message: '"map" only removes streams, and selects none.',
      fix: sendOption('map', ['0', ...values]),
    });
}

/** Captures the parts of a map: the text before the specifier, the specifier, and the "?" that makes the map optional. */
const PARTS = /^(-?\d+:)(.+?)(:?\?)?$/;

const badSpecifier = (specifier: string): ValueError => ({
  code: 'BAD_SPECIFIER',
  message: `${quoted(specifier)} is not a stream specifier.`,
  allowed: STREAM_SPECIFIERS,
});

/** The fix with the maps that the client means. Empty: one of them is unclear. */
function meantValues(values: readonly string[]): { readonly fix?: Hint } {
  const meant = values.map(meantMaps);
  if (!meant.every((maps) => maps !== undefined)) return {};
  const maps = meant.flat();
  return { fix: sendOption('map', oneOrList(maps)) };
}

/** The maps that the client means by one invalid map. undefined: this is unclear. */
function meantMaps(map: string): readonly string[] | undefined {
  const [, before = '', specifier = '', mark = ''] = PARTS.exec(map) ?? [];
  if (specifier === '' || isKnownSpecifier(specifier)) return [map];
  const meant = meantSpecifier(specifier);
  if (meant === '') return [`${before.slice(0, -1)}${mark}`];
  if (meant !== undefined) return [`${before}${meant}${mark}`];
  return meantNumbers(specifier)?.map((one) => `${before}${one}${mark}`);
}

/** The maximum number of maps that a fix repeats. */
const MAX_MAPS = 10;

/**
 * The maps counted from 0, if the client counts from 1: no map has input 0, and the highest number is one too high. Otherwise undefined.
 */
function countedFromZero(maps: readonly string[], inputCount: number): readonly string[] | undefined {
  const numbers = maps.flatMap((map) => (/^-?\d+/.exec(map) ?? []).map((one) => Math.abs(Number(one))));
  if (inputCount < 2 || numbers.length === 0 || Math.min(...numbers) !== 1 || Math.max(...numbers) !== inputCount)
    return undefined;
  return maps.map((map) => map.replace(/\d+/, (one) => (/^-?\d/.test(map) ? String(Number(one) - 1) : one)));
}

/**
 * The error for a number that no input has.
 *
 * @param maps The first values of `map`. undefined: the option is not `map`.
 */
function noSuchInput(value: string, inputCount: number, maps: readonly string[] | undefined): ValueError {
  const number = /\d+/.exec(value)?.[0] ?? '';
  const fromZero = maps === undefined || maps.length > MAX_MAPS ? undefined : countedFromZero(maps, inputCount);
  if (fromZero !== undefined)
    return {
      code: 'NO_SUCH_INPUT',
      message: `${quoted(value)} refers to an input that the request does not have: inputs are numbered from 0, not from 1.`,
      fix: sendOption('map', oneOrList(fromZero)),
    };
  const meant = maps?.map((one) => (one === value ? value.replace(number, String(inputCount - 1)) : one));
  const file = `add the path of another file to "inputs" as number ${number}`;
  return {
    code: 'NO_SUCH_INPUT',
    message: `${quoted(value)} refers to an input that the request does not have: inputs are numbered from 0.`,
    allowed: [inputCount === 1 ? '0' : `0 to ${inputCount - 1}`],
    fix:
      meant === undefined
        ? orElse({ ...sendValue('-1'), why: 'it copies from no input' }, file)
        : meant.length > MAX_MAPS
          ? `Name one of the inputs that are there, or ${file}.`
          : orElse(sendOption('map', oneOrList(meant)), file),
  };
}

/** Rejects filters on copied streams, because ffmpeg does not start with them. */
export function rejectFilteredCopies({ options, encoders, muxer = '', catalogue, errors }: OutputContext): void {
  for (const option of options) {
    const { name, field } = option;
    if (option.graphs === undefined) continue;
    const specifier = name.name === 'filter_complex' ? outputKind(option, catalogue) : name.specifier;
    const isGraph = name.name === 'filter' || specifier !== undefined;
    if (!isGraph || !areAllCopied(encoders, specifier)) continue;
    if (errors.some((error) => error.field === field)) continue;
    const [kind, letter, usual] = specifier?.startsWith('a')
      ? (['audio', 'a', 'aac'] as const)
      : (['video', 'v', 'libx264'] as const);
    const held = encodersOfMuxer(muxer, kind).find((one) => catalogue.lists.encoders.has(one)) ?? usual;
    const copy = options.findLast(
      ({ name: { name: own, specifier: of = letter }, values }) =>
        own === 'c' && values[0] === 'copy' && (of.toLowerCase().startsWith(letter) || /^\d/.test(of)),
    );
    const sent = copy === undefined ? 'copied' : `copied by "${sentName(copy)}": "copy"`;
    errors.push({
      field,
      code: 'NEEDS_ENCODER',
      message: `"${sentName(option)}" filters ${kind} that is ${sent}. Only a re-encoded stream can be filtered.`,
      // The fix has the name that the client sent: two names for one option would be an error.
      fix: addOption(copy?.name.specifier === letter ? sentName(copy) : `c:${letter}`, held),
    });
  }
}

/** The kind of streams that a complex graph outputs. undefined: several kinds, or options of a filter determine it. */
function outputKind({ checkedGraphs = [] }: ArgvOption, catalogue: Catalogue): 'v' | 'a' | undefined {
  const kinds = new Set(
    checkedGraphs.flatMap((graph) => {
      const { taken } = walkOf(graph);
      const ends = graph.chains.flatMap((chain) => chain.at(-1) ?? []);
      return ends
        .filter(({ outputs }) => outputs.length === 0 || outputs.some((label) => !taken.has(label)))
        .map(({ name }) => firstOutputKind(name, catalogue));
    }),
  );
  const [kind] = kinds;
  if (kinds.size !== 1 || kind === undefined) return undefined;
  return kind === 'audio' ? 'a' : 'v';
}

/** Encoders that a message lists if none has a similar name. A build has hundreds. */
const COMMON_ENCODERS = (
  'libx264 libx265 libvpx-vp9 libsvtav1 libaom-av1 mpeg4 gif png mjpeg aac libmp3lame libopus libvorbis flac ' +
  'pcm_s16le mov_text webvtt srt ass'
).split(' ');

/** The error for an encoder that is missing, needs a device, or encodes another kind of stream. */
function checkEncoder(specifier: string | undefined, value: string, catalogue: Catalogue): ValueError | undefined {
  if (value === 'copy') return undefined;
  const { encoders } = catalogue.lists;
  const deviceError = deviceEncoderError(value, encoders, catalogue.devices);
  if (deviceError !== undefined) return deviceError;
  const encoder = encoderNamed(catalogue, value);
  const kind = kindOf(specifier);
  if (encoder === undefined) {
    const suggestion = meantEncoder(value, kind, catalogue);
    const ofKind = COMMON_ENCODERS.filter((name) => kind === undefined || encoderNamed(catalogue, name)?.kind === kind);
    return {
      code: 'UNKNOWN_ENCODER',
      message: `The installed ffmpeg has no encoder ${quoted(value)}.`,
      allowed: ['copy', ...ofKind.filter((name) => encoders.has(name))],
      ...(suggestion !== undefined && { fix: sendValue(suggestion) }),
    };
  }
  if (kind === undefined || kind === encoder.kind) return undefined;
  return {
    code: 'WRONG_ENCODER',
    message: `"${value}" is an encoder for ${encoder.kind}, not for ${kind}.`,
    fix: sendOption(`c:${encoder.kind.charAt(0)}`, value),
  };
}

/** The error for an encoder that ffmpeg rejects as experimental, such as `opus` (unlike `libopus`). */
function experimentalEncoder(value: string, catalogue: Catalogue): ValueError | undefined {
  const encoder = encoderNamed(catalogue, value);
  if (encoder?.experimental !== true) return undefined;
  const stable = stableEncoder(encoder.codec, catalogue);
  return {
    code: 'EXPERIMENTAL_ENCODER',
    message: `The encoder "${encoder.name}" is experimental, and ffmpeg uses it only with "strict".`,
    fix: stable === undefined ? addIn('parameters', 'strict', 'experimental') : sendValue(stable),
  };
}

/** The kind of streams that a specifier matches. undefined: perhaps several, or a kind without encoders. */
const kindOf = (specifier = ''): CodecKind | undefined =>
  /^[vas](?::|$)/i.test(specifier) ? kindOfLetter(specifier.charAt(0)) : undefined;
