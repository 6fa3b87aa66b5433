import { unplayableCodecs } from './containers/codecs.ts';
import {
  foreseenBandwidth,
  foreseenPlaylist,
  foreseenSegments,
  longSegments,
  partialPlaylist,
  sameBandwidth,
} from './containers/segments.ts';
import type { FilterCheck, ForeseenContext, RunContext } from './contexts.ts';
import type { ForeseenPass, RunWarning } from './facts/finished-pass.ts';
import { argumentOf, inputStream, type MediaFacts, withField } from './facts/media-facts.ts';
import { lostAlpha, unstoredAlpha } from './pictures/alpha.ts';
import { centredPad, cropToShare, drawnOutside, movedCrop } from './pictures/bounds.ts';
import { combedPictures } from './pictures/colours.ts';
import {
  changedFrameRate,
  changedSampleRate,
  filledGaps,
  lastFrame,
  repeatedPictures,
  unevenFrames,
} from './pictures/frames.ts';
import {
  changedPixels,
  fewPlayers,
  foreseenCutPixels,
  foreseenPixels,
  lostHdr,
  lostProfile,
} from './pictures/pixel-formats.ts';
import {
  askedPixels,
  nonSquareGraph,
  nonSquarePixels,
  squeezedByAspect,
  withScaledPixels,
} from './pictures/pixel-shapes.ts';
import {
  changedSize,
  differentPictures,
  exceededLevel,
  rotatedTwice,
  squeezedBySize,
  squeezedPicture,
  stretchedPicture,
} from './pictures/sizes.ts';
import { coverAsVideo, filmOnPicture, hastySlides, stillOfOneFrame, videoInSoundFile } from './pictures/stills.ts';
import { zoomEffects, zoomedFilm } from './pictures/zooms.ts';
import { type Rule, ruleSet } from './rules.ts';
import { absentChannels, delayedChannels, lostChannels, mergedChannels } from './sound/channels.ts';
import { foreseenLateEnd, lateEnd, longMix, longSound } from './sound/long-sound.ts';
import { lostBits, shorterSound } from './sound/sound-filters.ts';
import { forwardSound, pacedInput, unequalSpeeds } from './sound/speeds.ts';
import { emptied } from './streams/empty-streams.ts';
import { soundLeftOut, soundLeftOutBefore, unusedStreams } from './streams/maps.ts';
import { mapsEveryStream, optionsWithoutStream, unmatchedSpecifiers, unusedOptions } from './streams/options.ts';
import { lostSubtitles, readableSubtitles, replacedFonts, shiftedSubtitles } from './streams/subtitles.ts';
import { lostChapters, severalDefaults } from './streams/tags.ts';
import { readErrors, unusedInputs } from './streams/unused-inputs.ts';
import { copiedParts, copyWithoutFrames, earlyStart, latePicture, laterPicture } from './times/copy-starts.ts';
import { longOutput, shortOutput } from './times/ends.ts';
import { earlyFadeOut, fadeCutOff, fadeInFrames, fadeOutAtStart, lateFade, muchTooLateFade } from './times/fades.ts';
import {
  effectBeforeStart,
  enabledTooLate,
  lateTransition,
  soundBeforeTransition,
  transitionAtStart,
  transitionCutOff,
} from './times/transitions.ts';
import { trimOfOneKind } from './times/trims.ts';

/** A rule that needs only what is known before a run. It finds the same before and after it. */
type ForeseeableRule = Rule<RunContext<ForeseenPass>, RunWarning>;

const UNUSED_STREAMS: ForeseeableRule = {
  id: 'unused-streams',
  finds: 'an input with several streams of a kind, of which ffmpeg selects one without a `map`',
  find: ({ pass, options }) => unusedStreams(pass, options),
};

const LOST_CHANNELS: ForeseeableRule = {
  id: 'lost-channels',
  finds: 'more channels of audio than the encoder takes',
  find: ({ facts, pass }) => lostChannels(facts, pass),
};

