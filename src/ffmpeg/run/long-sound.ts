import { addOption } from '../../domain/edit.ts';
import { TIMES } from './filter-effects.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import { inputStream, type MediaFacts, pathOf, secondsOfInput, secondsText } from './media-facts.ts';
import { requestedSeconds } from './output-duration.ts';

/** A sound may be longer than its picture by this, such as the last tone of a song. */
const TOLERANCE = 0.1;
const TOLERANCE_SECONDS = 1;
/** Options that end the whole output. */
const CUT = /^-(?:shortest|fs|vframes|d?frames(?::v(?::\d+)?)?)$/;

/** Whether the request says where the output ends, so that no sound is too long. */
export const hasOwnEnd = ({ argv, plan }: MediaFacts): boolean =>
  argv.some((word) => CUT.test(word)) || requestedSeconds(plan.span.output) !== undefined;

/** Whether a sound is so much longer than the picture that the last frame would stay. */
export const outlasts = (sound: number, picture: number): boolean =>
  sound - picture > Math.max(TOLERANCE_SECONDS, picture * TOLERANCE);

/** Ends the output with the picture. */
export const SHORTEST_FIX = addOption('shortest', '');

/** A song that is longer than the film of another input: most players then show the last picture up to its end. */
export function longSound(facts: MediaFacts, { used, outputStreams }: ForeseenPass): readonly RunWarning[] {
  if (hasOwnEnd(facts)) return [];
  if (facts.graphs.some(({ filters }) => filters.some(({ name }) => TIMES.test(name)))) return [];
  const [picture, ...pictures] = ofKind(facts, used, 'video');
  const [sound, ...sounds] = ofKind(facts, used, 'audio');
  if (picture === undefined || sound === undefined || pictures.length + sounds.length > 0) return [];
  if (picture.input === sound.input || outputStreams.length < 2) return [];
  const isCover = inputStream(facts, picture.input, picture.stream)?.disposition?.includes('attached_pic') === true;
  const [film, song] = [picture, sound].map(({ input }) => secondsOfInput(facts, input));
  if (isCover || film === undefined || song === undefined) return [];
  if (!outlasts(song, film)) return [];
  const field = facts.plan.inputs[sound.input]?.field;
  return [
    {
      ...(field === undefined ? {} : { field }),
      code: 'UNEQUAL_LENGTHS',
      message: `${pathOf(facts, sound.input)} lasts ${secondsText(song)}, and the picture of ${pathOf(facts, picture.input)} ends after ${secondsText(film)}: most players show its last frame until the end.`,
      fix: SHORTEST_FIX,
    },
  ];
}

const ofKind = (facts: MediaFacts, used: ForeseenPass['used'], kind: 'video' | 'audio'): ForeseenPass['used'] =>
  used.filter(({ input, stream }) => inputStream(facts, input, stream)?.type === kind);
