import type { Warning } from '../../domain/plan.ts';
import { CODEC_RULES } from './containers/codecs.ts';
import { FORMAT_RULES } from './containers/formats.ts';
import { SEGMENT_RULES } from './containers/segments.ts';
import type { ForeseenContext, ForeseenWarning, RequestContext, Rule, RunContext, RunFindings } from './contexts.ts';
import { BIT_RATE_RULES } from './encoders/bit-rates.ts';
import { QUALITY_RULES } from './encoders/quality.ts';
import type { ForeseenPass, RunWarning } from './facts/finished-pass.ts';
import type { MediaFacts } from './facts/media-facts.ts';
import { filtersIn } from './facts/placed-filter.ts';
import { writtenGraphs } from './facts/written-graphs.ts';
import { MISTAKEN_FILTER_RULES } from './filters/mistaken-filters.ts';
import { ALPHA_RULES } from './pictures/alpha.ts';
import { BOUND_RULES } from './pictures/bounds.ts';
import { COLOUR_RULES } from './pictures/colours.ts';
import { FRAME_RULES } from './pictures/frames.ts';
import { PIXEL_FORMAT_RULES } from './pictures/pixel-formats.ts';
import { PIXEL_SHAPE_RULES } from './pictures/pixel-shapes.ts';
import { SIZE_RULES } from './pictures/sizes.ts';
import { STILL_RULES } from './pictures/stills.ts';
import { ZOOM_RULES } from './pictures/zooms.ts';
import { ruleSet } from './rules.ts';
import { CHANNEL_RULES } from './sound/channels.ts';
import { LONG_SOUND_RULES } from './sound/long-sound.ts';
import { SOUND_FILTER_RULES } from './sound/sound-filters.ts';
import { SPEED_RULES } from './sound/speeds.ts';
import { EMPTY_STREAM_RULES } from './streams/empty-streams.ts';
import { MAP_RULES } from './streams/maps.ts';
import { OPTION_RULES } from './streams/options.ts';
import { READ_ERRORS } from './streams/read-errors.ts';
import { SUBTITLE_RULES } from './streams/subtitles.ts';
import { TAG_RULES } from './streams/tags.ts';
import { UNUSED_INPUT_RULES } from './streams/unused-inputs.ts';
import { COPY_START_RULES } from './times/copy-starts.ts';
import { ENDLESS_OUTPUT_RULES } from './times/endless-outputs.ts';
import { END_RULES } from './times/ends.ts';
import { FADE_RULES } from './times/fades.ts';
import { TRANSITION_RULES } from './times/transitions.ts';
import { TRIM_RULES } from './times/trims.ts';

/** All rules. A reply has their findings in this order. */
const RULES: readonly Rule[] = [
  ...END_RULES,
  ...OPTION_RULES,
  ...SIZE_RULES,
  ...QUALITY_RULES,
  ...BIT_RATE_RULES,
  ...FORMAT_RULES,
  ...CODEC_RULES,
  ...CHANNEL_RULES,
  ...COLOUR_RULES,
  ...UNUSED_INPUT_RULES,
  READ_ERRORS,
  ...MAP_RULES,
  ...SUBTITLE_RULES,
  ...BOUND_RULES,
  ...FADE_RULES,
  ...TRANSITION_RULES,
  ...SEGMENT_RULES,
  ...TAG_RULES,
  ...ALPHA_RULES,
  ...ENDLESS_OUTPUT_RULES,
  ...SOUND_FILTER_RULES,
  ...LONG_SOUND_RULES,
  ...COPY_START_RULES,
  ...SPEED_RULES,
  ...STILL_RULES,
  ...PIXEL_SHAPE_RULES,
  ...ZOOM_RULES,
  ...TRIM_RULES,
  ...EMPTY_STREAM_RULES,
  ...FRAME_RULES,
  ...PIXEL_FORMAT_RULES,
  ...MISTAKEN_FILTER_RULES,
];

type Facts = { readonly facts: MediaFacts };

/** The set of the rules for which `finderOf` returns a finder. */
const setOf = <Context, Found extends Warning = RunWarning>(
  finderOf: (rule: Rule) => ((context: Context) => Found | readonly Found[] | undefined) | undefined,
) =>
  ruleSet<Context, Found>(
    RULES.flatMap((rule) => {
      const find = finderOf(rule);
      return find === undefined ? [] : [{ ...rule, find }];
    }),
  );

const listOf = <Found>(found: Found | readonly Found[] | undefined): readonly Found[] =>
  ([] as readonly Found[]).concat(found ?? []);

/** The finder of a rule about a request. One of options or graphs is run on each of them. */
function planFinder(rule: Rule): Rule['plan'] {
  const { option: ofOption, writtenGraph: ofGraph } = rule;
  const about = new Set(rule.about);
  if (ofOption !== undefined)
    return (context) => {
      const find = ofOption(context);
      return context.options
        .filter(({ name }) => about.has(name.name))
        .flatMap((one) => listOf(find(one)).map((found) => ({ field: one.field, ...found })));
    };
  if (ofGraph === undefined) return rule.plan;
  return (context) =>
    writtenGraphs(context.options).flatMap((one) =>
      listOf(ofGraph(one, context)).map((found) => ({ field: one.option.field, ...found })),
    );
}

/** Runs a finder on each filter that its rule is about. What it finds is about the option with the graph. */
const filterFinder = ({ about = [] }: Rule, find: Rule['filter']) =>
  find &&
  (({ facts }: Facts): RunFindings =>
    filtersIn(facts, ...about).flatMap((at) => listOf(find(at)).map((one) => ({ key: at.graph.key, ...one }))));

/** The rules by what they look at. */
export const RULE_SETS = {
  format: setOf<RequestContext, Warning>((rule) => rule.format),
  plan: setOf<RequestContext, Warning>(planFinder),
  streams: setOf<ForeseenContext, ForeseenWarning>((rule) => rule.streams),
  files: setOf<ForeseenContext, ForeseenWarning>((rule) => rule.files ?? rule.filesAndRun),
  filters: setOf<Facts>((rule) => filterFinder(rule, rule.filter)),
  roughFilters: setOf<Facts>((rule) =>
    filterFinder(rule, rule.rough ?? (rule.comparesLengths === true ? undefined : rule.filter)),
  ),
  cut: setOf<Pick<RunContext<ForeseenPass>, 'facts' | 'pass'>, ForeseenWarning>((rule) => rule.cut),
  run: setOf<RunContext>((rule) => rule.run ?? rule.filesAndRun ?? filterFinder(rule, rule.filter)),
};

/** When rules run. `plan`: when a request is checked. `files`: before the run, by what is in the inputs. `run`: after the run. */
export const PHASES: Readonly<Record<'plan' | 'files' | 'run', readonly (keyof typeof RULE_SETS)[]>> = {
  plan: ['format', 'plan'],
  files: ['streams', 'files', 'filters', 'roughFilters', 'cut'],
  run: ['run'],
};