const MERGED_CHANNELS: ForeseeableRule = {
  id: 'merged-channels',
  finds: '`amerge` of stereo audio, which puts the channels side by side instead of mixing them',
  find: ({ facts, pass }) => mergedChannels(facts, pass),
};

const LONG_MIX: ForeseeableRule = {
  id: 'long-mix',
  finds: 'an `amix` that goes on after the end of the video, or of its shorter inputs',
  find: ({ facts, pass }) => longMix(facts, pass),
};

const UNEQUAL_SPEEDS: ForeseeableRule = {
  id: 'unequal-speeds',
  finds: 'filters that give the video and the audio different speeds',
  find: ({ facts, pass }) => unequalSpeeds(facts, pass),
};

const INPUT_FRAME_RATE: ForeseeableRule = {
  id: 'input-frame-rate',
  finds: '`r` of an input with audio, which changes only the speed of the video',
  find: ({ facts, pass }) => pacedInput(facts, pass),
};

const UNPAIRED_REVERSE: ForeseeableRule = {
  id: 'unpaired-reverse',
  finds: '`reverse` without `areverse`, or the other way round',
  find: ({ facts, pass }) => forwardSound(facts, pass),
};

const UNPAIRED_TRIM: ForeseeableRule = {
  id: 'unpaired-trim',
  finds: '`trim` without `atrim`, or the other way round',
  find: ({ facts, pass }) => trimOfOneKind(facts, pass),
};

const VIDEO_IN_AUDIO_FILE: ForeseeableRule = {
  id: 'video-in-audio-file',
  finds: 'video in a file whose name says audio',
  find: ({ facts, pass }) => videoInSoundFile(facts, pass),
};

type FilterContext = Pick<RunContext, 'facts'>;
type FilterRule = Rule<FilterContext, RunWarning>;

/** A rule about single filters. */
const ofFilters = (id: string, finds: string, check: FilterCheck): FilterRule => ({
  id,
  finds,
  find: ({ facts }) => eachFilter(facts, check),
});

const eachFilter = (facts: MediaFacts, check: FilterCheck): readonly RunWarning[] =>
  facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) => {
      const warning = check(facts, graph, filter);
      return warning === undefined ? [] : [withField(facts, graph.key, warning)];
    }),
  );

/** Rules about filters that no length of an input changes. */
const STREAM_RULES: readonly FilterRule[] = [
  ofFilters('drawn-outside', 'an overlay, a text or a box that is drawn outside of the video', drawnOutside),
  ofFilters('moved-crop', 'a `crop` that reaches beyond the video, so that ffmpeg moves it', movedCrop),
  ofFilters('crop-aspect-ratio', 'a `crop` by a share of one side where an aspect ratio is meant', cropToShare),
  ofFilters('centred-pad', 'a `pad` without room for the video at its position, so that ffmpeg centres it', centredPad),
  ofFilters(
    'squeezed-by-scale',
    '`scale` to a landscape size of a video that its file rotates to portrait, or the reverse',
    squeezedPicture,
  ),
  ofFilters(
    'stretched-by-scale',
    '`scale` to another aspect ratio with `setsar=1`, which stretches the video',
    stretchedPicture,
  ),
  ofFilters('absent-channels', 'a channel in `pan` that the audio does not have', absentChannels),
  ofFilters('effect-before-start', 'a fade or an `enable` that ends before `ss` starts the output', effectBeforeStart),
  ofFilters('shifted-subtitles', 'subtitles drawn into an input with `ss`, which are out of sync', shiftedSubtitles),
  ofFilters('shorter-audio', '`silenceremove` on the audio beside a video, which becomes out of sync', shorterSound),
  ofFilters(
    'audio-before-transition',
    'the audio of the second input of an `xfade`, which starts before its video',
    soundBeforeTransition,
  ),
  ofFilters('zoompan-on-video', '`zoompan` with `d` above 1 on a video, which repeats each frame', zoomedFilm),
  ofFilters('rotated-twice', '`transpose` on a video that ffmpeg has rotated already, as its file asks', rotatedTwice),
  ofFilters('undelayed-channels', '`adelay` with fewer delays than the audio has channels', delayedChannels),
];

