import type { Warning } from '@telecine/contract/domain/plan.ts';
import { AUDIO_FILTER_RULES } from './audio/audio-filters.ts';
import { CHANNEL_RULES } from './audio/channels.ts';
import { LONG_AUDIO_RULES } from './audio/long-audio.ts';
import { BIT_DEPTH_RULES, SAMPLE_RATE_RULES } from './audio/samples.ts';
import { SPEED_RULES } from './audio/speeds.ts';
import { CODEC_RULES } from './containers/codecs.ts';
import { FORMAT_RULES } from './containers/formats.ts';
import { SEGMENT_RULES } from './containers/segments.ts';
import type {
  CutContext,
  ForeseenContext,
  ForeseenWarning,
  RequestContext,
  Rule,
  Rules,
  RunContext,
  RunFindings,
  RunWarning,
} from './contexts.ts';
import { BIT_RATE_RULES } from './encoders/bit-rates.ts';
import { QUALITY_RULES } from './encoders/quality.ts';
import { VALUE_UNIT_RULES } from './encoders/value-units.ts';
import type { MediaFacts } from './facts/media-facts.ts';
import { filtersIn } from './facts/placed-filter.ts';
import { writtenGraphs } from './facts/written-graphs.ts';
import { MISTAKEN_FILTER_RULES } from './filters/mistaken-filters.ts';
import { type RuleFacts, ruleSet } from './rules.ts';
import { EMPTY_STREAM_RULES } from './streams/empty-streams.ts';
import { MAP_RULES } from './streams/maps.ts';
import { OPTION_RULES } from './streams/options.ts';
import { READ_ERROR_RULES } from './streams/read-errors.ts';
import { SUBTITLE_RULES } from './streams/subtitles.ts';
import { TAG_RULES } from './streams/tags.ts';
import { UNUSED_INPUT_RULES } from './streams/unused-inputs.ts';
import { COPY_START_RULES } from './times/copy-starts.ts';
import { END_OPTION_RULES } from './times/end-options.ts';
import { ENDLESS_OUTPUT_RULES } from './times/endless-outputs.ts';
import { FADE_RULES } from './times/fades.ts';
import { OUTPUT_LENGTH_RULES } from './times/output-lengths.ts';
import { TRANSITION_RULES } from './times/transitions.ts';
import { TRIM_RULES } from './times/trims.ts';
import { ALPHA_RULES } from './video/alpha.ts';
import { BOUND_RULES } from './video/bounds.ts';
import { COLOUR_RULES } from './video/colours.ts';
import { DRAWN_SUBTITLE_RULES } from './video/drawn-subtitles.ts';
import { FRAME_RATE_RULES } from './video/frame-rates.ts';
import { IMAGE_OUTPUT_RULES } from './video/image-outputs.ts';
import { IMAGE_RULES } from './video/images.ts';
import { PIXEL_FORMAT_RULES } from './video/pixel-formats.ts';
import { PIXEL_SHAPE_RULES } from './video/pixel-shapes.ts';
import { ROTATION_RULES } from './video/rotation.ts';
import { SIZE_RULES } from './video/sizes.ts';
import { UNKNOWN_FRAME_RATE_RULES } from './video/unknown-frame-rates.ts';
import { ZOOM_RULES } from './video/zooms.ts';

/** All rules. A reply lists the findings in this order. */
const RULES: readonly (Rule & RuleFacts)[] = [
  END_OPTION_RULES,
  OUTPUT_LENGTH_RULES,
  OPTION_RULES,
  SIZE_RULES,
  ROTATION_RULES,
  QUALITY_RULES,
  BIT_RATE_RULES,
  VALUE_UNIT_RULES,
  FORMAT_RULES,
  CODEC_RULES,
  CHANNEL_RULES,
  COLOUR_RULES,
  UNUSED_INPUT_RULES,
  READ_ERROR_RULES,
  MAP_RULES,
  SUBTITLE_RULES,
  DRAWN_SUBTITLE_RULES,
  BOUND_RULES,
  FADE_RULES,
  TRANSITION_RULES,
  SEGMENT_RULES,
  TAG_RULES,
  ALPHA_RULES,
  ENDLESS_OUTPUT_RULES,
  AUDIO_FILTER_RULES,
  BIT_DEPTH_RULES,
  LONG_AUDIO_RULES,
  COPY_START_RULES,
  SPEED_RULES,
  IMAGE_RULES,
  PIXEL_SHAPE_RULES,
  ZOOM_RULES,
  TRIM_RULES,
  EMPTY_STREAM_RULES,
  IMAGE_OUTPUT_RULES,
  SAMPLE_RATE_RULES,
  FRAME_RATE_RULES,
  UNKNOWN_FRAME_RATE_RULES,
  PIXEL_FORMAT_RULES,
  MISTAKEN_FILTER_RULES,
].flatMap((rules: Rules) => Object.entries(rules).map(([id, rule]) => ({ id, ...rule })));

type Facts = { readonly facts: MediaFacts };

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

/** Returns one finder for the whole request, also for a rule that looks at single options or graphs. */
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

/** Runs a finder on each filter that `about` names. A finding points to the option that contains the graph. */
const filterFinder = ({ about = [] }: Rule, find: Rule['filter']) =>
  find &&
  (({ facts }: Facts): RunFindings =>
    filtersIn(facts, ...about).flatMap((at) => listOf(find(at)).map((one) => ({ key: at.graph.key, ...one }))));

export const RULE_SETS = {
  format: setOf<RequestContext, Warning>((rule) => rule.format),
  plan: setOf<RequestContext, Warning>(planFinder),
  streams: setOf<ForeseenContext, ForeseenWarning>((rule) => rule.streams),
  files: setOf<ForeseenContext, ForeseenWarning>((rule) => rule.files ?? rule.filesAndRun),
  filters: setOf<Facts>((rule) => filterFinder(rule, rule.filter ?? rule.lengths)),
  roughFilters: setOf<Facts>((rule) => filterFinder(rule, rule.rough ?? rule.filter)),
  cut: setOf<CutContext, ForeseenWarning>((rule) => rule.cut),
  run: setOf<RunContext>((rule) => rule.run ?? rule.filesAndRun ?? filterFinder(rule, rule.filter ?? rule.lengths)),
};

/** The phases, as `docs/rules.md` lists them: at the check of a request, before the run if the inputs can be read, and after the run. */
export const PHASES: Readonly<Record<'plan' | 'files' | 'run', readonly (keyof typeof RULE_SETS)[]>> = {
  plan: ['format', 'plan'],
  files: ['streams', 'files', 'filters', 'roughFilters', 'cut'],
  run: ['run'],
};
