import { addOption, editsText, hasEdits, orElse, withMore } from '@telecine/contract/domain/edit.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import { type GraphFilter, printFilter } from '../../filtergraph/graph.ts';
import { rateText } from '../../values/rate.ts';
import { framesRepeated, type Rules, type RunContext, type RunWarning } from '../contexts.ts';
import { convertedStreams, encodedStreams, ofKind } from '../facts/converted-streams.ts';
import type { ArgvGraph } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';

function changedFrameRate({ pass, options }: RunContext): readonly RunWarning[] {
  const { repeatedFrames = 0, droppedFrames = 0 } = pass.lastBlock ?? { repeatedFrames: 1 };
  // ffmpeg writes a video of variable frame rate at a nominal rate. Without repeated or dropped frames, nothing really changed.
  if (repeatedFrames + droppedFrames === 0 || options.setsFrameRate) return [];
  return encodedStreams(pass, 'video').flatMap(({ from: { fps }, to }): RunWarning | [] => {
    // Phones record at a rate that varies a little, and ffmpeg writes the nominal rate.
    if (fps === undefined || to.fps === undefined || Math.abs(to.fps / fps - 1) <= 0.05) return [];
    return {
      code: 'FRAME_RATE_CHANGED',
      message: `The frame rate changed from ${fps} to ${to.fps} frames per second, although no option asks for it.`,
      fix: `Send "r": "${rateText(to.fps)}" if this frame rate is meant, or an encoder that supports every frame rate, such as "c:v": "libx264".`,
    };
  });
}

/** True if so many frames are repeated, dropped or missing that the video visibly stops or jumps. A few are usual at its start and end. */
const isMany = (count: number, all: number): boolean => count >= 10 && count >= 0.1 * all;

const RATE_OPTIONS = /^-(?:fps_mode|vsync|r)(?::|$)/;

/** Filters that change the times of frames or set a frame rate, and so close or keep the gaps. */
const RETIMING = /^(?:setpts|fps|framerate|minterpolate|tile|concat|xfade|loop|tpad|zoompan)$/;

/** Matches a condition on times alone, by which audio can be cut too: `between(t,2,4)+gt(t,10)`. */
const BY_TIME = /^(?:(?:between|[gl]te?)\(t,[\d.]+(?:,[\d.]+)?\)|[+*])+$/;

/** Matches a condition that keeps one end of the video: `gt(t,10)`. The original times may then be meant. */
const ONE_END = /^[gl]te?\(t,[\d.]+\)$/;

/** Formats that ffmpeg writes with a variable frame rate since 7.1. Before, it filled gaps with repeated frames. */
const LATELY_VARIABLE: ReadonlySet<string> = new Set(['mp4', 'mov']);

/** How many frames an MP4 or MOV lacks for its length and frame rate. */
function missingFrames({ facts, pass }: RunContext): number {
  const { frame = 0, outSeconds = 0 } = pass.lastBlock ?? {};
  const read = convertedStreams(pass).flatMap(({ from }) => from ?? []);
  const rates = ofKind([...read, ...pass.outputStreams], 'video').flatMap(({ fps }) => fps ?? []);
  if (frame === 0 || rates.length === 0 || !LATELY_VARIABLE.has(facts.plan.output.muxer)) return 0;
  return Math.max(0, Math.round(outSeconds * Math.min(...rates)) - frame);
}

const expressionOf = (at: PlacedFilter): string => (at.option('expr', 'e') ?? '').replaceAll(/\s/g, '');

/** True if a later filter changes times. If the graph has several chains, any other filter counts as later. */
function isRetimed({ graph: { graph, filters }, filter }: PlacedFilter): boolean {
  const after = graph.chains.length === 1 ? filters.slice(filters.indexOf(filter) + 1) : filters;
  return filter.outputs.length > 1 || after.some(({ name }) => RETIMING.test(name));
}

/** Returns the fix that closes the gaps in the video and cuts the audio in the same way, or leaves the audio out. */
function closingFix(at: PlacedFilter, { facts, pass }: RunContext): Hint {
  const fix = at.replace(`${at.text},setpts=N/FRAME_RATE/TB`);
  if (ofKind(pass.outputStreams, 'audio').length === 0) return fix;
  const isSame = facts.used.every(({ input }) => input === 0) && !facts.usedOf('audio').some(({ copied }) => copied);
  const hasOwnGraph =
    !at.graph.key.startsWith('filter:v') || facts.graphs.some(({ key }) => key.startsWith('filter:a'));
  const cut: GraphFilter = { ...at.filter, name: 'aselect', inputs: [], outputs: [] };
  const [name, value] =
    isSame && !hasOwnGraph && BY_TIME.test(expressionOf(at))
      ? (['af', `${printFilter(cut)},asetpts=N/SR/TB`] as const)
      : (['an', ''] as const);
  return hasEdits(fix)
    ? withMore(fix, { do: 'send', name, value })
    : withAdvice(fix, editsText(addOption(name, value)));
}