/** Rules about filters that compare times with the lengths of inputs. */
const LENGTH_RULES: readonly FilterRule[] = [
  ofFilters('late-fade', 'a fade that starts after the end of its input or of the output', lateFade),
  ofFilters(
    'late-transition',
    'an `xfade` that starts after the end of its first input or of the output',
    lateTransition,
  ),
  ofFilters(
    'transition-at-start',
    'an `xfade` without `offset`, so that most of its first input is missing',
    transitionAtStart,
  ),
  ofFilters(
    'late-enable',
    'a filter whose `enable` starts after the end of its input or of the output',
    enabledTooLate,
  ),
  ofFilters('fade-units', 'a fade in frames or samples where seconds are meant', fadeInFrames),
  ofFilters(
    'early-fade-out',
    'a fade-out long before the end, after which the output is black or silent',
    earlyFadeOut,
  ),
  ofFilters('cut-off-fade', 'a fade that is not complete where its input or the output ends', fadeCutOff),
  ofFilters('cut-off-transition', 'an `xfade` that is not complete where its first input ends', transitionCutOff),
];

/** What single filters do with what the inputs contain. A run is not needed to know it. */
export const FILTER_RULES = ruleSet<FilterContext, RunWarning>([...STREAM_RULES, ...LENGTH_RULES]);

/** The same if the lengths of the inputs are estimates. */
export const ROUGH_FILTER_RULES = ruleSet<FilterContext, RunWarning>([
  ...STREAM_RULES,
  ofFilters('fade-out-at-start', 'a fade-out without a start, which begins at 0', fadeOutAtStart),
  ofFilters('late-fade', 'a fade that starts after the end of its input or of the output', muchTooLateFade),
]);

/** A squeezed picture has pixels of another shape. One of the two warnings is enough. */
const SHAPES = ['non-square-pixels'];

/** Rules that explain why frames were repeated. */
const EXPLAINED_FRAMES = ['uneven-frames'];

/** What rules about filters supersede after the run. Before it, there are no such rules, or they find nothing beside them. */
const SUPERSEDED: Readonly<Record<string, readonly string[]>> = {
  'squeezed-by-scale': SHAPES,
  'stretched-by-scale': SHAPES,
  'zoompan-on-video': EXPLAINED_FRAMES,
};

const ALPHA = ['unstored-alpha', 'changed-pixel-format', 'unplayable-pixel-format'];
const PIXELS = ['lost-alpha', ...ALPHA];

/** A part of a finding of a check that has several. */
const only =
  (check: (context: RunContext) => readonly RunWarning[], isMeant: (one: RunWarning) => boolean) =>
  (context: RunContext): readonly RunWarning[] =>
    check(context).filter(isMeant);

/** Whether a warning is about an image that is meant as the cover. */
const isCover = ({ code }: RunWarning): boolean => code === 'COVER_AS_VIDEO';

/**
 * What did nothing in a run, or not what it says, or more than the request asks for, because of what the inputs contain: a fade after the
 * end of a film, a channel that the sound does not have.
 */
