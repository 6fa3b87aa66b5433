import { leaveOut, sendOption, withMore } from '../../../domain/edit.ts';
import { extension, type MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { holdsNoSound } from '../../allowlist/containers.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { isFilmExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { isAudioExtension } from '../request/select-muxer.ts';
import type { FormatField } from './format-field.ts';

/** Formats of samples or pictures alone, without a header. */
const RAW = /^(?:[fsu](?:8|16|24|32|64)(?:le|be)?|alaw|mulaw|rawvideo)$/;

/**
 * Warns about a raw format for an output whose name says another: players do not recognise such a file. On the command
 * line, the option stands before the raw input that it describes.
 */
export function rawOutput(
  inputs: readonly ArgvInput[],
  { muxer, path, formatField }: { readonly muxer: string; readonly path: MediaPath; readonly formatField: FormatField },
): readonly Warning[] {
  const name = extension(path);
  if (formatField === '/output' || !RAW.test(muxer) || RAW.test(name)) return [];
  if (!isFilmExtension(name) && !isAudioExtension(name)) return [];
  const input = inputs.find(({ format }) => format === undefined)?.source.path;
  const isForInput = input !== undefined && !isFilmExtension(extension(input)) && !isAudioExtension(extension(input));
  return [
    {
      field: formatField,
      code: 'UNUSUAL_VALUE',
      message: `The format ${muxer} has no header, so players do not recognise "${path}": its name says ${name}.`,
      fix: isForInput
        ? `Leave it out. If it describes the input, send it there: ${JSON.stringify({ input, parameters: { f: muxer } })}.`
        : leaveOut(),
    },
  ];
}

/**
 * Formats of a single stream with the name of its codec, and the encoder for the same codec in a container. `m4v` has
 * none: the name means the container too.
 */
const STREAM_FORMATS: ReadonlyMap<string, string | undefined> = new Map([
  ['h264', 'libx264'],
  ['hevc', 'libx265'],
  ['mjpeg', 'mjpeg'],
  ['m4v', undefined],
  ['mpeg1video', 'mpeg1video'],
  ['mpeg2video', 'mpeg2video'],
  ['adts', 'aac'],
  ['ac3', 'ac3'],
  ['eac3', 'eac3'],
]);

/** Extensions of containers that hold pictures and sound together. */
const CONTAINERS = /^(?:mp4|m4v|mov|mkv|avi|ts|mts|m2ts|m4a|m4b|mka)$/;

/**
 * Warns about the format of a single stream, such as `h264`, for an output whose name says a container. The output would
 * have no sound (or no picture), no times and no index.
 */
export function streamFormat(
  options: readonly ArgvOption[],
  { muxer, path, formatField }: { readonly muxer: string; readonly path: MediaPath; readonly formatField: FormatField },
): readonly Warning[] {
  const encoder = STREAM_FORMATS.get(muxer);
  const name = extension(path);
  if (formatField === '/output' || !STREAM_FORMATS.has(muxer) || !CONTAINERS.test(name)) return [];
  const isPicture = holdsNoSound(muxer);
  const kind = isPicture ? 'v' : 'a';
  const hasCodec = options.some(
    (option) => option.name.name === 'c' && (option.name.specifier ?? kind).startsWith(kind),
  );
  return [
    {
      field: formatField,
      code: 'UNUSUAL_VALUE',
      message: `The format ${muxer} is a bare stream without ${isPicture ? 'sound' : 'pictures'}, and not a container: "${path}" says ${name}.`,
      fix:
        hasCodec || encoder === undefined
          ? leaveOut()
          : formatField === '/format'
            ? `Leave it out, and send "c:${kind}": "${encoder}" in "parameters".`
            : withMore(sendOption(`c:${kind}`, encoder), { do: 'remove', name: 'f' }),
    },
  ];
}
