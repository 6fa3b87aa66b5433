import { addOption, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { wordPairs, wordSet } from '../../allowlist/words.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import {
  changeFilters,
  type Graph,
  type GraphFilter,
  isGraphError,
  printFilter,
  printGraph,
  walkOf,
} from '../../filtergraph/graph.ts';
import { areAllCopied } from '../../plan/encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import type { Rules } from '../contexts.ts';
import { isCopied } from '../facts/converted-streams.ts';
import { followedBy, newFilter, prependFix } from '../facts/graph-fixes.ts';
import type { MediaFacts } from '../facts/media-facts.ts';

/** The values that `setparams` supports for each colour option. */
const NAMES: Readonly<Record<string, ReadonlySet<string>>> = {
  color_primaries: wordSet(
    'bt709 unknown bt470m bt470bg smpte170m smpte240m film bt2020 smpte428 smpte431 smpte432 jedec-p22',
  ),
  color_trc: wordSet(
    'bt709 unknown bt470m bt470bg smpte170m smpte240m linear log100 log316 iec61966-2-4 bt1361e iec61966-2-1 bt2020-10 ' +
      'bt2020-12 smpte2084 smpte428 arib-std-b67',
  ),
};

/** Values of encoder options, and their other names in `setparams`. */
const OTHER_NAMES = wordPairs(
  'gamma22 bt470m gamma28 bt470bg log log100 log_sqrt log316 iec61966_2_1 iec61966-2-1 iec61966_2_4 iec61966-2-4 ' +
    'bt1361 bt1361e bt2020_10bit bt2020-10 bt2020_12bit bt2020-12 smpte428_1 smpte428 ebu3213 jedec-p22',
);

/** Returns the fix that adds `setparams` at the end of the video filters. */
function fixFor(options: readonly ArgvOption[], params: GraphFilter['options'], catalogue: Catalogue) {
  const setparams = newFilter('setparams', params);
  const alone = printFilter(setparams);
  const sent = options.filter(
    ({ name: { name, specifier = 'v' } }) => name === 'filter_complex' || (name === 'filter' && /^v/i.test(specifier)),
  );
  const [option, ...others] = sent;
  if (option === undefined) return sendOption('vf', alone);
  const [graph, ...more] = option.graphs ?? [];
  const isOne = others.length === 0 && more.length === 0 && graph !== undefined && !isGraphError(graph);
  const last = isOne ? lastFilter(graph, option, options, catalogue) : undefined;
  if (!isOne || last === undefined)
    return `Add the filter ${JSON.stringify(alone)} at the end of the video in "${sentName(option)}".`;
  const meant = changeFilters(graph, (one) => (one === last ? followedBy(one, setparams) : [one]));
  return sendOption(sentName(option), printGraph(meant));
}

/** Returns the filter whose output becomes the video of the file. undefined: unclear. */
function lastFilter(graph: Graph, option: ArgvOption, options: readonly ArgvOption[], catalogue: Catalogue) {
  const { filters, taken } = walkOf(graph);
  if (option.name.name === 'filter') {
    const last = filters.at(-1);
    return last?.outputs.some((label) => taken.has(label)) ? undefined : last;
  }
  const maps = new Set(options.filter(({ name }) => name.name === 'map').flatMap(({ values }) => values));
  const found = filters.filter(({ name, outputs }) => {
    const pads = componentOf(catalogue, 'filter', name)?.outputs;
    const isVideo = pads !== undefined && pads !== 'dynamic' && pads.length === 1 && pads[0]?.media === 'video';
    return isVideo && maps.has(`[${outputs[0]}]`);
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Codecs for players, which seldom deinterlace them. Other codecs are for editing. */
const PLAYED: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'theora', 'gif']);
/** Options with which the client asks for interlaced output. */
const FIELD_OPTIONS = /^-(?:flags|(?:field_order|top|x264-params|x264opts|x265-params|target)(?::|$))/;
const FIELD_WORDS = /\b(?:interlaced|interlace|tff|bff|ild?ct|ilme|tt|bb|tb|bt|(?:pal|ntsc|film)-)/;

/** Filters for interlaced fields. After some of them, frames are still marked as interlaced. */
const FIELD_FILTERS =
  /^(?:yadif|bwdif|w3fdif|estdif|nnedi|kerndeint|mcdeint|pp|pullup|fieldmatch|separatefields|field|fieldhint|detelecine|telecine|repeatfields|dejudder|idet|il|tinterlace|weave|doubleweave|phase)$/;

const DEINTERLACER = 'bwdif=mode=send_frame';

function deinterlaced(facts: MediaFacts): Hint {
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter:v');
  if (graph !== undefined && others.length === 0) return prependFix(facts, graph, DEINTERLACER);
  return facts.complexGraphs.length > 0
    ? `Send the filter "${DEINTERLACER}" before the others.`
    : addOption('vf', DEINTERLACER);
}

export const COLOUR_RULES: Rules = {
  /** ffmpeg 7.1 takes these two properties from the frames and ignores the options. `colorspace` and `color_range` still work. */
  'ignored-colours': {
    finds: '`color_primaries` or `color_trc`, which ffmpeg 7.1 ignores',
    about: ['color_primaries', 'color_trc'],
    plan({ options, encoders, catalogue }) {
      const { release } = catalogue.build;
      if (release?.[0] !== 7 || release[1] !== 1) return [];
      if (options.some(({ values }) => values.some((value) => value.includes('setparams')))) return [];
      const ignored = options.filter(
        ({ name }) => Object.hasOwn(NAMES, name.name) && !areAllCopied(encoders, name.specifier ?? 'v'),
      );
      const params = ignored.flatMap(({ name, values }) => {
        const sent = values.at(-1) ?? '';
        const value = OTHER_NAMES.get(sent) ?? sent;
        return NAMES[name.name]?.has(value) ? [{ key: name.name, value }] : [];
      });
      // A fix for some of the colours would leave the others wrong.
      const fix = params.length === ignored.length ? fixFor(options, params, catalogue) : undefined;
      return ignored.map((option) => ({
        field: option.field,
        code: 'NO_EFFECT',
        message: `"${sentName(option)}" has no effect in ffmpeg 7.1, which takes this colour property from the frames.`,
        ...(fix !== undefined && { fix }),
      }));
    },
  },

  'interlaced-output': {
    finds: 'an interlaced input that was encoded without deinterlacing',
    run({ facts, pass }) {
      const hasFields = facts.argumentsOf(FIELD_OPTIONS).some((value) => FIELD_WORDS.test(value));
      const input = facts.inputs.findIndex(({ traits }) =>
        [...(traits?.values() ?? [])].some(({ isInterlaced }) => isInterlaced === true),
      );
      if (hasFields || facts.usesFilter(FIELD_FILTERS) || input < 0) return [];
      const isPlayed = pass.outputStreams.some(
        ({ index, codec }) =>
          PLAYED.has(codec) && pass.outputTraits.get(index)?.isInterlaced === true && !isCopied(pass, index),
      );
      if (!isPlayed) return [];
      const field = facts.plan.inputs[input]?.field;
      return {
        ...(field !== undefined && { field }),
        code: 'INTERLACED',
        message: `${facts.pathOf(input)} is marked as interlaced, but the output is not deinterlaced: moving edges look like combs.`,
        fix: deinterlaced(facts),
      };
    },
  },
};