export const RUN_RULES = ruleSet<RunContext, RunWarning>([
  {
    id: 'unused-inputs',
    finds: 'an input of which nothing gets into the output',
    // An input of which nothing is used may have the sound that is meant.
    supersedes: ['unmapped-audio'],
    find: ({ facts, pass }) => unusedInputs(facts, pass.plan.warnings),
  },
  UNUSED_STREAMS,
  {
    id: 'options-without-input-stream',
    finds: 'an option for video or audio that no input has',
    find: ({ facts, pass }) => optionsWithoutStream(facts, pass.outputStreams),
  },
  {
    id: 'unmapped-specifiers',
    finds: 'an option for a stream of the input that no `map` selects',
    // The fix of an option for another stream of the same kind maps it.
    supersedes: ['unused-streams'],
    find: only(({ facts, pass }) => unmatchedSpecifiers(facts, pass), mapsEveryStream),
  },
  {
    id: 'unmatched-specifiers',
    finds: 'an option for a stream, by its kind or its number, that the output does not have',
    find: only(
      ({ facts, pass }) => unmatchedSpecifiers(facts, pass),
      (one) => !mapsEveryStream(one),
    ),
  },
  ...STREAM_RULES.map((rule) => ({ ...rule, supersedes: SUPERSEDED[rule.id] ?? [] })),
  ...LENGTH_RULES,
  {
    id: 'long-segments',
    finds: 'segments that cannot have the length that is asked for, because each starts at a key frame',
    find: ({ facts, pass }) => longSegments(facts, pass),
  },
  {
    id: 'partial-playlist',
    finds: 'a playlist of HLS that lists only the last segments',
    find: ({ facts, pass }) => partialPlaylist(facts, pass),
  },
  {
    id: 'same-bandwidth',
    finds: 'variants of HLS with the same bandwidth, among which players cannot choose',
    find: ({ facts, pass }) => sameBandwidth(facts, pass),
  },
  {
    id: 'unplayable-codecs',
    finds: 'a codec that the container takes, although hardly any player reads it there',
    find: ({ facts, pass }) => unplayableCodecs(facts, pass),
  },
  {
    id: 'squeezed-by-size',
    finds: '`s` with a landscape size for a video that its file rotates to portrait, or the reverse',
    supersedes: SHAPES,
    find: ({ facts, pass }) => squeezedBySize(facts, pass),
  },
  // One warning about transparency is enough: the first names what made it, or why it was not read.
  {
    id: 'lost-alpha',
    finds: 'transparency of an input that the decoder ignored',
    supersedes: ALPHA,
    find: ({ facts, pass }) => lostAlpha(facts, pass).slice(0, 1),
  },
  {
    id: 'unstored-alpha',
    finds: 'transparency made by a filter that the output does not store',
    supersedes: ALPHA.slice(1),
    find: ({ facts, pass }) => unstoredAlpha(facts, pass).slice(0, 1),
  },
  {
    id: 'ignored-profile',
    finds: 'a `profile` of H.264 or H.265 for more bits or chroma than the video has',
    find: ({ facts, pass }) => lostProfile(facts, pass),
  },
  {
    id: 'lost-bit-depth',
    finds: 'audio of more than 16 bits that became 16 bits, the default of the format',
    find: ({ facts, pass }) => lostBits(facts, pass),
  },
  LOST_CHANNELS,
  MERGED_CHANNELS,
  LONG_MIX,
  {
    id: 'late-shortest',
    finds: '`shortest` beside a looped image, which ends the output later than the audio',
    find: ({ facts, pass }) => lateEnd(facts, pass),
  },
  {
    id: 'late-video',
    finds: 'a copy with `ss`, whose video starts at the next key frame and later than its audio',
    find: ({ facts, pass }) => latePicture(facts, pass),
  },
  {
    id: 'copy-without-frames',
    finds: 'a copied video without a frame, because the requested part has no key frame',
    find: ({ facts, pass }) => copyWithoutFrames(facts, pass),
  },
  UNEQUAL_SPEEDS,
  INPUT_FRAME_RATE,
  UNPAIRED_REVERSE,
  {
    id: 'cover-as-video',
    finds: 'a cover that became a video stream',
    // The pictures of a stream that should not be there need no other format.
    supersedes: [...PIXELS, 'image-not-cover', 'single-frame-image', 'video-in-audio-file'],
    find: ({ facts, pass }) => coverAsVideo(facts, pass),
  },
  {
    id: 'image-not-cover',
    finds: 'an image beside audio in an `.m4a` or `.m4b` that became a video stream instead of the cover',
    supersedes: [...PIXELS, 'short-output', 'video-in-audio-file'],
    find: only(({ facts, pass }) => stillOfOneFrame(facts, pass), isCover),
  },
  {
    id: 'single-frame-image',
    finds: 'an image that the video shows for one frame, because nothing repeats it',
    supersedes: ['short-output', 'video-in-audio-file'],
    find: only(
      ({ facts, pass }) => stillOfOneFrame(facts, pass),
      (one) => !isCover(one),
    ),
  },
  VIDEO_IN_AUDIO_FILE,
  {
    id: 'lost-hdr',
    finds: 'HDR that became 8 bits without tone mapping',
    find: ({ facts, pass }) => lostHdr(facts, pass),
  },
  {
    id: 'several-defaults',
    finds: 'a second default stream of the same kind',
    find: ({ facts, pass }) => severalDefaults(facts, pass),
  },
  {
    id: 'exceeded-level',
    finds: 'a `level` of H.264 that does not allow the size or the frame rate',
    find: ({ facts, pass }) => exceededLevel(facts, pass),
  },
  {
    id: 'varying-sizes',
    finds: 'an input whose frames or images have different sizes',
    find: ({ facts, pass }) => differentPictures(facts, pass),
  },
  {
    id: 'non-square-pixels',
    finds: 'a size of another aspect ratio than the input, so that the pixels are not square',
    find: ({ facts, pass }) => [...nonSquarePixels(facts, pass), ...nonSquareGraph(facts, pass)],
  },
  {
    id: 'squeezed-by-aspect',
    finds: '`aspect` or `setdar` that squeezes the video, where a crop is probably meant',
    supersedes: SHAPES,
    find: ({ facts, pass }) => squeezedByAspect(facts, pass),
  },
  {
    id: 'interlaced-output',
    finds: 'an interlaced input that was encoded without deinterlacing',
    find: ({ facts, pass }) => combedPictures(facts, pass),
  },
  {
    id: 'hasty-slides',
    finds: 'an image sequence of a few images that is over within a second',
    find: ({ facts, pass }) => hastySlides(facts, pass),
  },
  {
    id: 'repeated-images',
    finds: 'numbered images that repeat the one before, because a filter or a decoder skips frames',
    supersedes: EXPLAINED_FRAMES,
    find: ({ facts, pass }) => repeatedPictures(facts, pass),
  },
  {
    id: 'filled-gaps',
    finds: 'gaps that `select` leaves in a video, in which it stands still',
    supersedes: EXPLAINED_FRAMES,
    find: ({ facts, pass }) => filledGaps(facts, pass),
  },
  {
    id: 'zoompan-side-effects',
    finds: '`zoompan` that changes the size or the speed of the video, or that begins again and again',
    supersedes: EXPLAINED_FRAMES,
    find: ({ facts, pass }) => zoomEffects(facts, pass),
  },
  UNPAIRED_TRIM,
  {
    id: 'unmapped-audio',
    finds: 'a `map` of only the video of a filtergraph, although an input has audio',
    find: ({ facts, pass }) => (pass.hasSoundElsewhere === true ? [] : soundLeftOut(facts, pass)),
  },
  {
    id: 'empty-streams',
    finds: 'a stream of the output that a filter left empty',
    find: ({ facts, pass }) => emptied(facts, pass),
  },
  { id: 'unused-options', finds: 'an option that no stream used', find: ({ pass }) => unusedOptions(pass) },
  { id: 'read-errors', finds: 'errors that ffmpeg reported while it read an input', find: readErrors },
  {
    id: 'short-output',
    finds: 'an output that is shorter than its input or than asked for, or larger than `fs`',
    find: ({ facts, pass, options }) => shortOutput(facts, pass, options),
  },
  {
    id: 'early-start',
    finds: 'a copy that starts clearly before `ss`, at a key frame',
    supersedes: ['long-output', ...EXPLAINED_FRAMES],
    find: ({ facts, pass, options }) => earlyStart(facts, pass, options),
  },
  {
    id: 'long-output',
    finds: 'an output that is far longer than its input, because the times of the audio are damaged',
    supersedes: EXPLAINED_FRAMES,
    find: ({ facts, pass, options }) => longOutput(facts, pass, options),
  },
  {
    id: 'last-frame-only',
    finds: 'a video that becomes one image, so that only its last frame is kept',
    find: lastFrame,
  },
  {
    id: 'changed-sample-rate',
    finds: 'a sample rate that changed, although no option asks for it',
    find: changedSampleRate,
  },
  { id: 'changed-size', finds: 'a size that changed, although no option asks for it', find: changedSize },
  {
    id: 'changed-frame-rate',
    finds: 'a frame rate that changed, although no option asks for it',
    find: changedFrameRate,
  },
  {
    id: 'changed-pixel-format',
    finds:
      'a pixel format that changed to one that few players show or without transparency, although no option asks for it',
    supersedes: ['unplayable-pixel-format'],
    find: (context) => changedPixels(context).slice(0, 1),
  },
  {
    id: 'replaced-fonts',
    finds: 'a font that subtitles name and that is not installed',
    find: ({ facts, pass }) => replacedFonts(facts, pass),
  },
  {
    id: 'unencrypted-subtitles',
    finds: 'subtitles of encrypted HLS, which ffmpeg does not encrypt',
    find: ({ pass }) => readableSubtitles(pass),
  },
  {
    id: 'unplayable-pixel-format',
    finds: 'H.264 or H.265 with a pixel format that few players show, although no option asks for it',
    find: ({ facts, pass }) => fewPlayers(facts, pass),
  },
  // Frames were repeated or dropped to change the frame rate. One of the two warnings is enough.
  {
    id: 'uneven-frames',
    finds: 'many frames that ffmpeg repeated or dropped for a constant frame rate',
    supersedes: ['changed-frame-rate'],
    find: unevenFrames,
  },
]);

