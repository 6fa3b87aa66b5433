import { TIMES } from './filter-effects.ts';
import type { FinishedPass } from './finished-pass.ts';
import { inputStream, type MediaFacts, secondsOfInput } from './media-facts.ts';

/** The seconds of the only sound that is read. undefined if there are several, or if a filter changes how long it is. */
export function secondsOfSound(facts: MediaFacts, used: FinishedPass['used']): number | undefined {
  const [sound, ...others] = used.filter(({ input, stream }) => inputStream(facts, input, stream)?.type === 'audio');
  if (sound === undefined || others.length > 0) return undefined;
  if (facts.graphs.some(({ key, filters }) => !/^filter:v/.test(key) && filters.some(({ name }) => TIMES.test(name))))
    return undefined;
  return secondsOfInput(facts, sound.input);
}
