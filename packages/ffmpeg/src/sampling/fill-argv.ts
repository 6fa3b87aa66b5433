import { LADDER_AUDIO } from '@telecine/contract/domain/ladder.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type {
  ChosenBySamples,
  ChosenLadder,
  LadderPass,
  PlannedLadder,
  SizedPoint,
} from '@telecine/contract/domain/sampling.ts';
import { peakOf } from './choosers/ladder.ts';

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
  const { frameSize: _, quality: __, ladder, ...others } = plan;
  const passes =
    chosen.ladder && ladder
      ? [ladderArgv(ladder, chosen.ladder)]
      : plan.passes.map((argv) => withChosenArgv(argv, chosen));
  return { ...others, passes, chosen, ...(ladder && { ladder }) };
}

/** Puts what samples let choose into an argv. */
export const withChosenArgv = (argv: readonly string[], { frameSize, quality }: ChosenBySamples): readonly string[] =>
  fillArgv(argv, {
    ...(frameSize && { width: frameSize.width, height: frameSize.height }),
    ...(quality && { value: quality.value }),
  });

/** The options of a rung by their names: its size, its quality and its peaks. */
type RungOptions = Readonly<Record<string, string | number>>;

/** The argv with some rungs, the best first. */
export function argvOfRungs(
  { start, videoMap, filter, audio, end }: LadderPass,
  rungs: readonly RungOptions[],
  hasAudio: boolean,
): readonly string[] {
  const audioMap = hasAudio ? audio?.replace('?', '') : undefined;
  return [
    ...start,
    ...rungs.flatMap((options, rung) => [
      ...['-map', videoMap, ...(filter === undefined ? [] : [`-filter:v:${rung}`, filter])],
      ...Object.entries(options).flatMap(([name, value]) => [`-${name}:v:${rung}`, String(value)]),
    ]),
    ...(audioMap === undefined ? [] : ['-map', audioMap]),
    ...['-var_stream_map', variantsOfRungs(rungs.length, audioMap !== undefined)],
    ...end,
  ];
}

/** The value of `var_stream_map` for some rungs, the best first, which share the audio. */
export const variantsOfRungs = (count: number, hasAudio: boolean): string =>
  [
    ...Array.from({ length: count }, (_, rung) => `v:${rung}${hasAudio ? `,agroup:${LADDER_AUDIO}` : ''}`),
    ...(hasAudio ? [`a:0,agroup:${LADDER_AUDIO},name:${LADDER_AUDIO}`] : []),
  ].join(' ');

/** The options by which a rung differs from others. */
export const optionsOfRung = (
  { value, width, height, bitsPerSecond }: SizedPoint,
  option: string,
  segmentSeconds: number,
): RungOptions => ({ s: `${width}x${height}`, [option]: value, ...peakOf({ bitsPerSecond }, segmentSeconds) });

/** The argv that writes the rungs of a ladder. */
export const ladderArgv = (
  { pass, segmentSeconds }: Pick<PlannedLadder, 'pass' | 'segmentSeconds'>,
  { rungs, option, hasAudio }: Pick<ChosenLadder, 'rungs' | 'option' | 'hasAudio'>,
): readonly string[] =>
  argvOfRungs(
    pass,
    rungs.map((rung) => optionsOfRung(rung, option, segmentSeconds)),
    hasAudio,
  );