/** What the streams of the inputs are enough to foresee. The ids are those of the rules about the run itself. */
export const FORESEEN_STREAM_RULES = ruleSet<ForeseenContext>([
  {
    id: 'unmapped-audio',
    finds: 'a `map` of only the video of a filtergraph, although an input has audio',
    find: ({ facts, pass }) => soundLeftOutBefore(facts, pass.plan),
  },
  {
    id: 'unused-inputs',
    finds: 'an input of which nothing gets into the output',
    find: ({ facts, pass, isDirect, uncertain }) =>
      isDirect ? unusedInputs(facts, pass.plan.warnings).filter(({ field = '' }) => !uncertain.has(field)) : [],
  },
  {
    id: 'options-without-input-stream',
    finds: 'an option for video or audio that no input has',
    find: ({ facts, isDirect }) =>
      isDirect
        ? optionsWithoutStream(
            facts,
            facts.used.flatMap(({ input, stream }) => inputStream(facts, input, stream) ?? []),
          )
        : [],
  },
  {
    id: 'unmapped-specifiers',
    finds: 'an option for a stream of the input that no `map` selects',
    find: (context) => specifiersWithoutStream(context).filter(mapsEveryStream),
  },
  {
    id: 'unmatched-specifiers',
    finds: 'an option for a stream, by its kind or its number, that the output does not have',
    find: (context) => specifiersWithoutStream(context).filter((one) => !mapsEveryStream(one)),
  },
]);

