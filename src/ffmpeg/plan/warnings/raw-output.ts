import { extension, type MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
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
      fix: `Leave it out.${isForInput ? ` If it describes the input, send it there: ${JSON.stringify({ input, parameters: { f: muxer } })}.` : ''}`,
    },
  ];
}
