import { addOption, editsText, hasEdits, withMore } from '../../domain/edit.ts';
import { type Hint, withAdvice } from '../../domain/hint.ts';
import { printFilter } from '../filtergraph/graph.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import { type ArgvGraph, inputStream, type MediaFacts, optionValue, withField } from './media-facts.ts';

type Filter = ArgvGraph['filters'][number];

/** A share of repeated frames from which a film stands still where frames were dropped. */
const MIN_SHARE = 0.1;
const MIN_FRAMES = 10;

/** Filters after which frames have other times, or a rate that was asked for. */
const RETIMING = /^(?:setpts|fps|framerate|minterpolate|tile|concat|xfade|loop|tpad|zoompan)$/;

/** Chooses frames by their times alone, so that sound can be cut in the same way. */
const BY_TIME = /^(?:(?:between|[gl]te?)\(t,[\d.]+(?:,[\d.]+)?\)|[+*])+$/;

/** Keeps one end of the film, whose place in the time of the film may be meant. */
const ONE_END = /^[gl]te?\(t,[\d.]+\)$/;

/** Numbers the frames of a filter anew, at the frame rate of its input. */
const CLOSE_GAPS = 'setpts=N/FRAME_RATE/TB';

/** Formats of variable frame rate since ffmpeg 7.1. Before, they had a constant one, and other formats still do. */
const LATELY_VARIABLE: ReadonlySet<string> = new Set(['mp4', 'mov']);

/**
 * A film whose `select` dropped frames and kept the times of the others: in a format of constant frame rate, ffmpeg fills
 * the gaps, so the film is as long as before and stands still in them. Formats of variable frame rate have the gaps
 * themselves, which may be meant. MP4 and MOV changed from one kind to the other, so there the gaps are no more meant than
 * before.
 */
export function filledGaps(facts: MediaFacts, { lastBlock, outputStreams }: FinishedPass): readonly RunWarning[] {
  const { frame = 0, repeatedFrames = 0 } = lastBlock ?? {};
  const missing = repeatedFrames > 0 ? 0 : missingFrames(facts, { lastBlock, outputStreams });
  const [standing, all] = [repeatedFrames + missing, frame + missing];
  if (standing < MIN_FRAMES || standing < MIN_SHARE * all) return [];
  const asks = facts.argv.some((word) => /^-(?:fps_mode|vsync|r)(?::|$)/.test(word));
  const [film, ...films] = outputStreams.filter(({ type }) => type === 'video');
  if (asks || film === undefined || films.length > 0 || facts.plan.output.muxer === 'image2') return [];
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      if (filter.name !== 'select' || isRetimed(graph, filter) || ONE_END.test(expressionOf(filter))) continue;
      return [
        withField(facts, graph.key, {
          code: 'FRAMES_REPEATED',
          message:
            missing > 0
              ? `${missing} of ${all} frames are missing: the filter select drops frames and keeps the times of the others, and the film stands still in the gaps.`
              : `${repeatedFrames} of ${frame} frames repeat the one before: the filter select drops frames and keeps the times of the others, and ffmpeg fills the gaps.`,
          fix: closingFix(facts, graph, filter, outputStreams),
        }),
      ];
    }
  return [];
}

/** How many frames a film of MP4 or MOV lacks for the frame rate of its input. */
function missingFrames(
  { plan, used, inputs }: MediaFacts,
  { lastBlock, outputStreams }: Pick<FinishedPass, 'lastBlock' | 'outputStreams'>,
): number {
  const { frame = 0, outSeconds = 0 } = lastBlock ?? {};
  const read = used.map(({ input, stream }) => inputStream({ inputs }, input, stream));
  const rates = [...read, ...outputStreams].flatMap((stream) => (stream?.type === 'video' ? (stream.fps ?? []) : []));
  if (frame === 0 || rates.length === 0 || !LATELY_VARIABLE.has(plan.output.muxer)) return 0;
  return Math.max(0, Math.round(outSeconds * Math.min(...rates)) - frame);
}

const expressionOf = (filter: Filter): string => (optionValue(filter, 'expr', 'e') ?? '').replaceAll(/\s/g, '');

/** Whether a filter behind it changes the times, or it is not clear which filters are behind it. */
function isRetimed({ graph, filters }: ArgvGraph, filter: Filter): boolean {
  const chain = graph.chains.find((one) => one.includes(filter)) ?? [];
  const after = graph.chains.length === 1 ? chain.slice(chain.indexOf(filter) + 1) : filters;
  return filter.outputs.length > 1 || after.some(({ name }) => RETIMING.test(name));
}

/** The fix that closes the gaps, and does with the sound what the filter does with the picture. */
function closingFix(
  facts: MediaFacts,
  graph: ArgvGraph,
  filter: Filter,
  outputStreams: FinishedPass['outputStreams'],
): Hint {
  const fix = withFilter(facts, graph, filter, `${printChanged(filter, {})},${CLOSE_GAPS}`);
  if (!outputStreams.some(({ type }) => type === 'audio')) return fix;
  const isSame = facts.used.every(
    ({ input, copied, stream }) => input === 0 && !(copied && isSound(facts, input, stream)),
  );
  const canCut =
    isSame && graph.key.startsWith('filter:v') && !facts.graphs.some(({ key }) => key.startsWith('filter:a'));
  const [name, value]: readonly [string, string] =
    canCut && BY_TIME.test(expressionOf(filter))
      ? ['af', `${printFilter({ ...filter, name: 'aselect', inputs: [], outputs: [] })},asetpts=N/SR/TB`]
      : ['an', ''];
  return hasEdits(fix)
    ? withMore(fix, { do: 'send', name, value })
    : withAdvice(fix, editsText(addOption(name, value)));
}

const isSound = (facts: MediaFacts, input: number, stream: number): boolean =>
  inputStream(facts, input, stream)?.type === 'audio';