/** Options for pictures and sounds. Of subtitles, it is not known which ones ffmpeg takes. */
const specifiersWithoutStream = ({ facts, pass, isDirect }: ForeseenContext): readonly RunWarning[] =>
  isDirect ? unmatchedSpecifiers(facts, pass, ['v', 'a']) : [];

/** What the inputs and the command of a run are enough to foresee, if it is known which streams the output has. */
export const FORESEEN_RULES = ruleSet<ForeseenContext>([
  UNUSED_STREAMS,
  {
    id: 'partial-playlist',
    finds: 'a playlist of HLS that lists only the last segments',
    find: ({ facts, pass }) => foreseenPlaylist(facts, pass),
  },
  {
    id: 'long-segments',
    finds: 'segments that cannot have the length that is asked for, because each starts at a key frame',
    find: ({ facts, pass }) => foreseenSegments(facts, pass),
  },
  {
    id: 'squeezed-by-size',
    finds: '`s` with a landscape size for a video that its file rotates to portrait, or the reverse',
    find: ({ facts, pass }) => squeezedBySize(facts, pass),
  },
  {
    id: 'squeezed-by-aspect',
    finds: '`aspect` or `setdar` that squeezes the video, where a crop is probably meant',
    find: ({ facts, pass }) => squeezedByAspect(facts, { ...pass, outputTraits: askedPixels(facts, pass) }),
  },
  {
    id: 'late-video',
    finds: 'a copy with `ss`, whose video starts at the next key frame and later than its audio',
    find: ({ facts, pass }) => laterPicture(facts, pass),
  },
  {
    id: 'dropped-subtitles',
    finds: 'a copy to MP4 or MOV that leaves out text subtitles',
    find: ({ facts }) => lostSubtitles(facts),
  },
  {
    id: 'dropped-chapters',
    finds: 'chapters of an input that the format does not hold',
    find: ({ facts }) => lostChapters(facts),
  },
  {
    id: 'unplayable-pixel-format',
    finds: 'H.264 or H.265 with a pixel format that few players show, although no option asks for it',
    find: ({ facts, pass }) => foreseenPixels(facts, pass),
  },
  LOST_CHANNELS,
  MERGED_CHANNELS,
  LONG_MIX,
  {
    id: 'long-audio',
    finds: 'audio that lasts longer than the video of another input',
    find: ({ facts, pass }) => longSound(facts, pass),
  },
  {
    id: 'late-shortest',
    finds: '`shortest` beside a looped image, which ends the output later than the audio',
    find: ({ facts, pass }) => foreseenLateEnd(facts, pass),
  },
  {
    id: 'same-bandwidth',
    finds: 'variants of HLS with the same bandwidth, among which players cannot choose',
    find: ({ facts, pass }) => foreseenBandwidth(facts, pass),
  },
  UNEQUAL_SPEEDS,
  INPUT_FRAME_RATE,
  UNPAIRED_REVERSE,
  UNPAIRED_TRIM,
  {
    id: 'swapped-overlay-inputs',
    finds: 'an `overlay` that draws a video on an image, where the image is meant to be on the video',
    supersedes: ['cover-as-video', 'image-not-cover', 'single-frame-image', 'video-in-audio-file'],
    find: ({ facts }) => filmOnPicture(facts),
  },
  {
    id: 'cover-as-video',
    finds: 'a cover that became a video stream',
    supersedes: ['image-not-cover', 'single-frame-image', 'video-in-audio-file'],
    find: ({ facts, pass }) => coverAsVideo(facts, pass),
  },
  {
    id: 'image-not-cover',
    finds: 'an image beside audio in an `.m4a` or `.m4b` that became a video stream instead of the cover',
    supersedes: ['video-in-audio-file'],
    find: ({ facts, pass }) => stillOfOneFrame(facts, pass).filter(isCover),
  },
  {
    id: 'single-frame-image',
    finds: 'an image that the video shows for one frame, because nothing repeats it',
    supersedes: ['video-in-audio-file'],
    find: ({ facts, pass }) => stillOfOneFrame(facts, pass).filter((one) => !isCover(one)),
  },
  VIDEO_IN_AUDIO_FILE,
  {
    id: 'non-square-pixels',
    finds: 'a size of another aspect ratio than the input, so that the pixels are not square',
    find: ({ facts, pass, isDirect }) => (isDirect ? nonSquarePixels(facts, withScaledPixels(facts, pass)) : []),
  },
]);

/** What can be foreseen of a cut whose parts are not known yet, which is less. */
export const CUT_RULES = ruleSet<Pick<RunContext<ForeseenPass>, 'facts' | 'pass'>>([
  {
    id: 'unplayable-pixel-format',
    finds: 'H.264 or H.265 with a pixel format that few players show, although no option asks for it',
    find: ({ facts, pass }) => foreseenCutPixels(facts, cutEncoder(facts), pass),
  },
  {
    id: 'early-parts',
    finds: 'a part of a copied `cut` that begins earlier than asked for, at a key frame',
    find: ({ facts }) => copiedParts(facts),
  },
]);

const cutEncoder = (facts: MediaFacts): string =>
  argumentOf(facts, 'c:v') ?? argumentOf(facts, 'c') ?? facts.plan.encoders?.video?.[0] ?? '';
