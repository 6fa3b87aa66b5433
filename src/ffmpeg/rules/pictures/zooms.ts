import { evenBelow } from '../../values/size.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import { type ArgvGraph, type MediaFacts, optionValue, RESIZING, secondsText, TIMES } from '../facts/media-facts.ts';
import { STILL } from '../facts/output-duration.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';

type Filter = ArgvGraph['filters'][number];

/** What `zoompan` does without options (vf_zoompan.c). */
const DEFAULTS = { d: 90, fps: 25, width: 1280, height: 720 } as const;

/** What `zoompan` does with a film or a picture besides its zoom. */
const ZOOMPAN_SIDE_EFFECTS: Rule = {
  id: 'zoompan-side-effects',
  finds: '`zoompan` that changes the size or the speed of the video, or that begins again and again',
  supersedes: ['uneven-frames'],
  run: ({ facts, pass }) =>
    filtersIn(facts, 'zoompan').flatMap((at) => {
      const found = stretched(at) ?? slower(at) ?? again(at, pass);
      return found === undefined ? [] : { key: at.graph.key, ...found };
    }),
};

const framesOf = (filter: Filter): number => Number(optionValue(filter, 'd') ?? DEFAULTS.d);
const rateOf = (filter: Filter): number => Number(optionValue(filter, 'fps') ?? DEFAULTS.fps);

const isStill = (facts: MediaFacts, input: number): boolean => STILL.test(facts.inputs[input]?.demuxer ?? '');

/** Without a size, the pictures become 1280x720, whatever their size and shape. */
function stretched(at: PlacedFilter): RunWarning | undefined {
  const { facts, graph, filter } = at;
  const source = at.source(0, RESIZING);
  const size = source && facts.pictureSize(source);
  if (source === undefined || size === undefined || at.option('s', 'size') !== undefined) return undefined;
  // A film with more frames than one for each has a warning whose fix has the size.
  if (!isStill(facts, source.input) && framesOf(filter) > 1) return undefined;
  if (size.width === DEFAULTS.width && size.height === DEFAULTS.height) return undefined;
  const shape = size.width / size.height / (DEFAULTS.width / DEFAULTS.height);
  const isStretched = Math.abs(shape - 1) >= 0.02;
  // A size that the request asks for after the zoom is meant.
  const isResized = facts.argv.includes('-s') || graph.filters.some(({ name }) => /^(?:scale|zscale)$/.test(name));
  if (isResized && !isStretched) return undefined;
  return {
    code: 'SIZE_CHANGED',
    message: `The filter zoompan makes pictures of ${DEFAULTS.width}x${DEFAULTS.height} without "s", and ${isStretched ? 'stretches' : 'resizes'} ${facts.pathOf(source.input)}, which has ${size.width}x${size.height}.`,
    fix: at.change({ s: `${evenBelow(size.width)}x${evenBelow(size.height)}` }),
  };
}

/** Each frame of a film becomes one of a film with another rate, so it plays faster or slower. */
function slower(at: PlacedFilter): RunWarning | undefined {
  const { facts, filter } = at;
  const source = at.source(0, TIMES);
  const { fps } = source?.stream ?? {};
  const rate = rateOf(filter);
  if (source === undefined || fps === undefined || isStill(facts, source.input) || framesOf(filter) !== 1)
    return undefined;
  if (!(rate > 0) || Math.abs(rate / fps - 1) < 0.01) return undefined;
  return {
    code: 'OUT_OF_SYNC',
    message: `The filter zoompan writes ${rate} frames per second, and ${facts.pathOf(source.input)} has ${fps}: it plays ${rate < fps ? 'slower' : 'faster'}.`,
    fix: at.change({ fps: Number(fps.toFixed(3)) }),
  };
}

/** `loop` repeats a picture, and the zoom begins again with each repetition. */
function again(at: PlacedFilter, { lastBlock }: FinishedPass): RunWarning | undefined {
  const { facts, filter } = at;
  const source = at.source(0, TIMES);
  const [frames, rate, written] = [framesOf(filter), rateOf(filter), lastBlock?.frame ?? 0];
  if (source === undefined || !isStill(facts, source.input) || !facts.inputArgs(source.input).includes('-loop'))
    return undefined;
  if (!(frames > 1) || written <= frames) return undefined;
  const { duration } = facts.plan.span.output;
  const inputs = facts.plan.inputs.map(({ path }) => JSON.stringify({ input: path })).join(',');
  return {
    code: 'FRAMES_REPEATED',
    message: `The zoom begins again every ${secondsText(frames / rate)}: zoompan makes ${frames} frames ("d") of each frame that it reads, and "loop" repeats ${facts.pathOf(source.input)}.`,
    fix:
      duration === undefined
        ? `Send "inputs": [${inputs}], without "loop".`
        : at.change({ d: Math.ceil(duration * rate) }),
  };
}

const ZOOMPAN_ON_VIDEO: Rule = {
  id: 'zoompan-on-video',
  finds: '`zoompan` with `d` above 1 on a video, which repeats each frame',
  supersedes: ['uneven-frames'],
  filter(at) {
    const { facts } = at;
    const source = at.source(0, TIMES);
    const frames = Number(at.option('d') ?? 90);
    const isFilm = source !== undefined && facts.inputs[source.input]?.durationSeconds !== undefined;
    const isPicture = /^(?:image2|[a-z0-9]+_pipe)$/.test(facts.inputs[source?.input ?? 0]?.demuxer ?? '');
    if (at.name !== 'zoompan' || !isFilm || isPicture || !(frames > 1)) return undefined;
    const zoom = (at.option('zoom', 'z') ?? '1').replaceAll(/\bzoom\b/g, 'pzoom');
    const { fps, width, height } = source.stream;
    const size = at.option('s') ?? (width === undefined ? 'hd720' : `${width}x${height}`);
    return {
      code: 'FRAMES_REPEATED',
      message: `The filter zoompan shows each frame of ${facts.pathOf(source.input)} ${frames} times ("d"), so the film nearly stands still: "d" is for pictures.`,
      fix: at.change({ z: zoom, d: 1, s: size, fps: Number((fps ?? 25).toFixed(3)) }, ['zoom']),
    };
  },
};

export const ZOOM_RULES: readonly Rule[] = [ZOOMPAN_SIDE_EFFECTS, ZOOMPAN_ON_VIDEO];
