import type { ConversionRequest } from '@telecine/client';
import { convertedPart } from '../../packages/contract/src/domain/converted-part.ts';
import { readsTimes } from './burnt-words.ts';
import { isSimpleGraph } from './graph-options.ts';
import { PARTS, SOURCE_TIMES } from './part-options.ts';
import { PREVIEW_FOLDER } from './preview-job.ts';

/** The part of a source that a preview converts. */
export interface Part {
  /** Seconds from the start of the source. */
  readonly at: number;
  readonly seconds: number;
}

type Parameters = NonNullable<ConversionRequest['parameters']>;

/** How long the service keeps a preview. Half an hour is enough to look at it, and to continue after a break. */
export const EXPIRES_AFTER_SECONDS = 1800;

type Kept = Pick<ConversionRequest, 'inputs' | 'parameters' | 'fallback'>;

/**
 * The request for a preview: it converts a few seconds of the source with the options of `request`. If there are
 * several outputs, it writes only the first. undefined: there is no preview, because the request has joined inputs or a
 * recipe (see `withoutRecipe`).
 *
 * @param name A name that no other preview has.
 * @param sourceSeconds The length of the source. undefined: unknown.
 */
export function previewRequest(
  request: ConversionRequest,
  part: Part,
  name: string,
  sourceSeconds?: number,
): ConversionRequest | undefined {
  const { input, inputs = input === undefined ? [] : [input], join, preset, outputs, format } = request;
  const [first, ...others] = inputs;
  if (join !== undefined || preset !== undefined || first === undefined) return undefined;
  const own = typeof first === 'string' ? { input: first } : first;
  if (own.input === undefined) return undefined;
  const [written] = outputs ?? [{ output: request.output ?? '' }];
  const wanted = written?.format ?? format;
  const extension = /\.(\w{1,8})$/.exec(written?.output ?? '')?.[1] ?? wanted ?? 'mkv';
  const output = { ...request.parameters, ...written?.parameters };
  const { filterStart } = convertedPart({ input: own.parameters, output, duration: sourceSeconds });
  const dropped = [...(isImage(extension) ? ['ss', 'sseof', 'to', 't'] : PARTS), ...SOURCE_TIMES];
  const ofPart = (options: Parameters): Parameters => ({
    ...withTimesOfRequest(without(options, dropped), part.at - filterStart),
    // `t` of the first input does not limit the other inputs, so limit the output too.
    ...(others.length > 0 && { t: String(part.seconds) }),
  });
  const fallback = { ...(request.fallback ?? request.parameters), ...(written?.fallback ?? written?.parameters) };
  const hasFallback = request.fallback !== undefined || written?.fallback !== undefined;
  const kept: Kept = {
    inputs: [
      {
        ...own,
        input: own.input,
        parameters: {
          ...without(own.parameters, PARTS),
          ss: String(part.at),
          t: String(part.seconds),
        },
      },
      ...others,
    ],
    parameters: ofPart(output),
    ...(hasFallback && { fallback: ofPart(fallback) }),
  };
  return {
    ...kept,
    ...(wanted !== undefined && { format: wanted }),
    output: `${PREVIEW_FOLDER}/${name}.${extension}`,
    expiresAfterSeconds: EXPIRES_AFTER_SECONDS,
  };
}

/** The request for the first frame of a preview. Slow encoders need as long for each further frame. */
export function firstFrameOf({ parameters, fallback, ...preview }: ConversionRequest): ConversionRequest {
  const one = { 'frames:v': '1' };
  return {
    ...preview,
    parameters: { ...parameters, ...one },
    ...(fallback !== undefined && { fallback: { ...fallback, ...one } }),
  };
}

/**
 * Gives the frames of a preview the times that filters of the request get, if the filters act by them. Otherwise, a preview would show the first
 * subtitles. `offset`: how much later these times are than those of the preview, in seconds.
 */
function withTimesOfRequest(options: Parameters, offset: number): Parameters {
  const by = Number(offset.toFixed(6));
  const shifted = ([name, value]: readonly [string, Parameters[string]]) => {
    const isShifted = isSimpleGraph(name) && typeof value === 'string' && readsTimes(value);
    return [name, isShifted ? `setpts=PTS+(${by})/TB,${value},setpts=PTS-(${by})/TB` : value] as const;
  };
  return by === 0 ? options : Object.fromEntries(Object.entries(options).map(shifted));
}

const without = (parameters: Parameters = {}, names: readonly string[]): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name) && name !== 'y'));

/** Whether files with this extension are still images. */
export const isImage = (extension: string): boolean => /^(?:jpe?g|png|webp|gif|avif|bmp|tiff?)$/i.test(extension);
