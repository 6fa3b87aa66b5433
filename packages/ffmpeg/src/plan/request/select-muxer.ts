import { leaveOut, orElse, sendIn, sendOption, sendValue } from '@telecine/contract/domain/edit.ts';
import { extension as extensionOf } from '@telecine/contract/domain/media-path.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { Lists } from '../../catalogue/catalogue.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
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
 *
 * @param names Names of pixel formats, sample formats and encoders, for an error about one of them.
 */
export function selectFormat(
  { format, options, output }: OutputRequest,
  extension: string,
  muxers: MuxerNames,
  errors: FieldError[],
  names?: Parameters<typeof misplacedFormat>[3],
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
      fix: `Send, for example, "f": ${JSON.stringify(f[0] ?? '')}.`,
    });
  const acceptNamed = (text: string, field: string): OutputFormat | undefined => {
    const several = text === 'tee' && typeof output === 'string' ? teeOutputs(output, field) : undefined;
    if (several !== undefined) {
      errors.push(several);
      return undefined;
    }
    const lookup = findFormat(text, muxers);
    const isUnknown = 'error' in lookup && lookup.error.code === 'UNKNOWN_FORMAT' && names !== undefined;
    const misplaced = isUnknown ? misplacedFormat(text, field, options, names) : undefined;
    if (misplaced === undefined) return accept(lookup, field, errors);
    errors.push(misplaced);
    return undefined;
  };
  const isFirstPass = FIRST_PASS.test(String(sentValue(options, 'pass') ?? sentValue(options, 'pass:v') ?? ''));
  const [first, second] = sent.map(({ field, text }) =>
    isFirstPass && /^(?:null|rawvideo)$/i.test(text)
      ? discardsFirstPass(field, text, errors)
      : acceptNamed(text, field),
  );
  if (sent.length === 0) {
    const lookup = formatOfTarget(options, muxers) ?? findFormatByExtension(extension, muxers);
    return accept('error' in lookup ? ofTemplate(lookup, output, options) : lookup, '/output', errors);
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
      fix: leaveOut(undefined, '"format" is enough'),
    });
  return first ?? second;
}

/** Matches the values of `pass` in a command whose output is discarded. */
const FIRST_PASS = /^[123]$/;

/** Adds the error for the format of a first pass on the command line. The service runs both passes itself. */
function discardsFirstPass(field: string, text: string, errors: FieldError[]): undefined {
  errors.push({
    field,
    code: 'FORMAT_NOT_ALLOWED',
    message: `The format "${text}" is for a first pass alone. The service runs both passes in one job.`,
    fix: leaveOut(undefined, 'the extension of the output names the format'),
  });
}

/** Options of yt-dlp that set the extension in its file name templates: `film.%(ext)s`. */
const EXTENSION_OPTIONS = ['audio-format', 'recode-video', 'remux-video', 'merge-output-format'];

/** The error for an output that is a template. The fix is the name that the template means. */
function ofTemplate(
  lookup: Extract<FormatLookup, { error: unknown }>,
  output: unknown,
  options: ParsedOptions,
): FormatLookup {
  if (typeof output !== 'string' || !/\.%\((?:ext|format)\)s$/.test(output)) return lookup;
  const extension = EXTENSION_OPTIONS.flatMap((name) => [name, name.replaceAll('-', '_')])
    .map((name) => sentValue(options, name))
    .find((one) => typeof one === 'string' && /^\w{2,5}$/.test(one));
  const path = output.replace(/%\(\w+\)s$/, () => String(extension ?? 'mp4'));
  const fix =
    extension === undefined ? `Send a path with an extension, such as ${JSON.stringify(path)}.` : sendValue(path);
  return { error: { ...lookup.error, message: 'The output is a template, which the service does not fill in.', fix } };
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
        message: `The output ${JSON.stringify(path)} would be a file of that name in the media root.`,
        fix: orElse(sendValue('out.mp4'), 'another name of a file'),
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

/** Matches one output of the muxer `tee`: `[f=hls:hls_time=4]b.m3u8`. */
const SLAVE = /^(?:\[([^\]]*)\])?([^[\]|]+)$/;

/** Matches options of `tee` itself. The outputs in the fix do not get these options. */
const OWN = /^(?:select|bsfs(?:\/.*)?|onfail|use_fifo|fifo_options)$/;

/**
 * The error for several outputs of the muxer `tee` in one path (`a.mp4|[f=hls]b.m3u8`). The fix sends them as `outputs`. undefined: the
 * outputs are unclear. `field`: the field that names the muxer.
 */
function teeOutputs(output: string, field: string): FieldError | undefined {
  const slaves = output.split('|');
  const outputs = slaves.map((slave) => {
    const [, options = '', path] = SLAVE.exec(slave.trim()) ?? [];
    const pairs = options.split(':').filter((one) => one !== '');
    const parsed = pairs.map((one) => /^([\w/]+)=(.+)$/.exec(one));
    if (path === undefined || parsed.some((one) => one === null || OWN.test(one[1] ?? ''))) return undefined;
    const { f, ...parameters } = Object.fromEntries(parsed.map((one) => [one?.[1] ?? '', one?.[2] ?? '']));
    return {
      output: path,
      ...(f !== undefined && { format: f }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    };
  });
  if (slaves.length < 2 || outputs.includes(undefined)) return undefined;
  return {
    field,
    code: 'FORMAT_NOT_ALLOWED',
    message: 'The format "tee" is not allowed: it writes several outputs. Several outputs are the field "outputs".',
    fix: {
      ...sendIn('request', 'outputs', outputs),
      note: `They replace "output" and "${field.split('/').at(-1)}".`,
    },
  };
}

type OtherNames = Pick<Lists, 'pixelFormats' | 'sampleFormats' | 'encoders'>;

/** Returns what a name is, such as a pixel format, and the option that takes it. */
function meaningOf(name: string, { pixelFormats, sampleFormats, encoders }: OtherNames) {
  if (pixelFormats.has(name)) return { what: 'a pixel format', option: 'pix_fmt' };
  if (sampleFormats.has(name)) return { what: 'a sample format', option: 'sample_fmt' };
  const encoder = encoders.get(name);
  return encoder && { what: 'an encoder', option: `c:${encoder.kind.charAt(0)}` };
}

/** The error for a name that is not a container, but something else that ffmpeg knows, such as a pixel format. undefined: another name. */
function misplacedFormat(
  text: string,
  field: string,
  options: ParsedOptions,
  names: OtherNames,
): FieldError | undefined {
  const name = text.toLowerCase();
  const meaning = meaningOf(name, names);
  if (meaning === undefined) return undefined;
  const { what, option } = meaning;
  const isSet = sentValue(options, option) !== undefined;
  return {
    field,
    code: 'UNKNOWN_FORMAT',
    message: `${quoted(text)} is ${what}, not a container: the extension of the output names the container.`,
    fix: isSet ? leaveOut() : field === '/format' ? sendIn('parameters', option, name) : sendOption(option, name),
  };
}
