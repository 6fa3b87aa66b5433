import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { LadderPass, PlannedLadder } from '@telecine/contract/domain/sampling.ts';
import { optionArgs, outputArgs, sampleArgv } from '../../plan/argv.ts';
import {
  type ArgvOption,
  isVideoFilter,
  lastValue,
  serviceOption,
  videoValue,
} from '../../plan/request/argv-option.ts';
import { variantsOfRungs } from '../choosers/ladder.ts';
import type { SearchedLadder } from './checks.ts';
import { inPixelFormat } from './graphs.ts';
import { graphOf, planSamples, type SampledPlan, sizedOptions, unknownEnds, withoutContainer } from './plan-samples.ts';

const { number: RUNG, maxrate, bufsize, variants } = QUALITY_PLACEHOLDERS;

const DEFAULT_SEGMENT_SECONDS = 2;

const segmentSeconds = (options: readonly ArgvOption[]): number =>
  parseDuration(lastValue('hls_time', options) ?? '') ?? DEFAULT_SEGMENT_SECONDS;

/**
 * The options of the output, with those of HLS that a ladder needs: as many variants as rungs are possible, a complete playlist, and key
 * frames at the same times in all rungs. Options of the client come first.
 */
export function withVariants(
  options: readonly ArgvOption[],
  output: MediaPath,
  { target: { maxRungs }, audio }: SearchedLadder,
): readonly ArgvOption[] {
  const lacks = (...keys: readonly string[]): boolean => !options.some(({ name }) => keys.includes(name.name));
  const add = (isNeeded: boolean, key: string, value: string, isOfContainer = true): readonly ArgvOption[] =>
    isNeeded ? [serviceOption(key, [value], isOfContainer)] : [];
  const forced = `expr:gte(t,n_forced*${segmentSeconds(options)})`;
  return [
    ...options,
    ...add(lacks('hls_playlist_type', 'hls_list_size'), 'hls_playlist_type', 'vod'),
    ...add(lacks('force_key_frames', 'g'), 'force_key_frames:v', forced, false),
    ...add(lacks('sc_threshold'), 'sc_threshold:v', '0', false),
    ...add(output.includes('%v') && lacks('master_pl_name'), 'master_pl_name', 'master.m3u8'),
    ...add(true, 'var_stream_map', variantsOfRungs(maxRungs, audio.found !== 'never')),
  ];
}

/** A planned ladder, and the options of one rung and its audio. */
interface LadderPlan {
  readonly ladder: PlannedLadder;
  readonly wanted: readonly ArgvOption[];
}

/**
 * Plans how the run finds the rungs, and the pass that writes them. undefined: `errors` has the reason.
 *
 * @param unlimited The options of the output without the limits of threads, which chunks set themselves.
 */
export function planLadder(
  plan: SampledPlan,
  searched: SearchedLadder,
  unlimited: readonly ArgvOption[],
  errors: FieldError[],
): LadderPlan | undefined {
  const { metric, target, encoder, scale, videoMap, audio } = searched;
  const { output } = plan.parts;
  const graph = graphOf(output);
  const sized = sizedOptions(graph, scale, plan.catalogue);
  const isShared = (option: ArgvOption): boolean =>
    !isVideoFilter(option) && option.key !== 'map' && option.key !== `${scale.option}:v`;
  const shared = output.filter(isShared);
  const samples =
    sized &&
    planSamples(plan, {
      ...{ metric, encoder, scale, graph, maps: [videoMap], isSized: true },
      cut: inPixelFormat(videoValue(output, 'pix_fmt')),
      options: [...sized, ...withoutContainer(shared)],
    });
  if (sized === undefined || samples === undefined) {
    errors.push(unknownEnds(output, 'ladder'));
    return undefined;
  }
  const ofRung = [...sized, serviceOption('maxrate:v', [maxrate]), serviceOption('bufsize:v', [bufsize])];
  const withPlaceholder = (option: ArgvOption): ArgvOption =>
    option.key === 'var_stream_map' ? { ...option, values: [variants] } : option;
  const rest = shared.map(withPlaceholder);
  const ladder: PlannedLadder = {
    ...{ samples, target: target.target, maxRungs: target.maxRungs },
    ...(target.maxBitrate !== undefined && { maxBitrate: target.maxBitrate }),
    segmentSeconds: segmentSeconds(output),
    ...(/(?:^|\+)single_file(?:$|[+-])/.test(lastValue('hls_flags', output) ?? '') && { isSingleFile: true as const }),
    pass: {
      start: sampleArgv(plan.parts, [], []),
      rung: optionArgs([
        serviceOption('map', [videoMap]),
        ...ofRung.map(({ key, values }) => serviceOption(`${key}:${RUNG}`, values)),
      ]),
      audio: audio.found === 'never' ? [] : ['-map', audio.map],
      end: [...optionArgs(rest), ...outputArgs({ ...plan.parts, output: rest })],
    },
    audio: audio.found,
  };
  const maps = [videoMap, ...(audio.found === 'never' ? [] : [`${audio.map}${audio.found === 'found' ? '?' : ''}`])];
  const ofChunks = unlimited.filter(isShared).map(withPlaceholder);
  return { ladder, wanted: [serviceOption('map', maps), ...ofRung, ...ofChunks] };
}

/** The argv that the plan shows: the pass of one rung, with audio if it may have some. */
export const shownPass = ({ start, rung, audio, end }: LadderPass): readonly string[] => [
  ...start,
  ...rung,
  ...audio,
  ...end,
];
