import { memberSentBy } from '../../domain/edit.ts';
import { type Rule, ruleSet } from '../rules/rules.ts';
import {
  changedFrameRate,
  changedPixels,
  changedSampleRate,
  changedSize,
  lastFrame,
  readErrors,
  unevenFrames,
} from './changed-streams.ts';
import { longSegments, partialPlaylist, unplayableCodecs } from './container-checks.ts';
import { filledGaps } from './dropped-frames.ts';
import { earlyStart } from './early-start.ts';
import { earlyFadeOut, fadeCutOff, fadeInFrames, fadeOutAtStart, transitionCutOff } from './fade-checks.ts';
import type { RunWarning } from './finished-pass.ts';
import { nonSquareGraph } from './graph-shape.ts';
import { lateEnd } from './late-end.ts';
import { latePicture } from './late-picture.ts';
import { longMix } from './long-mix.ts';
import { longOutput } from './long-output.ts';
import { lostAlpha, unstoredAlpha } from './lost-alpha.ts';
import { lostBits } from './lost-bits.ts';
import { lostChannels } from './lost-channels.ts';
import { lostProfile } from './lost-profile.ts';
import { type MediaFacts, withField } from './media-facts.ts';
import { mergedChannels } from './merged-channels.ts';
import { centredPad, cropToShare, movedCrop, outsidePicture } from './picture-bounds.ts';
import { combedPictures, differentPictures, fewPlayers, nonSquarePixels, squeezedByAspect } from './picture-checks.ts';
import { readableSubtitles } from './readable-subtitles.ts';
import { replacedFonts } from './replaced-fonts.ts';
import type { RunContext } from './run-context.ts';
import { sameBandwidth } from './same-bandwidth.ts';
import { shortOutput } from './short-output.ts';
import {
  absentChannels,
  copyWithoutFrames,
  emptied,
  enabledTooLate,
  lateFade,
  lateTransition,
  muchTooLateFade,
  optionsWithoutStream,
  transitionAtStart,
} from './silent-results.ts';
import { soundLeftOut } from './sound-left-out.ts';
import { forwardSound, pacedInput } from './sound-mismatch.ts';
import { repeatedPictures } from './sparse-pictures.ts';
import { unequalSpeeds } from './speed-checks.ts';
import { squeezedBySize, squeezedPicture, stretchedPicture } from './squeezed-pictures.ts';
import { hastySlides, stillOfOneFrame } from './still-checks.ts';
import {
  coverAsVideo,
  delayedChannels,
  exceededLevel,
  lostHdr,
  rotatedTwice,
  severalDefaults,
  videoInSoundFile,
} from './stream-checks.ts';
import {
  effectBeforeStart,
  type FilterCheck,
  shiftedSubtitles,
  shorterSound,
  soundBeforeTransition,
  zoomedFilm,
} from './time-checks.ts';
import { trimOfOneKind } from './trim-checks.ts';
import { unmatchedSpecifiers } from './unmatched-specifiers.ts';
import { unusedInputs } from './unused-inputs.ts';
import { unusedOptions } from './unused-options.ts';
import { unusedStreams } from './unused-streams.ts';
import { zoomEffects } from './zoom-checks.ts';

type FilterContext = Pick<RunContext, 'facts'>;
type FilterRule = Rule<FilterContext, RunWarning>;

/** A rule about single filters. */
const ofFilters = (id: string, check: FilterCheck, supersedes: readonly string[] = []): FilterRule => ({
  id,
  supersedes,
  find: ({ facts }) => eachFilter(facts, check),
});

const eachFilter = (facts: MediaFacts, check: FilterCheck): readonly RunWarning[] =>
  facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) => {
      const warning = check(facts, graph, filter);
      return warning === undefined ? [] : [withField(facts, graph.key, warning)];
    }),
  );

/** A squeezed picture has pixels of another shape. One of the two warnings is enough. */
const SHAPES = ['non-square-pixels', 'non-square-graph'];

/** Rules that explain why frames were repeated. */
const EXPLAINED_FRAMES = ['uneven-frames'];

/** Rules about filters that no length of an input changes. */
const STREAM_RULES: readonly FilterRule[] = [
  ofFilters('outside-picture', outsidePicture),
  ofFilters('moved-crop', movedCrop),
  ofFilters('crop-to-share', cropToShare),
  ofFilters('centred-pad', centredPad),
  ofFilters('squeezed-picture', squeezedPicture, SHAPES),
  ofFilters('stretched-picture', stretchedPicture, SHAPES),
  ofFilters('absent-channels', absentChannels),
  ofFilters('effect-before-start', effectBeforeStart),
  ofFilters('shifted-subtitles', shiftedSubtitles),
  ofFilters('shorter-sound', shorterSound),
  ofFilters('sound-before-transition', soundBeforeTransition),
  ofFilters('zoomed-film', zoomedFilm, EXPLAINED_FRAMES),
  ofFilters('rotated-twice', rotatedTwice),
  ofFilters('delayed-channels', delayedChannels),
];

