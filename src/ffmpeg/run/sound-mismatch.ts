import { addOption, orElse, sendIn, sendOption, withMore } from '../../domain/edit.ts';
import { printGraph } from '../filtergraph/graph.ts';
import { TIMES } from './filter-effects.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './finished-pass.ts';
import {
  type ArgvGraph,
  inputArgs,
  inputStream,
  type MediaFacts,
  pathOf,
  sentNameOf,
  withField,
} from './media-facts.ts';
import { STILL } from './output-duration.ts';

/** A frame rate that differs less corrects that of the file. */
const TOLERANCE = 0.05;

/** Frames per second in `25` or `30000/1001`. undefined for a name. */
function rateIn(text: string | undefined): number | undefined {
  const [, above, below = '1'] = /^(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text ?? '') ?? [];
  return above === undefined ? undefined : Number(above) / Number(below);
}

type Used = FinishedPass['used'][number];

/** The streams of one kind of an input that the output has. */
const usedOf = (
  facts: MediaFacts,
  used: FinishedPass['used'],
  input: number,
  kind: 'video' | 'audio',
): readonly Used[] => used.filter((one) => one.input === input && inputStream(facts, input, one.stream)?.type === kind);

/** `r` of an input with sound: ffmpeg plays the frames at that rate, so the picture becomes slower or faster than the sound. */
export function pacedInput(facts: MediaFacts, { used }: ForeseenPass): readonly RunWarning[] {
  if (facts.graphs.some(({ filters }) => filters.some(({ name }) => TIMES.test(name)))) return [];
  return facts.inputs.flatMap(({ demuxer }, input) => {
    const args = inputArgs(facts, input);
    const rate = rateIn(args[args.lastIndexOf('-r') + 1]);
    const [picture] = usedOf(facts, used, input, 'video');
    const planned = facts.plan.inputs[input];
    if (!args.includes('-r') || rate === undefined || picture === undefined || planned === undefined) return [];
    const fps = picture.copied ? undefined : inputStream(facts, input, picture.stream)?.fps;
    if (fps === undefined || STILL.test(demuxer) || Math.abs(rate / fps - 1) <= TOLERANCE) return [];
    if (usedOf(facts, used, input, 'audio').length === 0) return [];
    return [
      {
        field: planned.field.replace(/\/input$/, '/parameters/r'),
        code: 'OUT_OF_SYNC',
        message: `"r" of the input ${pathOf(facts, input)} plays its ${fps} frames per second at ${Number(rate.toFixed(3))}: the picture is ${rate < fps ? 'slower' : 'faster'} than the sound.`,
        fix: {
          ...sendIn('parameters', 'r', args[args.lastIndexOf('-r') + 1] ?? ''),
          why: 'that changes the frame rate at the same speed',
        },
      },
    ];
  });
}

/** `reverse` plays only the picture backwards, or `areverse` only the sound. */
export function forwardSound(facts: MediaFacts, { used, outputStreams }: ForeseenPass): readonly RunWarning[] {
  const [picture, sound] = (['video', 'audio'] as const).map((kind) =>
    facts.inputs.length === 1 ? usedOf(facts, used, 0, kind)[0] : undefined,
  );
  const complex = facts.inputs.length === 1 ? facts.graphs.find(({ key }) => key === 'filter_complex') : undefined;
  const hasSound = outputStreams.some(({ type }) => type === 'audio');
  if (complex !== undefined) return hasSound ? forwardBeside(facts, complex) : [];
  if (picture === undefined || sound === undefined) return [];
  const [video, audio] = ['v', 'a'].map((letter) => facts.graphs.find(({ key }) => key.startsWith(`filter:${letter}`)));
  const reverses = video?.filters.some(isReverse) === true;
  if (reverses === (audio?.filters.some(({ name }) => name === 'areverse') === true)) return [];
  const [graph, other] = reverses ? [video, audio] : [audio, video];
  const added = reverses ? 'areverse' : 'reverse';
  const isCopied = reverses ? sound.copied : picture.copied;
  const [codec, drop, what] = reverses ? ['c:a', 'an', 'sound'] : ['c:v', 'vn', 'picture'];
  const both = other === undefined ? added : `${printGraph(other.graph)},${added}`;
  const name = other === undefined ? (reverses ? 'af' : 'vf') : sentNameOf(facts, other.key);
  if (graph === undefined) return [];
  return [
    withField(facts, graph.key, {
      code: 'OUT_OF_SYNC',
      message: reverses
        ? 'The filter reverse plays only the picture backwards, and the sound plays forwards.'
        : 'The filter areverse plays only the sound backwards, and the picture plays forwards.',
      fix: orElse(
        isCopied
          ? withMore(addOption(name, added), { do: 'remove', name: sentNameOf(facts, codec) })
          : other === undefined
            ? addOption(name, both)
            : sendOption(name, both),
        `"${drop}": "" if no ${what} is meant`,
      ),
    }),
  ];
}

/** The same for a graph of the picture alone, beside which ffmpeg takes the sound by itself. */
function forwardBeside(facts: MediaFacts, { graph, filters }: ArgvGraph): readonly RunWarning[] {
  const isAlone =
    graph.chains.length === 1 && filters.some(isReverse) && filters.every(({ outputs }) => outputs.length === 0);
  const isLeft = facts.argv.some((word) => /^-(?:an|map|filter:a.*|c:a)$/.test(word));
  if (!isAlone || isLeft) return [];
  return [
    withField(facts, 'filter_complex', {
      code: 'OUT_OF_SYNC',
      message: 'The filter reverse plays only the picture backwards, and the sound plays forwards.',
      fix: orElse(addOption('af', 'areverse'), '"an": "" if no sound is meant'),
    }),
  ];
}

const isReverse = ({ name }: { readonly name: string }): boolean => name === 'reverse';
