import type { ConversionRequest, Recipe } from '@telecine/client';
import { isStored } from '../media/media-address.ts';
import { PARTS } from './part-options.ts';
import { PREVIEW_FOLDER } from './preview-job.ts';
import { hasPreview } from './without-recipe.ts';

/** The part of a source that is converted to look at it. */
export interface Part {
  /** Seconds from the start of the source. */
  readonly at: number;
  readonly seconds: number;
}

type Parameters = NonNullable<ConversionRequest['parameters']>;

/** How long the service keeps a preview. Long enough to look at it, and to come back from a break. */
const EXPIRES_AFTER_SECONDS = 1800;

type Kept = Pick<ConversionRequest, 'inputs' | 'parameters' | 'fallback'>;

/**
 * The request that converts a few seconds of the source with the options of another request. Of several outputs, it writes the
 * first. Undefined if that is not possible: for a recipe, which `withoutRecipe` replaces, and for joined inputs.
 *
 * @param name A name that no other preview has.
 */
export function previewRequest(request: ConversionRequest, part: Part, name: string): ConversionRequest | undefined {
  const { input, inputs = input === undefined ? [] : [input], join, preset, outputs, format } = request;
  const [first, ...others] = inputs;
  if (join !== undefined || preset !== undefined || first === undefined) return undefined;
  const own = typeof first === 'string' ? { input: first } : first;
  if (own.input === undefined) return undefined;
  const [written] = outputs ?? [{ output: request.output ?? '' }];
  const wanted = written?.format ?? format;
  const extension = /\.(\w{1,8})$/.exec(written?.output ?? '')?.[1] ?? wanted ?? 'mkv';
  const ofPart = (options: Parameters): Parameters => ({
    ...without(options, isImage(extension) ? ['ss', 'to', 't'] : PARTS),
    // The part of the first input does not end the others.
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
    parameters: ofPart({ ...request.parameters, ...written?.parameters }),
    ...(hasFallback && { fallback: ofPart(fallback) }),
  };
  return {
    ...kept,
    ...(wanted !== undefined && { format: wanted }),
    output: `${PREVIEW_FOLDER}/${name}.${extension}`,
    expiresAfterSeconds: EXPIRES_AFTER_SECONDS,
  };
}

/**
 * The request for the same part of the source, without loss and in the size and rate of a preview, with which the preview is
 * measured.
 */
export const referenceRequest = (
  source: string,
  { at, seconds }: Part,
  { width, height, fps }: { readonly width: number; readonly height: number; readonly fps?: number | undefined },
  name: string,
): ConversionRequest => ({
  inputs: [{ input: source, parameters: { ss: String(at), t: String(seconds) } }],
  parameters: {
    map: '0:v:0',
    vf: `scale=${width}:${height}`,
    'c:v': 'libx264',
    preset: 'ultrafast',
    qp: '0',
    ...(fps !== undefined && { r: String(fps) }),
  },
  output: `${PREVIEW_FOLDER}/${name}.mkv`,
  expiresAfterSeconds: EXPIRES_AFTER_SECONDS,
});

/** The path of the first input of a request. Undefined: it has none, or a filtergraph makes it. */
export function firstSource({ input, inputs }: ConversionRequest): string | undefined {
  const [first] = inputs ?? [];
  return input ?? (typeof first === 'string' ? first : first?.input);
}

/** Why there is no preview of a request, and what to do to see one. Undefined: there is one. */
export function missingPreviewText(request: ConversionRequest, recipe?: Recipe): string | undefined {
  if (recipe !== undefined && !hasPreview(recipe))
    return 'There is no preview of a recipe that reads or writes several files. Convert the file to see the result.';
  if (request.join !== undefined)
    return 'There is no preview of joined sources. Convert each by itself to see one of the first.';
  if (!isStored(firstSource(request) ?? ''))
    return 'There is no preview of a source that the service does not store. Upload the file to see one.';
  return undefined;
}

/** Filters that keep what the frames show: they change only size, rate or pixels. */
const SAME_CONTENT =
  /^(?:scale|fps|format|setsar|setdar|null|copy|setparams|zscale|unsharp|hqdn3d|nlmeans|deband)(?:@|=|$)/;

/** Whether the similarity to the source says something about the quality: no filter changes what the frames show or when. */
export function isComparable({ parameters = {}, outputs, join, inputs = [] }: ConversionRequest): boolean {
  const own: Parameters = { ...parameters, ...outputs?.[0]?.parameters };
  if (own['filter_complex'] !== undefined || own['lavfi'] !== undefined || join !== undefined || inputs.length > 1)
    return false;
  const graph = own['vf'] ?? own['filter:v'];
  return (
    graph === undefined || (typeof graph === 'string' && graph.split(',').every((one) => SAME_CONTENT.test(one.trim())))
  );
}

const without = (parameters: Parameters = {}, names: readonly string[]): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name) && name !== 'y'));

/** Whether files with this extension are still images. */
export const isImage = (extension: string): boolean => /^(?:jpe?g|png|webp|gif|avif|bmp|tiff?)$/i.test(extension);
