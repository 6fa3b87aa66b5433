import type { ConversionRequest, Parameters } from '../../../domain/conversion.ts';
import { type FieldError, pointerToken } from '../../../domain/problem.ts';
import {
  type FormatLookup,
  findFormat,
  findFormatByExtension,
  type MuxerNames,
  type OutputFormat,
} from './format-names.ts';

/**
 * The container of a request: what `format` or its other name, `f` in `parameters`, says; else what `target` means;
 * else what the output's extension (lower case, without dot) says. undefined: none does, and `errors` says why.
 */
export function selectFormat(
  request: ConversionRequest,
  extension: string,
  muxers: MuxerNames,
  errors: FieldError[],
): OutputFormat | undefined {
  const named: { readonly field: string; readonly text: string }[] = [];
  if (request.format !== undefined) named.push({ field: '/format', text: request.format });
  const { parameters } = request;
  if (parameters !== undefined && Object.hasOwn(parameters, 'f')) {
    const f = parameters['f'];
    const field = `/parameters/${pointerToken('f')}`;
    if (typeof f === 'string') named.push({ field, text: f });
    else errors.push({ field, code: 'NOT_REPEATABLE', message: 'There is one format.', fix: 'Send one string.' });
  }
  const [first, second] = named.map(({ field, text }) => {
    const found = findFormat(text, muxers);
    if ('format' in found) return found.format;
    errors.push({ field, ...found.error });
    return undefined;
  });
  if (named.length === 0) {
    const found = formatOfTarget(parameters, muxers) ?? findFormatByExtension(extension, muxers);
    if ('format' in found) return found.format;
    errors.push({ field: '/output', ...found.error });
    return undefined;
  }
  if (first !== undefined && second !== undefined && (first.muxer !== second.muxer || first.picture !== second.picture))
    errors.push({
      field: '/parameters/f',
      code: 'FORMAT_CONFLICT',
      message: `"format" says "${named[0]?.text}" and "f" says "${named[1]?.text}"; both mean the container.`,
      fix: 'Send only "format".',
    });
  return first ?? second;
}

/** `pal-dvd` sets a container among all else, whatever the extension. */
function formatOfTarget(parameters: Parameters | undefined, muxers: MuxerNames): FormatLookup | undefined {
  if (parameters === undefined || !Object.hasOwn(parameters, 'target')) return undefined;
  const muxer = TARGET.exec(String(parameters['target']))?.[1];
  return muxer === undefined ? undefined : findFormat(muxer, muxers);
}

const TARGET = /^(?:(?:pal|ntsc|film)-)?(vcd|svcd|dvd|dv)(?:50)?$/;

/**
 * The encoder that makes a picture of the named format, where the output's extension would make ffmpeg
 * choose another (`"format": "png"` into `x.jpg`, or into a name without extension).
 */
export function pictureEncoder(format: OutputFormat, extension: string, muxers: MuxerNames): string | undefined {
  if (format.picture === undefined) return undefined;
  const byExtension = findFormatByExtension(extension, muxers);
  return 'format' in byExtension && byExtension.format.picture === format.picture ? undefined : format.picture;
}
