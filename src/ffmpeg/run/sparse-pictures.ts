import { addOption } from '../../domain/edit.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { type ArgvGraph, type MediaFacts, withField } from './media-facts.ts';

/** Filters that let only some frames pass, and keep the times of those. */
const SPARSE: ReadonlySet<string> = new Set(['select', 'thumbnail', 'mpdecimate', 'tile']);
/** Filters that give the frames behind them a rate or times of their own, so that no gap is left. */
const EVEN: ReadonlySet<string> = new Set(['fps', 'framerate', 'setpts', 'minterpolate']);

/** The last filter that leaves gaps between the frames. */
const sparseFilter = ({ filters }: ArgvGraph): string | undefined => {
  const at = filters.findLastIndex(({ name }) => SPARSE.has(name));
  return filters.slice(at + 1).some(({ name }) => EVEN.has(name)) ? undefined : filters[at]?.name;
};

/** Options of a decoder that skip frames, each with the values that do. */
const SKIPPING = new Map([
  ['-skip_frame', /^(?:nokey|nointra|noref|bidir)$/],
  ['-discard', /^(?:nokey|noref|bidir)$/],
]);

/**
 * Numbered pictures of the few frames that a filter or a decoder lets pass. ffmpeg repeats each of them until the next one
 * to keep a constant frame rate, which nobody wants of pictures.
 */
export function repeatedPictures(facts: MediaFacts, { lastBlock }: FinishedPass): readonly RunWarning[] {
  const { frame = 0, repeatedFrames = 0 } = lastBlock ?? {};
  const isNumbered = facts.plan.output.muxer === 'image2' && !facts.argv.includes('-update');
  const asks = facts.argv.some((word) => /^-(?:fps_mode|vsync|r)(?::|$)/.test(word));
  if (!isNumbered || asks || repeatedFrames === 0) return [];
  const graph = facts.graphs.find((one) => sparseFilter(one) !== undefined);
  const name = graph && sparseFilter(graph);
  const isSkipping = facts.argv.some((word, at) => SKIPPING.get(word)?.test(facts.argv[at + 1] ?? '') === true);
  if (name === undefined && !isSkipping) return [];
  const what = name === undefined ? 'the decoder skips frames' : `the filter ${name} lets few frames pass`;
  const warning: RunWarning = {
    code: 'FRAMES_REPEATED',
    message: `${repeatedFrames} of ${frame} pictures repeat the one before: ${what}, and ffmpeg fills the gaps for a constant frame rate.`,
    fix: addOption('fps_mode', 'vfr'),
  };
  return [graph === undefined ? warning : withField(facts, graph.key, warning)];
}
