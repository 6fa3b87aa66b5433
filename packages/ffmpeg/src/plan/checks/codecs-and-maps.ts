import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { deviceEncoderError } from '../../allowlist/device-components.ts';
import { type Catalogue, type CodecKind, encoderNamed, kindOfLetter } from '../../catalogue/catalogue.ts';
import { walkOf } from '../../filtergraph/graph.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { areAllCopied } from '../encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { isKnownSpecifier, STREAM_SPECIFIERS } from '../request/specifiers.ts';
import { firstOutputKind } from './graph-kinds.ts';
import type { OutputContext } from './option-targets.ts';

/** Checks that the encoders exist, and that maps name existing inputs. */
export function checkCodecsAndMaps({ options, catalogue, errors }: OutputContext, inputCount: number): void {
  const allowsExperiments = options.some(
    ({ name, values }) => name.name === 'strict' && /^(?:experimental|-[2-9])$/.test(values[0] ?? ''),
  );
  // Count the file of an option `i` as an input, as maps do. Its name has an error of its own.
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
  for (const value of values) {
    const specifier = isMap ? SPECIFIER.exec(value)?.[1] : undefined;
    if (specifier !== undefined && !isKnownSpecifier(specifier))
      errors.push({
        field,
        code: 'BAD_SPECIFIER',
        message: `${quoted(specifier)} is not a stream specifier.`,
        allowed: STREAM_SPECIFIERS,
      });
    // In `map`, "-" before the number removes streams. In the other options, "-1" means no input.
    const index = (isMap ? /^-?(\d+)/ : /^(\d+)/).exec(value)?.[1];
    if (index !== undefined && Number(index) >= inputCount)
      errors.push({
        field,
        code: 'NO_SUCH_INPUT',
        message: `${quoted(value)} refers to an input that the request does not have: inputs are numbered from 0.`,
        allowed: [inputCount === 1 ? '0' : `0 to ${inputCount - 1}`, ...(isMap ? [] : ['-1'])],
      });
  }
  // ffmpeg ignores a map that removes nothing if it ends with "?".
  if (isMap && values.every((value) => value.startsWith('-')) && values.some((value) => !value.endsWith('?')))
    errors.push({
      field,
      code: 'BAD_VALUE',
      message:
        '"map" only removes streams, and selects none. "0" before the others selects all streams of the first input.',
    });
}

/** Captures the specifier of a map, without the "?" that makes the map optional. */
const SPECIFIER = /^-?\d+:(.+?)(?::?\?)?$/;

/** Rejects filters on copied streams, because ffmpeg does not start with them. */
export function rejectFilteredCopies({ options, encoders, catalogue, errors }: Omit<OutputContext, 'muxer'>): void {
  const copies = options.filter(({ name, values }) => name.name === 'c' && values[0] === 'copy');
  if (copies.length === 0) return;
  for (const option of options) {
    const { name, field } = option;
    if (option.graphs === undefined) continue;
    const specifier = name.name === 'filter_complex' ? outputKind(option, catalogue) : name.specifier;
    const isGraph = name.name === 'filter' || specifier !== undefined;
    if (!isGraph || !areAllCopied(encoders, specifier)) continue;
    if (errors.some((error) => error.field === field)) continue;
    const [kind, letter] = specifier?.startsWith('a') ? (['audio', 'a'] as const) : (['video', 'v'] as const);
    const copy = copies.findLast(
      ({ name: { specifier: of = letter } }) => of.toLowerCase().startsWith(letter) || /^\d/.test(of),
    );
    const sent = copy === undefined ? 'copied' : `copied by "${sentName(copy)}": "copy"`;
    errors.push({
      field,
      code: 'NEEDS_ENCODER',
      message: `"${sentName(option)}" filters ${kind} that is ${sent}. Only a re-encoded stream can be filtered: "c:${letter}" needs an encoder.`,
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

/** The encoders that an error names. A build has hundreds. */
const COMMON_ENCODERS = (
  'copy libx264 libx265 libvpx libvpx-vp9 libsvtav1 libaom-av1 mpeg4 mpeg2video prores_ks dnxhd ffv1 gif apng png mjpeg ' +
  'libwebp aac libmp3lame libopus libvorbis flac alac ac3 eac3 pcm_s16le pcm_s24le mov_text webvtt srt ass'
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
    const isOfKind = (name: string): boolean => {
      const found = encoders.get(name)?.kind;
      return name === 'copy' || (found !== undefined && (kind ?? found) === found);
    };
    return {
      code: 'UNKNOWN_ENCODER',
      message: `The installed ffmpeg has no encoder ${quoted(value)}.`,
      nearest: { given: value, names: COMMON_ENCODERS.filter(isOfKind), is: 'value' },
    };
  }
  if (kind === undefined || kind === encoder.kind) return undefined;
  return {
    code: 'WRONG_ENCODER',
    message: `"${value}" is an encoder for ${encoder.kind}, not for ${kind}. "c:${encoder.kind.charAt(0)}" takes it.`,
  };
}

/** The error for an encoder that ffmpeg rejects as experimental, such as `opus` (unlike `libopus`). */
function experimentalEncoder(value: string, catalogue: Catalogue): ValueError | undefined {
  const encoder = encoderNamed(catalogue, value);
  if (encoder?.experimental !== true) return undefined;
  const others = [...catalogue.lists.encoders].filter(
    ([, { codec, experimental }]) => codec === encoder.codec && !experimental,
  );
  return {
    code: 'EXPERIMENTAL_ENCODER',
    message: `The encoder "${encoder.name}" is experimental, and ffmpeg uses it only with "strict": "experimental".`,
    nearest: { given: value, names: others.map(([name]) => name), is: 'value' },
  };
}

/** The kind of streams that a specifier matches. undefined: perhaps several, or a kind without encoders. */
const kindOf = (specifier = ''): CodecKind | undefined =>
  /^[vas](?::|$)/i.test(specifier) ? kindOfLetter(specifier.charAt(0)) : undefined;