/** Rules about filters that compare times with the lengths of inputs. */
const LENGTH_RULES: readonly FilterRule[] = [
  ofFilters('late-fade', lateFade),
  ofFilters('late-transition', lateTransition),
  ofFilters('transition-at-start', transitionAtStart),
  ofFilters('enabled-too-late', enabledTooLate),
  ofFilters('fade-in-frames', fadeInFrames),
  ofFilters('early-fade-out', earlyFadeOut),
  ofFilters('fade-cut-off', fadeCutOff),
  ofFilters('transition-cut-off', transitionCutOff),
];

/** What single filters do with what the inputs contain. A run is not needed to know it. */
export const FILTER_RULES = ruleSet<FilterContext, RunWarning>([...STREAM_RULES, ...LENGTH_RULES]);

/** The same if the lengths of the inputs are estimates. */
export const ROUGH_FILTER_RULES = ruleSet<FilterContext, RunWarning>([
  ...STREAM_RULES,
  ofFilters('fade-out-at-start', fadeOutAtStart),
  ofFilters('late-fade', muchTooLateFade),
]);

const ALPHA = ['unstored-alpha', 'changed-pixels', 'few-players'];
const PIXELS = ['lost-alpha', ...ALPHA];

/** A part of a finding of a check that has several. */
const only =
  (check: (context: RunContext) => readonly RunWarning[], isMeant: (one: RunWarning) => boolean) =>
  (context: RunContext): readonly RunWarning[] =>
    check(context).filter(isMeant);

const mapsAll = ({ fix }: RunWarning): boolean => memberSentBy(fix, 'map') !== undefined;
const isCover = ({ code }: RunWarning): boolean => code === 'COVER_AS_VIDEO';

/**
 * What did nothing in a run, or not what it says, or more than the request asks for, because of what the inputs contain: a fade after the
 * end of a film, a channel that the sound does not have.
 */
