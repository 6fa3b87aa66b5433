import { TIMES } from './filter-effects.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import { printChanged, withChoice, withFilter } from './graph-fixes.ts';
import { hasOwnEnd, outlasts, SHORTEST_FIX } from './long-sound.ts';
import {
  type MediaFacts,
  optionValue,
  pathOf,
  secondsOfInput,
  secondsText,
  sourceOf,
  withField,
} from './media-facts.ts';

/**
 * `amix` lasts as long as its longest sound, such as a song under a short film: most players then show the last picture up
 * to the end. Reported only for a picture that is mapped without filters, and for sound alone if amix has no `duration`.
 */
export function longMix(facts: MediaFacts, { used, outputStreams }: ForeseenPass): readonly RunWarning[] {
  if (hasOwnEnd(facts)) return [];
  const [picture, ...pictures] = used.filter(
    ({ output }) => outputStreams.find(({ index }) => index === output)?.type === 'video',
  );
  const ofPicture = picture && secondsOfInput(facts, picture.input);
  if ((picture !== undefined && ofPicture === undefined) || pictures.length > 0) return [];
  if (outputStreams.filter(({ type }) => type === 'audio').length !== 1) return [];
  const graph = facts.graphs.find(({ key }) => key === 'filter_complex');
  const [mix, ...mixes] = graph?.filters.filter(({ name }) => name === 'amix') ?? [];
  if (graph === undefined || mix === undefined || mixes.length > 0) return [];
  const ends = optionValue(mix, 'duration') ?? 'longest';
  const isAltered = graph.filters.some(({ name }) => TIMES.test(name));
  if (isAltered || !['longest', '0'].includes(ends)) return [];
  const pads = Array.from({ length: Number(optionValue(mix, 'inputs') ?? 2) }, (_, pad) => pad);
  const sounds = pads.flatMap((pad) => {
    const source = sourceOf(facts, graph, mix, pad, TIMES);
    const seconds = source && secondsOfInput(facts, source.input);
    return source === undefined || seconds === undefined ? [] : [{ pad, input: source.input, seconds }];
  });
  const [longest, ...shorter] = sounds.toSorted((a, b) => b.seconds - a.seconds);
  if (longest === undefined || sounds.length < pads.length) return [];
  if (picture === undefined || ofPicture === undefined) {
    const shortest = shorter.at(-1);
    // A fade or a cut of the mix says where it ends.
    const isAsked =
      optionValue(mix, 'duration') !== undefined || graph.filters.some(({ name }) => /^a(?:fade|trim)$/.test(name));
    if (isAsked || shortest === undefined || !outlasts(longest.seconds, shortest.seconds)) return [];
    const duration = shortest.pad === 0 ? 'first' : 'shortest';
    return [
      withField(facts, graph.key, {
        code: 'UNEQUAL_LENGTHS',
        message: `The filter amix lasts as long as ${pathOf(facts, longest.input)} (${secondsText(longest.seconds)}), and ${pathOf(facts, shortest.input)} ends after ${secondsText(shortest.seconds)}.`,
        fix: withChoice(
          withFilter(facts, graph, mix, printChanged(mix, { duration })),
          'send "duration=longest" in amix if the longer one is to play on',
        ),
      }),
    ];
  }
  if (!outlasts(longest.seconds, ofPicture)) return [];
  const isFirst = sounds.find(({ pad }) => pad === 0)?.input === picture.input;
  const isShortest = Math.min(...sounds.map(({ seconds }) => seconds)) >= ofPicture;
  const duration = isFirst ? 'first' : isShortest ? 'shortest' : undefined;
  return [
    withField(facts, graph.key, {
      code: 'UNEQUAL_LENGTHS',
      message: `The filter amix lasts as long as ${pathOf(facts, longest.input)} (${secondsText(longest.seconds)}), and the picture of ${pathOf(facts, picture.input)} ends after ${secondsText(ofPicture)}.`,
      fix: duration === undefined ? SHORTEST_FIX : withFilter(facts, graph, mix, printChanged(mix, { duration })),
    }),
  ];
}
