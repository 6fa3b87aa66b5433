import type { ConversionRequest } from '@telecine/client';
import { isSimpleGraph, isVideoGraph } from './graph-options.ts';
import { PREVIEW_FOLDER } from './preview-job.ts';
import { EXPIRES_AFTER_SECONDS, type Part, previewRequest } from './preview-request.ts';

type Parameters = NonNullable<ConversionRequest['parameters']>;

/** Options that choose frames, or change them before an encoder gets them. Besides filters, all others say how they are encoded. */
const BEFORE_ENCODER =
  /^(?:map|r|r:v(?::0)?|s|s:v(?::0)?|aspect(?::v(?::0)?)?|sws_flags|fps_mode(?::v(?::0)?)?|vsync)$/;

/**
 * The request for the reference to which a preview is compared: the same part of the source through the same filters, without loss, in the
 * size and frame rate of the preview. So a scaled, cropped or padded result is compared with what it was made from. undefined: there is no
 * preview.
 */
export function referenceRequest(
  request: ConversionRequest,
  part: Part,
  { width, height, fps }: { readonly width: number; readonly height: number; readonly fps?: number | undefined },
  name: string,
  sourceSeconds?: number,
): ConversionRequest | undefined {
  const preview = previewRequest(request, part, name, sourceSeconds);
  if (preview === undefined) return undefined;
  const kept = Object.fromEntries(
    Object.entries(preview.parameters ?? {}).filter(([option]) => isVideoGraph(option) || BEFORE_ENCODER.test(option)),
  );
  return {
    ...(preview.inputs !== undefined && { inputs: preview.inputs }),
    parameters: {
      ...withSize(kept, `scale=${width}:${height}`),
      ...(preview.parameters?.['t'] !== undefined && { t: preview.parameters['t'] }),
      ...(fps !== undefined && kept['r'] === undefined && { r: String(fps) }),
      'c:v': 'libx264',
      preset: 'ultrafast',
      qp: '0',
      // Encoders of audio and subtitles take time, and their streams are not compared.
      'c:a': 'flac',
      sn: '',
      dn: '',
    },
    output: `${PREVIEW_FOLDER}/${name}.mkv`,
    expiresAfterSeconds: EXPIRES_AFTER_SECONDS,
  };
}

/** Ends the filters of the video with a scaler. It changes nothing if the frames have this size already. */
function withSize(parameters: Parameters, scale: string): Parameters {
  if ('filter_complex' in parameters || 'lavfi' in parameters) return parameters;
  const [name = 'vf', graph] = Object.entries(parameters).find(([option]) => isSimpleGraph(option)) ?? [];
  const { s: _, 's:v': __, ...rest } = parameters;
  return { ...rest, [name]: graph === undefined ? scale : `${[graph].flat().join(',')},${scale}` };
}

/**
 * Whether the similarity to the source shows the quality. With a palette, the filters themselves take colours away, so that the loss would
 * be in the reference too.
 */
export function isComparable({ parameters = {}, outputs, join }: ConversionRequest): boolean {
  const own: Parameters = { ...parameters, ...outputs?.[0]?.parameters };
  return join === undefined && !/\bpaletteuse\b/.test(JSON.stringify(own));
}
