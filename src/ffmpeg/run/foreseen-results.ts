import type { Warning } from '../../domain/plan.ts';
import { foreseenPlaylist, foreseenSegments } from './container-checks.ts';
import type { ForeseenPass } from './finished-pass.ts';
import { foreseenCopies } from './foreseen-copies.ts';
import { foreseenPixels } from './foreseen-pixels.ts';
import { foreseenLateEnd } from './late-end.ts';
import { longMix } from './long-mix.ts';
import { longSound } from './long-sound.ts';
import { lostChannels } from './lost-channels.ts';
import type { MediaFacts } from './media-facts.ts';
import { mergedChannels } from './merged-channels.ts';
import { readOptionFacts } from './option-facts.ts';
import { askedPixels, squeezedByAspect } from './picture-checks.ts';
import { foreseenBandwidth } from './same-bandwidth.ts';
import { forwardSound, pacedInput } from './sound-mismatch.ts';
import { unequalSpeeds } from './speed-checks.ts';
import { squeezedBySize } from './squeezed-pictures.ts';
import { filmOnPicture, stillOfOneFrame } from './still-checks.ts';
import { coverAsVideo, videoInSoundFile } from './stream-checks.ts';
import { trimOfOneKind } from './trim-checks.ts';
import { unusedStreams } from './unused-streams.ts';

/** The warnings about a run that its inputs and its command are enough for. Pure. */
export function foreseenResults(facts: MediaFacts, pass: ForeseenPass): readonly Warning[] {
  const ofPictures = [
    () => filmOnPicture(facts),
    () => coverAsVideo(facts, pass),
    () => stillOfOneFrame(facts, pass),
    () => videoInSoundFile(facts, pass),
  ];
  return [
    ...unusedStreams(pass, readOptionFacts(facts.argv)),
    ...foreseenPlaylist(facts, pass),
    ...foreseenSegments(facts, pass),
    ...squeezedBySize(facts, pass),
    ...squeezedByAspect(facts, { ...pass, outputTraits: askedPixels(facts, pass) }),
    ...foreseenCopies(facts, pass),
    ...foreseenPixels(facts, pass),
    ...lostChannels(facts, pass),
    ...mergedChannels(facts, pass),
    ...longMix(facts, pass),
    ...longSound(facts, pass),
    ...foreseenLateEnd(facts, pass),
    ...foreseenBandwidth(facts, pass),
    ...unequalSpeeds(facts, pass),
    ...pacedInput(facts, pass),
    ...forwardSound(facts, pass),
    ...trimOfOneKind(facts, pass),
    ...(ofPictures.map((check) => check()).find(({ length }) => length > 0) ?? []),
  ];
}
