import { extension as extensionOf } from '@telecine/contract/domain/media-path.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type ArgvOption, hasKey, serviceOption } from './argv-option.ts';
import {
  type FormatLookup,
  findFormat,
  findFormatByExtension,
  type MuxerNames,
  type OutputFormat,
} from './format-names.ts';
import { type OutputRequest, type ParsedOptions, sentValue } from './parse-request.ts';

/**
 * The container of a request: by `format` or `f`, or else by `target`, or else by the extension of the output (lower case, without dot).
 * undefined: none of them is valid; `errors` gets an error.
 */
export function selectFormat(
  { format, options }: OutputRequest,
  extension: string,
  muxers: MuxerNames,
  errors: FieldError[],
): OutputFormat | undefined {
  const sent: { readonly field: string; readonly text: string }[] = [];
  if (format !== undefined) sent.push({ field: '/format', text: format });
  const f = sentValue(options, 'f');
  if (typeof f === 'string') sent.push({ field: '/parameters/f', text: f });
  else if (f !== undefined)
    errors.push({
      field: '/parameters/f',
      code: 'NOT_REPEATABLE',
      message: '"f" takes one string, not a list.',
    });
  const [first, second] = sent.map(({ field, text }) => accept(findFormat(text, muxers), field, errors));
  if (sent.length === 0) {
    const lookup = formatOfTarget(options, muxers) ?? findFormatByExtension(extension, muxers);
    return accept(lookup, '/output', errors);
  }
  if (
    first !== undefined &&
    second !== undefined &&
    (first.muxer !== second.muxer || first.imageEncoder !== second.imageEncoder)
  )
    errors.push({
      field: '/parameters/f',
      code: 'FORMAT_CONFLICT',
      message: `"format" is "${sent[0]?.text}" and "f" is "${sent[1]?.text}", but both name the container.`,
    });
  return first ?? second;
}

function accept(lookup: FormatLookup, field: string, errors: FieldError[]): OutputFormat | undefined {
  if ('format' in lookup) return lookup.format;
  errors.push({ field, ...lookup.error });
  return undefined;
}

/** The container of `target`, whatever the extension: `"target": "pal-dvd"`. */
function formatOfTarget(options: ParsedOptions, muxers: MuxerNames): FormatLookup | undefined {
  const target = sentValue(options, 'target');
  const muxer = target === undefined ? undefined : TARGET.exec(String(target))?.[1];
  return muxer === undefined ? undefined : findFormat(muxer, muxers);
}

const TARGET = /^(?:(?:pal|ntsc|film)-)?(vcd|svcd|dvd|dv)(?:50)?$/;

/** The encoder of the image format. undefined: ffmpeg chooses the same encoder by the extension of the output. */
export function imageEncoder(format: OutputFormat, extension: string, muxers: MuxerNames): string | undefined {
  if (format.imageEncoder === undefined) return undefined;
  const byExtension = findFormatByExtension(extension, muxers);
  return 'format' in byExtension && byExtension.format.imageEncoder === format.imageEncoder
    ? undefined
    : format.imageEncoder;
}

/** Matches the names of devices that discard all data, as paths in the media root. */
const DISCARDING = /^(?:dev\/null|nul)$/i;

/** The error for an output such as `/dev/null`, which discards all data on a command line, but would be a file in the media root. */
export const discardedOutput = (path: string): ValueError | undefined =>
  DISCARDING.test(path)
    ? {
        code: 'NOT_A_FILE',
        message: `The output ${JSON.stringify(path)} would be a file of that name in the media root: no output discards data. Send another path.`,
      }
    : undefined;

/** Extensions and muxers of outputs that usually have only audio, and perhaps a cover. */
const AUDIO: ReadonlySet<string> = new Set(
  'mp3 m4a m4b aac adts flac wav w64 ogg oga opus wma mka mp2 ac3 eac3 aiff aif aifc amr caf au s16le'.split(' '),
);

/** True if files with this extension (lower case, without dot) usually have only audio. */
export const isAudioExtension = (one: string): boolean => AUDIO.has(one);

/** True if the output probably has only audio, by its extension, its container or the option `vn`. */
export function isAudioOnly({ output, options }: OutputRequest, format: OutputFormat | undefined): boolean {
  if (sentValue(options, 'vn') !== undefined) return true;
  if (typeof output === 'string' && AUDIO.has(extensionOf(output))) return true;
  return format !== undefined && format.muxer !== 'ipod' && AUDIO.has(format.muxer);
}

/**
 * Options that keep video and subtitles out of a `.mka` file, whose muxer also writes videos. Empty if the client selects the streams by a
 * map or a complex graph.
 */
export function audioAlone({ output, format }: OutputRequest, options: readonly ArgvOption[]): readonly ArgvOption[] {
  const name = format ?? (typeof output === 'string' ? extensionOf(output) : '');
  if (name.toLowerCase() !== 'mka' || hasKey(options, 'map', 'filter_complex')) return [];
  const sent = new Set(options.map(({ key }) => key));
  return ['vn', 'sn'].filter((key) => !sent.has(key)).map((key) => serviceOption(key, []));
}

/** Files whose tags belong to their first stream, as ffmpeg reads them. Also the names of their muxers. */
const TAGGED_STREAMS = /^(?:og[ga]|opus|spx)$/;

/** Options that keep the tags and the cover of a song in another format of songs, unless the client decides about them. */
export function albumOptions(
  { output, inputs: [first], join, cut }: OutputRequest,
  options: readonly ArgvOption[],
  format: OutputFormat | undefined,
): readonly ArgvOption[] {
  if (typeof output !== 'string' || typeof first?.path !== 'string' || format === undefined) return [];
  const name = extensionOf(first.path);
  if (!isAudioExtension(extensionOf(output))) return [];
  const losesTags = TAGGED_STREAMS.test(name) && !TAGGED_STREAMS.test(format.muxer);
  const choosesVideo =
    (join ?? cut) !== undefined ||
    options.some(({ name: option }) => /^(?:c|vn|map|filter_complex)$/.test(option.name));
  return [
    ...(losesTags && !hasKey(options, 'map_metadata', 'map_metadata:g')
      ? // A map of tags ends the copies of those of streams, such as languages.
        ['map_metadata', 'map_metadata:s:a'].map((key) => serviceOption(key, ['0:s:0']))
      : []),
    // By default, ffmpeg encodes a cover for this format as a video, which is not a cover.
    ...(format.muxer === 'ipod' && isAudioExtension(name) && !choosesVideo ? [serviceOption('c:v', ['copy'])] : []),
  ];
}
