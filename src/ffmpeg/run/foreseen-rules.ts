import { ruleSet } from '../rules/rules.ts';
import { foreseenPlaylist, foreseenSegments } from './container-checks.ts';
import type { ForeseenPass } from './finished-pass.ts';
import { foreseenCopies } from './foreseen-copies.ts';
import { foreseenPixels } from './foreseen-pixels.ts';
import { foreseenLateEnd } from './late-end.ts';
import { longMix } from './long-mix.ts';
import { longSound } from './long-sound.ts';
import { lostChannels } from './lost-channels.ts';
import { mergedChannels } from './merged-channels.ts';
import { askedPixels, squeezedByAspect } from './picture-checks.ts';
import type { RunContext } from './run-context.ts';
import { foreseenBandwidth } from './same-bandwidth.ts';
import { forwardSound, pacedInput } from './sound-mismatch.ts';
import { unequalSpeeds } from './speed-checks.ts';
import { squeezedBySize } from './squeezed-pictures.ts';
import { filmOnPicture, stillOfOneFrame } from './still-checks.ts';
import { coverAsVideo, videoInSoundFile } from './stream-checks.ts';
import { trimOfOneKind } from './trim-checks.ts';
import { unusedStreams } from './unused-streams.ts';

/** What the inputs and the command of a run are enough to foresee. The ids are those of the rules about the run itself. */
export const FORESEEN_RULES = ruleSet<RunContext<ForeseenPass>>([
  { id: 'unused-streams', find: ({ pass, options }) => unusedStreams(pass, options) },
  { id: 'partial-playlist', find: ({ facts, pass }) => foreseenPlaylist(facts, pass) },
  { id: 'long-segments', find: ({ facts, pass }) => foreseenSegments(facts, pass) },
  { id: 'squeezed-by-size', find: ({ facts, pass }) => squeezedBySize(facts, pass) },
  {
    id: 'squeezed-by-aspect',
    find: ({ facts, pass }) => squeezedByAspect(facts, { ...pass, outputTraits: askedPixels(facts, pass) }),
  },
  { id: 'incomplete-copies', find: ({ facts, pass }) => foreseenCopies(facts, pass) },
  { id: 'changed-pixels', find: ({ facts, pass }) => foreseenPixels(facts, pass) },
  { id: 'lost-channels', find: ({ facts, pass }) => lostChannels(facts, pass) },
  { id: 'merged-channels', find: ({ facts, pass }) => mergedChannels(facts, pass) },
  { id: 'long-mix', find: ({ facts, pass }) => longMix(facts, pass) },
  { id: 'long-sound', find: ({ facts, pass }) => longSound(facts, pass) },
  { id: 'late-end', find: ({ facts, pass }) => foreseenLateEnd(facts, pass) },
  { id: 'same-bandwidth', find: ({ facts, pass }) => foreseenBandwidth(facts, pass) },
  { id: 'unequal-speeds', find: ({ facts, pass }) => unequalSpeeds(facts, pass) },
  { id: 'paced-input', find: ({ facts, pass }) => pacedInput(facts, pass) },
  { id: 'forward-sound', find: ({ facts, pass }) => forwardSound(facts, pass) },
  { id: 'trim-of-one-kind', find: ({ facts, pass }) => trimOfOneKind(facts, pass) },
  {
    id: 'film-on-picture',
    supersedes: ['cover-as-video', 'still-of-one-frame', 'video-in-sound-file'],
    find: ({ facts }) => filmOnPicture(facts),
  },
  {
    id: 'cover-as-video',
    supersedes: ['still-of-one-frame', 'video-in-sound-file'],
    find: ({ facts, pass }) => coverAsVideo(facts, pass),
  },
  {
    id: 'still-of-one-frame',
    supersedes: ['video-in-sound-file'],
    find: ({ facts, pass }) => stillOfOneFrame(facts, pass),
  },
  { id: 'video-in-sound-file', find: ({ facts, pass }) => videoInSoundFile(facts, pass) },
]);
