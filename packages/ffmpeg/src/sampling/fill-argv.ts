import { LADDER_AUDIO } from '@telecine/contract/domain/ladder.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { ChosenBySamples, LadderRung, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import { peakOf } from './choosers/ladder.ts';
import { sizeName } from './choosers/sizes.ts';

type FilledValues = Readonly<Partial<Record<keyof typeof QUALITY_PLACEHOLDERS, string | number>>>;

/** The options whose value may be a placeholder. Elsewhere, such as in a title, the same word is the client's. */
const FILLED = /^-(?:crf|cq|qp|ss|t)(?::v(?::\w+)?)?$/;

/** The options of a filtergraph that may have placeholders. */
const FILTERS = /^-filter(?::[vV].*)?$/;

/** Replaces the placeholders of an argv that have a value. */
export function fillArgv(argv: readonly string[], values: FilledValues): readonly string[] {
  const filled = (Object.keys(values) as (keyof FilledValues)[]).map(
    (name) => [QUALITY_PLACEHOLDERS[name], String(values[name])] as const,
  );
  const words = new Map<string, string>(filled);
  // A graph may draw any text of the client.
  const inGraphs = filled.filter(([name]) => name !== QUALITY_PLACEHOLDERS.value);
  return argv.map((word, at) => {
    const option = argv[at - 1] ?? '';
    if (FILTERS.test(option)) return inGraphs.reduce((graph, [name, value]) => graph.replaceAll(name, value), word);
    return FILLED.test(option) ? (words.get(word) ?? word) : word;
  });
}

/** The plan with what samples let choose. */
export function withChosen(plan: Plan, chosen: ChosenBySamples): Plan {
  const { search, passes } = plan;
  const { ladder } = chosen;
  if (ladder === undefined || search?.choose !== 'ladder')
    return { ...plan, chosen, passes: passes.map((argv) => withChosenArgv(argv, chosen)) };
  return { ...plan, chosen, passes: [withRungs(search.argv, search.rung, ladder.rungs, ladder.hasAudio)] };
}

/** Puts the frame size and the value that samples let choose into an argv. */
export const withChosenArgv = (argv: readonly string[], { frameSize, quality }: ChosenBySamples): readonly string[] =>
  fillArgv(argv, {
    ...(frameSize && { width: frameSize.width, height: frameSize.height }),
    ...(quality && { value: quality.value }),
  });

/** Puts the rungs of a ladder into an argv, the best first. */
export const withRungs = (
  argv: readonly string[],
  { args, option, segmentSeconds }: LadderRung,
  rungs: readonly SizedPoint[],
  hasAudio: boolean,
): readonly string[] =>
  fillRungs(
    argv,
    args,
    rungs.map((rung) => ({ s: sizeName(rung), [option]: rung.value, ...peakOf(rung, segmentSeconds) })),
    hasAudio,
  );

/** The name of an option of a rung. */
const NUMBERED = new RegExp(`^(-[\\w-]+:v:)${QUALITY_PLACEHOLDERS.rung}$`);

/**
 * Repeats the arguments of a rung for each rung, and names them as the variants of the output.
 *
 * @param rungs The options by which each rung differs from others, by their names.
 */
export function fillRungs(
  argv: readonly string[],
  args: readonly string[],
  rungs: readonly Readonly<Record<string, string | number>>[],
  hasAudio: boolean,
): readonly string[] {
  const all = rungs.flatMap((options, rung) => [
    ...args.map((word) => word.replace(NUMBERED, `$1${rung}`)),
    ...Object.entries(options).flatMap(([name, value]) => [`-${name}:v:${rung}`, String(value)]),
  ]);
  return argv.flatMap((word, at) => {
    const option = argv[at - 1];
    if (word === QUALITY_PLACEHOLDERS.rungs) return all;
    if (option === '-var_stream_map') return [variantsOfRungs(rungs.length, hasAudio)];
    return [option === '-map' && hasAudio ? word.replace('?', '') : word];
  });
}

/** The value of `var_stream_map` for some rungs, the best first, which share the audio. */
export const variantsOfRungs = (count: number, hasAudio: boolean): string =>
  [
    ...Array.from({ length: count }, (_, rung) => `v:${rung}${hasAudio ? `,agroup:${LADDER_AUDIO}` : ''}`),
    ...(hasAudio ? [`a:0,agroup:${LADDER_AUDIO},name:${LADDER_AUDIO}`] : []),
  ].join(' ');