export const RUN_RULES = ruleSet<RunContext, RunWarning>([
  {
    id: 'unused-inputs',
    // An input of which nothing is used may have the sound that is meant.
    supersedes: ['sound-left-out'],
    find: ({ facts, pass }) => unusedInputs(facts, pass.plan.warnings),
  },
  { id: 'unused-streams', find: ({ pass, options }) => unusedStreams(pass, options) },
  { id: 'options-without-stream', find: ({ facts, pass }) => optionsWithoutStream(facts, pass.outputStreams) },
  {
    id: 'unmapped-specifiers',
    // The fix of an option for another stream of the same kind maps it.
    supersedes: ['unused-streams'],
    find: only(({ facts, pass }) => unmatchedSpecifiers(facts, pass), mapsAll),
  },
  {
    id: 'unmatched-specifiers',
    find: only(
      ({ facts, pass }) => unmatchedSpecifiers(facts, pass),
      (one) => !mapsAll(one),
    ),
  },
  ...STREAM_RULES,
  ...LENGTH_RULES,
  { id: 'long-segments', find: ({ facts, pass }) => longSegments(facts, pass) },
  { id: 'partial-playlist', find: ({ facts, pass }) => partialPlaylist(facts, pass) },
  { id: 'same-bandwidth', find: ({ facts, pass }) => sameBandwidth(facts, pass) },
  { id: 'unplayable-codecs', find: ({ facts, pass }) => unplayableCodecs(facts, pass) },
  { id: 'squeezed-by-size', supersedes: SHAPES, find: ({ facts, pass }) => squeezedBySize(facts, pass) },
  // One warning about transparency is enough: the first names what made it, or why it was not read.
  { id: 'lost-alpha', supersedes: ALPHA, find: ({ facts, pass }) => lostAlpha(facts, pass).slice(0, 1) },
  {
    id: 'unstored-alpha',
    supersedes: ALPHA.slice(1),
    find: ({ facts, pass }) => unstoredAlpha(facts, pass).slice(0, 1),
  },
  { id: 'lost-profile', find: ({ facts, pass }) => lostProfile(facts, pass) },
  { id: 'lost-bits', find: ({ facts, pass }) => lostBits(facts, pass) },
  { id: 'lost-channels', find: ({ facts, pass }) => lostChannels(facts, pass) },
  { id: 'merged-channels', find: ({ facts, pass }) => mergedChannels(facts, pass) },
  { id: 'long-mix', find: ({ facts, pass }) => longMix(facts, pass) },
  { id: 'late-end', find: ({ facts, pass }) => lateEnd(facts, pass) },
  { id: 'late-picture', find: ({ facts, pass }) => latePicture(facts, pass) },
  { id: 'copy-without-frames', find: ({ facts, pass }) => copyWithoutFrames(facts, pass) },
  { id: 'unequal-speeds', find: ({ facts, pass }) => unequalSpeeds(facts, pass) },
  { id: 'paced-input', find: ({ facts, pass }) => pacedInput(facts, pass) },
  { id: 'forward-sound', find: ({ facts, pass }) => forwardSound(facts, pass) },
  {
    id: 'cover-as-video',
    // The pictures of a stream that should not be there need no other format.
    supersedes: [...PIXELS, 'cover-of-one-frame', 'still-of-one-frame', 'video-in-sound-file'],
    find: ({ facts, pass }) => coverAsVideo(facts, pass),
  },
  {
    id: 'cover-of-one-frame',
    supersedes: [...PIXELS, 'short-output', 'video-in-sound-file'],
    find: only(({ facts, pass }) => stillOfOneFrame(facts, pass), isCover),
  },
  {
    id: 'still-of-one-frame',
    supersedes: ['short-output', 'video-in-sound-file'],
    find: only(
      ({ facts, pass }) => stillOfOneFrame(facts, pass),
      (one) => !isCover(one),
    ),
  },
  { id: 'video-in-sound-file', find: ({ facts, pass }) => videoInSoundFile(facts, pass) },
  { id: 'lost-hdr', find: ({ facts, pass }) => lostHdr(facts, pass) },
  { id: 'several-defaults', find: ({ facts, pass }) => severalDefaults(facts, pass) },
  { id: 'exceeded-level', find: ({ facts, pass }) => exceededLevel(facts, pass) },
  { id: 'different-pictures', find: ({ facts, pass }) => differentPictures(facts, pass) },
  { id: 'non-square-pixels', find: ({ facts, pass }) => nonSquarePixels(facts, pass) },
  { id: 'non-square-graph', find: ({ facts, pass }) => nonSquareGraph(facts, pass) },
  { id: 'squeezed-by-aspect', supersedes: SHAPES, find: ({ facts, pass }) => squeezedByAspect(facts, pass) },
  { id: 'combed-pictures', find: ({ facts, pass }) => combedPictures(facts, pass) },
  { id: 'hasty-slides', find: ({ facts, pass }) => hastySlides(facts, pass) },
  { id: 'repeated-pictures', supersedes: EXPLAINED_FRAMES, find: ({ facts, pass }) => repeatedPictures(facts, pass) },
  { id: 'filled-gaps', supersedes: EXPLAINED_FRAMES, find: ({ facts, pass }) => filledGaps(facts, pass) },
  { id: 'zoom-effects', find: ({ facts, pass }) => zoomEffects(facts, pass) },
  { id: 'trim-of-one-kind', find: ({ facts, pass }) => trimOfOneKind(facts, pass) },
  {
    id: 'sound-left-out',
    find: ({ facts, pass }) => (pass.hasSoundElsewhere === true ? [] : soundLeftOut(facts, pass)),
  },
  { id: 'emptied', find: ({ facts, pass }) => emptied(facts, pass) },
  { id: 'unused-options', find: ({ pass }) => unusedOptions(pass) },
  { id: 'read-errors', find: readErrors },
  { id: 'short-output', find: ({ facts, pass, options }) => shortOutput(facts, pass, options) },
  {
    id: 'early-start',
    supersedes: ['long-output', ...EXPLAINED_FRAMES],
    find: ({ facts, pass, options }) => earlyStart(facts, pass, options),
  },
  {
    id: 'long-output',
    supersedes: EXPLAINED_FRAMES,
    find: ({ facts, pass, options }) => longOutput(facts, pass, options),
  },
  { id: 'last-frame', find: lastFrame },
  { id: 'changed-sample-rate', find: changedSampleRate },
  { id: 'changed-size', find: changedSize },
  { id: 'changed-frame-rate', find: changedFrameRate },
  { id: 'changed-pixels', supersedes: ['few-players'], find: (context) => changedPixels(context).slice(0, 1) },
  { id: 'replaced-fonts', find: ({ facts, pass }) => replacedFonts(facts, pass) },
  { id: 'readable-subtitles', find: ({ pass }) => readableSubtitles(pass) },
  { id: 'few-players', find: ({ facts, pass }) => fewPlayers(facts, pass) },
  // Frames were repeated or dropped to change the frame rate. One of the two warnings is enough.
  { id: 'uneven-frames', supersedes: ['changed-frame-rate'], find: unevenFrames },
]);
