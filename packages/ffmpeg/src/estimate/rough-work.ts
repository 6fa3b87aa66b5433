import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { VideoWork } from '@telecine/contract/domain/work-kinds.ts';
import { processorSecondsOf, workOfEncoder } from './conversion-time.ts';

/** The bits for one pixel of a usual video. Videos of cameras have more, and recordings of screens have less. */
const BITS_PER_PIXEL = 0.1;

/** The megapixels in one second of a usual video. */
const MEGAPIXELS_PER_SECOND = (1920 * 1080 * 25) / 1e6;

/** The encoders that ffmpeg uses by default, by the extension of the output. Any other video gets libx264. */
const DEFAULT_ENCODERS: Readonly<Record<string, string>> = { webm: 'libvpx-vp9' };

/**
 * Estimates the work of a request from the size of its largest input alone, when nobody has read the input yet: several
 * times too much or too little, but enough to tell hours from minutes. `seconds`: how long the outputs are at most.
 * undefined: the request encodes no video, or its encoder has no known speed.
 */
export function roughWork(
  request: Pick<ConversionRequest, 'parameters' | 'outputs' | 'output' | 'format'>,
  inputBytes: number,
  seconds = Number.POSITIVE_INFINITY,
): { readonly work: VideoWork; readonly processorSeconds: number } | undefined {
  const [first] = request.outputs ?? [];
  const parameters = { ...request.parameters, ...first?.parameters };
  const option = (name: string): string | undefined =>
    [parameters[`${name}:v`], parameters[name], parameters[`${name}:v:0`]].find((one) => typeof one === 'string');
  if (parameters['vn'] !== undefined) return undefined;
  const format = first?.format ?? request.format ?? /\.(\w+)$/.exec(first?.output ?? request.output ?? '')?.[1] ?? '';
  const encoder = option('c') ?? option('codec') ?? option('vcodec') ?? DEFAULT_ENCODERS[format] ?? 'libx264';
  const perMegapixel = encoder === 'copy' ? undefined : processorSecondsOf(encoder, option);
  if (perMegapixel === undefined) return undefined;
  const megapixels = Math.min((inputBytes * 8) / BITS_PER_PIXEL / 1e6, seconds * MEGAPIXELS_PER_SECOND);
  return { work: workOfEncoder(encoder), processorSeconds: megapixels * perMegapixel };
}
