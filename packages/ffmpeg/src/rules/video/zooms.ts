import { evenBelow } from '../../values/size.ts';
import { framesRepeated, outOfSync, type Rules, type RunContext, type RunFindings } from '../contexts.ts';
import { secondsText, TIMES } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';
import { isAlike } from './pixel-shapes.ts';

/** The defaults of `zoompan` (vf_zoompan.c). */
const DEFAULTS = { d: 90, fps: 25, width: 1280, height: 720 } as const;

const framesOf = (at: PlacedFilter): number => Number(at.option('d') ?? DEFAULTS.d);
const rateOf = (at: PlacedFilter): number => Number(at.option('fps') ?? DEFAULTS.fps);

/** Warns about `zoompan` without `s`: its frames have 1280x720, whatever the input has. */
function resized(at: PlacedFilter) {
  const { facts, graph } = at;
  const { source, size } = at.sized() ?? {};
  if (source === undefined || size === undefined || at.option('s', 'size') !== undefined) return undefined;
  // The rule `zoompan-on-video` reports several output frames for each frame of a video, and its fix sets the size.
  if (!facts.isStill(source.input) && framesOf(at) > 1) return undefined;
  if (size.width === DEFAULTS.width && size.height === DEFAULTS.height) return undefined;
  const isStretched = !isAlike(size.width / size.height, DEFAULTS.width / DEFAULTS.height);
  // If a `scale` or `s` sets the size after the zoom, only a stretched frame is a mistake.
  const isResized = facts.has('s') || graph.filters.some(({ name }) => /^(?:scale|zscale)$/.test(name));
  if (isResized && !isStretched) return undefined;
  return {
    code: 'SIZE_CHANGED',
    message: `The filter zoompan makes frames of ${DEFAULTS.width}x${DEFAULTS.height} without "s", and ${isStretched ? 'stretches' : 'resizes'} ${facts.pathOf(source.input)}, which has ${size.width}x${size.height}.`,
    fix: at.change({ s: `${evenBelow(size.width)}x${evenBelow(size.height)}` }),
  } as const;
}

/** Warns about `d=1` with another `fps` than the video has: the video then plays faster or slower. */
function slower(at: PlacedFilter) {
  const { input, stream } = at.source(0, TIMES) ?? {};
  const { fps } = stream ?? {};
  const rate = rateOf(at);
  if (input === undefined || fps === undefined || at.facts.isStill(input) || framesOf(at) !== 1) return undefined;
  if (!(rate > 0) || Math.abs(rate / fps - 1) < 0.01) return undefined;
  return outOfSync(
    `The filter zoompan writes ${rate} frames per second, and ${at.facts.pathOf(input)} has ${fps}: it plays ${rate < fps ? 'slower' : 'faster'}.`,
    at.change({ fps: Number(fps.toFixed(3)) }),
  );
}

/** Warns about `zoompan` on an image with `loop`: the zoom begins again with each repeated frame. */
function again(at: PlacedFilter, { facts, pass }: RunContext) {
  const input = at.source(0, TIMES)?.input;
  const [frames, rate] = [framesOf(at), rateOf(at)];
  if (input === undefined || !facts.isStill(input) || !facts.inputArgs(input).includes('-loop')) return undefined;
  if (!(frames > 1) || (pass.lastBlock?.frame ?? 0) <= frames) return undefined;
  const { duration } = facts.plan.span.output;
  const inputs = facts.plan.inputs.map(({ path }) => JSON.stringify({ input: path })).join(',');
  return framesRepeated(
    `The zoom begins again every ${secondsText(frames / rate)}: zoompan makes ${frames} frames ("d") of each frame that it reads, and "loop" repeats ${facts.pathOf(input)}.`,
    duration === undefined
      ? `Send "inputs": [${inputs}], without "loop".`
      : at.change({ d: Math.ceil(duration * rate) }),
  );
}

function zoomedVideo(at: PlacedFilter): RunFindings {
  const { facts } = at;
  const { input, stream } = at.source(0, TIMES) ?? {};
  const frames = framesOf(at);
  const isVideo = input !== undefined && facts.inputs[input]?.durationSeconds !== undefined && !facts.isStill(input);
  if (!isVideo || !(frames > 1)) return undefined;
  const { fps = 25, width, height } = stream ?? {};
  return framesRepeated(
    `The filter zoompan shows each frame of ${facts.pathOf(input)} ${frames} times ("d"), so the video nearly stands still: "d" is for images.`,
    at.change(
      {
        z: (at.option('zoom', 'z') ?? '1').replaceAll(/\bzoom\b/g, 'pzoom'),
        d: 1,
        s: at.option('s') ?? (width === undefined ? 'hd720' : `${width}x${height}`),
        fps: Number(fps.toFixed(3)),
      },
      ['zoom'],
    ),
  );
}

export const ZOOM_RULES: Rules = {
  'zoompan-side-effects': {
    finds: '`zoompan` that changes the size or the speed of the video, or that begins again and again',
    run: (context) =>
      filtersIn(context.facts, 'zoompan').flatMap((at) => {
        const found = resized(at) ?? slower(at) ?? again(at, context);
        return found === undefined ? [] : { key: at.graph.key, ...found };
      }),
  },

  'zoompan-on-video': {
    finds: '`zoompan` with `d` above 1 on a video, which repeats each frame',
    about: ['zoompan'],
    filter: zoomedVideo,
  },
};
