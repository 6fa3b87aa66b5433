import { ruleSet } from '../rules/rules.ts';
import { foreseenPlaylist, foreseenSegments } from './container-checks.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import {
  INPUT_FRAME_RATE,
  LONG_MIX,
  LOST_CHANNELS,
  MERGED_CHANNELS,
  UNEQUAL_SPEEDS,
  UNPAIRED_REVERSE,
  UNPAIRED_TRIM,
  UNUSED_STREAMS,
  VIDEO_IN_AUDIO_FILE,
} from './foreseeable-rules.ts';
import { copiedParts, laterPicture, lostChapters, lostSubtitles } from './foreseen-copies.ts';
import { foreseenCutPixels, foreseenPixels } from './foreseen-pixels.ts';
import { foreseenLateEnd } from './late-end.ts';
import { longSound } from './long-sound.ts';
import { argumentOf, inputStream, type MediaFacts } from './media-facts.ts';
import { optionsWithoutStream } from './options-without-stream.ts';
import { askedPixels, nonSquarePixels, squeezedByAspect } from './picture-checks.ts';
import type { RunContext } from './run-context.ts';
import { isCover } from './run-rules.ts';
import { foreseenBandwidth } from './same-bandwidth.ts';
import { withScaledPixels } from './scaled-pixels.ts';
import { soundLeftOutBefore } from './sound-left-out.ts';
import { squeezedBySize } from './squeezed-pictures.ts';
import { filmOnPicture, stillOfOneFrame } from './still-checks.ts';
import { coverAsVideo } from './stream-checks.ts';
import { mapsEveryStream, unmatchedSpecifiers } from './unmatched-specifiers.ts';
import { unusedInputs } from './unused-inputs.ts';

/** What the rules about a run that has not started look at. */
export interface ForeseenContext extends RunContext<ForeseenPass> {
  /** Whether each stream of the output is made of one stream of an input. Of what a filtergraph reads, it is not known what becomes of it. */
  readonly isDirect: boolean;
  /** The fields of the inputs that may have streams of which it is not known whether ffmpeg takes them. */
  readonly uncertain: ReadonlySet<string>;
}

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
