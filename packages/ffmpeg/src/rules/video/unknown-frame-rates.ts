import { addOption } from '@telecine/contract/domain/edit.ts';
import { rateModeOf } from '../../plan/request/frame-rate-modes.ts';
import { rateText, readRate } from '../../values/rate.ts';
import type { FileContext, ForeseenWarning, Rules } from '../contexts.ts';
import { isCopied, ofKind } from '../facts/converted-streams.ts';
import { printChanged, withFilter } from '../facts/graph-fixes.ts';
import { losesRate, type RatelessEnd, rateBefore, ratelessEnd } from '../facts/known-rates.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';

/** Formats that ffmpeg writes with a constant frame rate by default. Tested with ffmpeg 7.1. */
const CONSTANT: ReadonlySet<string> = new Set(
  '3gp asf avif dash dvd h264 hevc hls image2 ipod ivf mpeg mxf ogg segment svcd vcd vob yuv4mpegpipe'.split(' '),
);

/** The constant frame rate that ffmpeg writes if it knows none. */
const USUAL_RATE = 25;

/** What the encoders do with a time base instead of a frame rate. Tested with ffmpeg 7.1, as were others on which it has no effect. */
const EFFECTS: ReadonlyMap<string, string> = new Map([
  ...['libx264', 'libx265'].map(
    (name) => [name, 'gets a level that many players reject, and misses bit rates'] as const,
  ),
  ...['mpeg4', 'h263p', 'libxvid', 'libtheora'].map((name) => [name, 'misses bit rates'] as const),
  ...['libsvtav1', 'mpeg1video', 'mpeg2video'].map((name) => [name, 'fails'] as const),
]);

/** True if ffmpeg certainly writes a constant frame rate. */
function isConstant(facts: MediaFacts): boolean {
  const mode = rateModeOf(facts.argumentsOf(/^-(?:fps_mode|vsync)(?::|$)/).at(-1) ?? 'auto');
  return mode === 'auto' ? CONSTANT.has(facts.plan.output.muxer) : mode === 'cfr';
}

/** The rate at which a `setpts` numbers the frames, as in `N/(30*TB)`. */
function numberedRate(at: PlacedFilter): number | undefined {
  const expression = (at.option('expr') ?? '').replaceAll(/\s/g, '');
  const [, product, quotient] = /^N\/(?:\(([\d./]+)\*TB\)|([\d.]+)\/TB)$/.exec(expression) ?? [];
  return readRate(product ?? quotient ?? '');
}

function unknownRate({ facts, pass }: FileContext): ForeseenWarning | undefined {
  if (!losesRate(facts)) return undefined;
  const [video, ...others] = ofKind(pass.outputStreams, 'video');
  if (video === undefined || others.length > 0 || isCopied(pass, video.index)) return undefined;
  for (const at of filtersIn(facts, 'setpts')) {
    const end = ratelessEnd(at);
    if (end === undefined) continue;
    const known = rateBefore(at);
    const rate = numberedRate(at) ?? known?.rate;
    if (known === undefined || rate === undefined) continue;
    const effect = effectOf(facts, end, { ...known, rate }, video.codec);
    if (effect === undefined) continue;
    return {
      code: 'UNKNOWN_FRAME_RATE',
      message: `This release of ffmpeg knows no frame rate after "setpts": ${effect}`,
      fix:
        end.last.outputs.length > 1
          ? addOption('r', rateText(rate))
          : withFilter(facts, at.graph, end.last, `${printChanged(end.last)},fps=${rateText(rate)}`),
      key: at.graph.key,
    };
  }
  return undefined;
}

/** The end of the message. undefined: nothing goes wrong, or this is not known. */
function effectOf(
  facts: MediaFacts,
  { needing }: RatelessEnd,
  { rate, isFine }: { readonly rate: number; readonly isFine: boolean },
  encoder: string,
): string | undefined {
  if (needing !== undefined) return `the filter "${needing}" needs one, and the job fails.`;
  if (isConstant(facts)) {
    if (Math.abs(rate - USUAL_RATE) < 0.01 || facts.argumentOf('frames:v') === '1') return undefined;
    return `the output gets ${USUAL_RATE} frames per second instead of ${rateText(rate)}.`;
  }
  const effect = EFFECTS.get(encoder);
  return isFine && effect !== undefined
    ? `${encoder} reads the time base, such as 1/30000 s, as the length of a frame, and ${effect}.`
    : undefined;
}

export const UNKNOWN_FRAME_RATE_RULES: Rules = {
  'setpts-without-rate': {
    finds: 'the filter `setpts` without a frame rate after it, where ffmpeg 7 then encodes at a wrong one',
    files: unknownRate,
  },
};
