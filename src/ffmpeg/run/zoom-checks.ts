import { evenBelow } from '../values/number.ts';
import { RESIZING, TIMES } from './filter-effects.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import {
  type ArgvGraph,
  fieldOf,
  inputArgs,
  type MediaFacts,
  optionValue,
  pathOf,
  pictureSize,
  secondsText,
  sourceOf,
} from './media-facts.ts';
import { STILL } from './output-duration.ts';

type Filter = ArgvGraph['filters'][number];

/** What `zoompan` does without options (vf_zoompan.c). */
const DEFAULTS = { d: 90, fps: 25, width: 1280, height: 720 } as const;

/** What `zoompan` does with a film or a picture besides its zoom. */
export const zoomEffects = (facts: MediaFacts, pass: FinishedPass): readonly RunWarning[] =>
  facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) => {
      if (filter.name !== 'zoompan') return [];
      const found =
        stretched(facts, graph, filter) ?? slower(facts, graph, filter) ?? again(facts, graph, filter, pass);
      const field = fieldOf(facts, graph.key);
      return found === undefined ? [] : [{ ...(field === undefined ? {} : { field }), ...found }];
    }),
  );

const framesOf = (filter: Filter): number => Number(optionValue(filter, 'd') ?? DEFAULTS.d);
const rateOf = (filter: Filter): number => Number(optionValue(filter, 'fps') ?? DEFAULTS.fps);

const isStill = (facts: MediaFacts, input: number): boolean => STILL.test(facts.inputs[input]?.demuxer ?? '');

/** Without a size, the pictures become 1280x720, whatever their size and shape. */
function stretched(facts: MediaFacts, graph: ArgvGraph, filter: Filter): RunWarning | undefined {
  const source = sourceOf(facts, graph, filter, 0, RESIZING);
  const size = source && pictureSize(facts, source);
  if (source === undefined || size === undefined || optionValue(filter, 's', 'size') !== undefined) return undefined;
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
    message: `The filter zoompan makes pictures of ${DEFAULTS.width}x${DEFAULTS.height} without "s", and ${isStretched ? 'stretches' : 'resizes'} ${pathOf(facts, source.input)}, which has ${size.width}x${size.height}.`,
    fix: withFilter(
      facts,
      graph,
      filter,
      printChanged(filter, { s: `${evenBelow(size.width)}x${evenBelow(size.height)}` }),
    ),
  };
}

/** Each frame of a film becomes one of a film with another rate, so it plays faster or slower. */
function slower(facts: MediaFacts, graph: ArgvGraph, filter: Filter): RunWarning | undefined {
  const source = sourceOf(facts, graph, filter, 0, TIMES);
  const { fps } = source?.stream ?? {};
  const rate = rateOf(filter);
  if (source === undefined || fps === undefined || isStill(facts, source.input) || framesOf(filter) !== 1)
    return undefined;
  if (!(rate > 0) || Math.abs(rate / fps - 1) < 0.01) return undefined;
  return {
    code: 'OUT_OF_SYNC',
    message: `The filter zoompan writes ${rate} frames per second, and ${pathOf(facts, source.input)} has ${fps}: it plays ${rate < fps ? 'slower' : 'faster'}.`,
    fix: withFilter(facts, graph, filter, printChanged(filter, { fps: Number(fps.toFixed(3)) })),
  };
}

/** `loop` repeats a picture, and the zoom begins again with each repetition. */
function again(
  facts: MediaFacts,
  graph: ArgvGraph,
  filter: Filter,
  { lastBlock }: FinishedPass,
): RunWarning | undefined {
  const source = sourceOf(facts, graph, filter, 0, TIMES);
  const [frames, rate, written] = [framesOf(filter), rateOf(filter), lastBlock?.frame ?? 0];
  if (source === undefined || !isStill(facts, source.input) || !inputArgs(facts, source.input).includes('-loop'))
    return undefined;
  if (!(frames > 1) || written <= frames) return undefined;
  const { duration } = facts.plan.span.output;
  const inputs = facts.plan.inputs.map(({ path }) => JSON.stringify({ input: path })).join(',');
  return {
    code: 'FRAMES_REPEATED',
    message: `The zoom begins again every ${secondsText(frames / rate)}: zoompan makes ${frames} frames ("d") of each frame that it reads, and "loop" repeats ${pathOf(facts, source.input)}.`,
    fix:
      duration === undefined
        ? `Send "inputs": [${inputs}], without "loop".`
        : withFilter(facts, graph, filter, printChanged(filter, { d: Math.ceil(duration * rate) })),
  };
}
