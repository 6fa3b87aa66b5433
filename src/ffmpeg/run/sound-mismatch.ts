import { printGraph } from '../filtergraph/print.ts';
import { sendOption } from '../values/value-error.ts';
import { TIMES } from './filter-effects.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { inputArgs, inputStream, type MediaFacts, pathOf, sentNameOf, withField } from './media-facts.ts';
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
export function pacedInput(facts: MediaFacts, { used }: FinishedPass): readonly RunWarning[] {
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
        field: planned.field,
        code: 'OUT_OF_SYNC',
        message: `"r" of the input ${pathOf(facts, input)} plays its ${fps} frames per second at ${Number(rate.toFixed(3))}: the picture is ${rate < fps ? 'slower' : 'faster'} than the sound.`,
        fix: `${sendOption('r', args[args.lastIndexOf('-r') + 1] ?? '').slice(0, -1)} in the "parameters" of the request for another frame rate at the same speed.`,
      },
    ];
  });
}

/** `reverse` plays only the picture backwards. */
export function forwardSound(facts: MediaFacts, { used }: FinishedPass): readonly RunWarning[] {
  const graph = facts.graphs.find(({ key, filters }) => key.startsWith('filter:v') && filters.some(isReverse));
  const sounds = facts.inputs.length === 1 ? usedOf(facts, used, 0, 'audio') : [];
  const [sound] = sounds;
  if (graph === undefined || sound === undefined) return [];
  const audio = facts.graphs.find(({ key }) => key.startsWith('filter:a'));
  if (audio?.filters.some(({ name }) => name === 'areverse') === true) return [];
  const both = audio === undefined ? 'areverse' : `${printGraph(audio.graph)},areverse`;
  const name = audio === undefined ? 'af' : sentNameOf(facts, audio.key);
  return [
    withField(facts, graph.key, {
      code: 'OUT_OF_SYNC',
      message: 'The filter reverse plays only the picture backwards, and the sound plays forwards.',
      fix: sound.copied
        ? 'Send "an": "" to leave the sound out, or encode it ("c:a") with the filter "areverse".'
        : `${sendOption(name, both).slice(0, -1)}${audio === undefined ? ' as well' : ''}, or "an": "" to leave the sound out.`,
    }),
  ];
}

const isReverse = ({ name }: { readonly name: string }): boolean => name === 'reverse';
