import { addOption, orElse } from '../../domain/edit.ts';
import type { OutputStream } from '../../domain/job.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { hasAlpha, keepAlpha, opaqueFormat } from './kept-alpha.ts';
import { isPlayabilityPlanned, playable } from './picture-checks.ts';
import type { RunContext } from './run-context.ts';

/** A stream of an input, and the stream of the output that an encoder made of it. */
interface EncodedStream {
  readonly from: OutputStream;
  readonly to: OutputStream;
}

/** The encoded streams of one kind. A copy has the properties of the input. */
const encodedStreams = (
  { inputs, used, outputStreams }: FinishedPass,
  kind: OutputStream['type'],
): readonly EncodedStream[] =>
  used.flatMap(({ input, stream, output, copied }) => {
    const from = inputs[input]?.streams.find(({ index }) => index === stream);
    const to = outputStreams.find(({ index }) => index === output);
    return copied || from?.type !== kind || to?.type !== kind ? [] : [{ from, to }];
  });

/** Opus has one sample rate, whatever the input has. */
const ONE_RATE: ReadonlySet<string> = new Set(['opus']);

/** A sample rate that no option asks for. */
export const changedSampleRate = ({ pass, options }: RunContext): readonly RunWarning[] =>
  encodedStreams(pass, 'audio').flatMap(({ from, to }): readonly RunWarning[] => {
    const [before, after] = [from.sampleRate, to.sampleRate];
    if (before === undefined || after === undefined || before === after) return [];
    if (options.setsSampleRate || ONE_RATE.has(to.codec)) return [];
    return [
      {
        code: 'SAMPLE_RATE_CHANGED',
        message: `The sample rate of stream ${to.index} changed from ${before} to ${after} Hz, although no option asks for it.`,
        fix:
          after > before
            ? { ...addOption('ar', `${before}`), why: 'this keeps the sample rate' }
            : `Send "ar": "${after}" if this sample rate is meant.`,
      },
    ];
  });

/** A size of the picture that no option asks for. */
export const changedSize = ({ pass, options }: RunContext): readonly RunWarning[] =>
  encodedStreams(pass, 'video').flatMap(({ from: { width, height }, to }): readonly RunWarning[] => {
    const isRotated = width === to.height && height === to.width;
    if (width === undefined || to.width === undefined || options.setsSize || isRotated) return [];
    if (width === to.width && height === to.height) return [];
    return [
      {
        code: 'SIZE_CHANGED',
        message: `The picture changed from ${width}x${height} to ${to.width}x${to.height}, although no option asks for it.`,
        fix: orElse(addOption('s', `${width}x${height}`), 'the other size if it is meant'),
      },
    ];
  });

/** A frame rate that no option asks for. */
export function changedFrameRate({ pass, options }: RunContext): readonly RunWarning[] {
  const { repeatedFrames = 0, droppedFrames = 0 } = pass.lastBlock ?? { repeatedFrames: 1 };
  // A film of variable frame rate has a nominal rate, which ffmpeg writes without changing a frame.
  const isResampled = repeatedFrames + droppedFrames > 0;
  if (!isResampled || options.setsFrameRate) return [];
  return encodedStreams(pass, 'video').flatMap(({ from: { fps }, to }): readonly RunWarning[] => {
    // Phones record a rate that varies a little, and ffmpeg writes the nominal one.
    if (fps === undefined || to.fps === undefined || Math.abs(to.fps / fps - 1) <= 0.05) return [];
    return [
      {
        code: 'FRAME_RATE_CHANGED',
        message: `The frame rate changed from ${fps} to ${to.fps} frames per second, although no option asks for it.`,
        fix: `Send "r": "${rateText(to.fps)}" if this frame rate is meant, or an encoder that supports every frame rate, such as "c:v": "libx264".`,
      },
    ];
  });
}

/** An exact value of the option `r`: `25`, `30000/1001`. */
function rateText(fps: number): string {
  const nominal = Math.round(fps * 1.001);
  return Math.abs(fps * 1.001 - nominal) < 0.001 && !Number.isInteger(fps) ? `${nominal * 1000}/1001` : `${fps}`;
}

const RGB = /^(?:rgb|bgr|gbr|argb|abgr|pal8|0rgb|0bgr)/;
/** Codecs of films whose players mostly support only pictures with reduced chroma. */
const FILM_CODECS: ReadonlySet<string> = new Set(['h264', 'hevc']);
/** Other codecs of films that have no transparency. */
const OPAQUE_CODECS: ReadonlySet<string> = new Set('av1 mpeg4 mpeg2video mpeg1video theora dnxhd'.split(' '));

/** A pixel format that few players support, or without the transparency of the input, that no option asks for. */
export function changedPixels({ facts, pass, options }: RunContext): readonly RunWarning[] {
  if (options.setsPixelFormat) return [];
  return encodedStreams(pass, 'video').flatMap(({ from: { pixelFormat: before }, to }): readonly RunWarning[] => {
    const { codec, pixelFormat: after } = to;
    if (before === undefined || after === undefined) return [];
    if (FILM_CODECS.has(codec) && RGB.test(before) && /^(?:yuv444|gbr)/.test(after))
      return isPlayabilityPlanned(pass.plan.warnings, to)
        ? []
        : [
            {
              code: 'PIXEL_FORMAT_CHANGED',
              ...playable(facts, `The pixel format became ${after} (from ${before})`, to),
            },
          ];
    // Pictures with an alpha channel are mostly opaque. A film that has one is made for it.
    const isLoss = FILM_CODECS.has(codec) || (OPAQUE_CODECS.has(codec) && before.startsWith('yuva'));
    if (!isLoss || !hasAlpha(before) || hasAlpha(after)) return [];
    return [
      {
        code: 'PIXEL_FORMAT_CHANGED',
        message: `The transparency of the input is lost: the pixel format changed from ${before} to ${after}.`,
        fix: `Send "pix_fmt": "${opaqueFormat(codec)}" if it is not needed. ${keepAlpha(facts)}`,
      },
    ];
  });
}

/** A share of repeated or dropped frames below this is usual at the start and the end. */
const UNEVEN_SHARE = 0.1;
const UNEVEN_FRAMES = 10;

const TIMES_FIX = orElse(addOption('fps_mode', 'vfr'), '"r" for another frame rate');

/** Frames that ffmpeg repeated or dropped. A changed frame rate is then the cause. */
export function unevenFrames(context: RunContext): readonly RunWarning[] {
  const { pass, options } = context;
  const [rate] = changedFrameRate(context);
  const { frame = 0, repeatedFrames = 0, droppedFrames = 0 } = pass.lastBlock ?? {};
  if (options.setsFrameRate) return [];
  const isMany = (count: number): boolean => count >= UNEVEN_FRAMES && count >= UNEVEN_SHARE * (frame + droppedFrames);
  const fix = rate?.fix ?? TIMES_FIX;
  const cause = rate === undefined ? '' : ` ${rate.message}`;
  const warnings: RunWarning[] = [];
  if (isMany(repeatedFrames))
    warnings.push({
      code: 'FRAMES_REPEATED',
      message: `ffmpeg repeated ${repeatedFrames} of ${frame} frames to get a constant frame rate.${cause}`,
      fix,
    });
  if (isMany(droppedFrames))
    warnings.push({
      code: 'FRAMES_DROPPED',
      message: `ffmpeg dropped ${droppedFrames} frames, and the output has ${frame}.${cause}`,
      fix,
    });
  return warnings;
}