/** Filters that drop frames, and keep the times of the other frames. */
const SPARSE: ReadonlySet<string> = new Set(['select', 'thumbnail', 'mpdecimate', 'tile']);
/** Filters that close gaps, with new times or a frame rate. */
const EVEN: ReadonlySet<string> = new Set(['fps', 'framerate', 'setpts', 'minterpolate']);

/** Returns the name of the last filter that leaves gaps. undefined: there is none, or a later filter closes them. */
function sparseFilter({ filters }: ArgvGraph): string | undefined {
  const at = filters.findLastIndex(({ name }) => SPARSE.has(name));
  return filters.slice(at + 1).some(({ name }) => EVEN.has(name)) ? undefined : filters[at]?.name;
}

export const FRAME_RATE_RULES: Rules = {
  'uneven-frames': {
    finds: 'many frames that ffmpeg repeated or dropped for a constant frame rate',
    supersedes: ['changed-frame-rate'],
    run(context) {
      const { frame = 0, repeatedFrames = 0, droppedFrames = 0 } = context.pass.lastBlock ?? {};
      if (context.options.setsFrameRate) return [];
      const [rate] = changedFrameRate(context);
      const fix = rate?.fix ?? orElse(addOption('fps_mode', 'vfr'), '"r" for another frame rate');
      const cause = rate === undefined ? '' : ` ${rate.message}`;
      const all = frame + droppedFrames;
      const repeats = `ffmpeg repeated ${repeatedFrames} of ${frame} frames to get a constant frame rate.${cause}`;
      const dropped: RunWarning = {
        code: 'FRAMES_DROPPED',
        message: `ffmpeg dropped ${droppedFrames} frames, and the output has ${frame}.${cause}`,
        fix,
      };
      return [
        ...(isMany(repeatedFrames, all) ? [framesRepeated(repeats, fix)] : []),
        ...(isMany(droppedFrames, all) ? [dropped] : []),
      ];
    },
  },

  /** At a constant rate, and in MP4 and MOV before 7.1, ffmpeg repeats frames to fill gaps. At a variable rate, gaps may be intended. */
  'filled-gaps': {
    finds: 'gaps that `select` leaves in a video, in which it stands still',
    run(context) {
      const { facts, pass } = context;
      const { frame = 0, repeatedFrames = 0 } = pass.lastBlock ?? {};
      const missing = repeatedFrames > 0 ? 0 : missingFrames(context);
      const all = frame + missing;
      if (!isMany(repeatedFrames + missing, all) || ofKind(pass.outputStreams, 'video').length !== 1) return [];
      if (facts.hasOption(RATE_OPTIONS) || facts.plan.output.muxer === 'image2') return [];
      const at = filtersIn(facts, 'select').find((one) => !isRetimed(one) && !ONE_END.test(expressionOf(one)));
      if (at === undefined) return [];
      return framesRepeated(
        missing > 0
          ? `${missing} of ${all} frames are missing: the filter select drops frames and keeps the times of the others, and the video stands still in the gaps.`
          : `${repeatedFrames} of ${frame} frames repeat the one before: the filter select drops frames and keeps the times of the others, and ffmpeg fills the gaps.`,
        closingFix(at, context),
        { key: at.graph.key },
      );
    },
  },

  /** For a constant frame rate, ffmpeg repeats each frame until the next one. Nobody wants repeated images. */
  'repeated-images': {
    finds: 'numbered images that repeat the one before, because a filter or a decoder skips frames',
    supersedes: ['uneven-frames'],
    run({ facts, pass: { lastBlock } }) {
      const { frame = 0, repeatedFrames = 0 } = lastBlock ?? {};
      const isNumbered = facts.plan.output.muxer === 'image2' && !facts.has('update');
      if (!isNumbered || facts.hasOption(RATE_OPTIONS) || repeatedFrames === 0) return [];
      const graph = facts.graphs.find((one) => sparseFilter(one) !== undefined);
      const isSkipping =
        facts.argumentsOf('skip_frame').some((value) => /^(?:nokey|nointra|noref|bidir)$/.test(value)) ||
        facts.argumentsOf('discard').some((value) => /^(?:nokey|noref|bidir)$/.test(value));
      if (graph === undefined && !isSkipping) return [];
      const what =
        graph === undefined ? 'the decoder skips frames' : `the filter ${sparseFilter(graph)} lets few frames pass`;
      return framesRepeated(
        `${repeatedFrames} of ${frame} images repeat the one before: ${what}, and ffmpeg fills the gaps for a constant frame rate.`,
        addOption('fps_mode', 'vfr'),
        graph === undefined ? {} : { key: graph.key },
      );
    },
  },

  'changed-frame-rate': {
    finds: 'a frame rate that changed, although no option asks for it',
    run: changedFrameRate,
  },
};
