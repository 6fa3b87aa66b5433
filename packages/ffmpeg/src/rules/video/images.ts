import { addOption, type Edit, editsText, sendIn, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { type ArgvOption, lastValue, oneOrList, sentName } from '../../plan/request/argv-option.ts';
import { hasCounter, isImageExtension, isVideoExtension } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { readRate } from '../../values/rate.ts';
import { quoted } from '../../values/value-error.ts';
import {
  type CutContext,
  coverAsVideo,
  noEffect,
  type Rules,
  shortOutput,
  unequalLengths,
  unusedInput,
} from '../contexts.ts';
import { convertedStreams, isCover, ofKind } from '../facts/converted-streams.ts';
import { type MediaFacts, secondsText } from '../facts/media-facts.ts';
import { isStillImage } from '../facts/output-duration.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { cutsOut, hasAlpha } from './alpha.ts';

/** How many seconds the fix shows an image for which the request says nothing. */
const DEFAULT_SECONDS = '3';
/** With more inputs, a fix that repeats them is too long to read. */
const MOST_INPUTS = 8;

/** Options of an image that this service rejects beside `duration`. */
const REJECTED: ReadonlySet<string> = new Set(['t', 'to', 'loop', 'stream_loop']);
const LENGTHS: ReadonlySet<string> = new Set([...REJECTED, 'framerate', 'r']);

const isImage = ({ source: { path, url, sequence } }: ArgvInput): boolean =>
  isImageExtension(extension(path)) && sequence === undefined && !(url === undefined && hasCounter(path));

const arrangesVideo = ({ key, name }: ArgvOption): boolean =>
  ['map', 'vn', 'filter_complex'].includes(name.name) || /^filter(?:$|:[vV0])/.test(key);

function slideshowFix(inputs: readonly ArgvInput[], images: readonly ArgvInput[]): string {
  const rejected = images.flatMap(({ options }) =>
    options.filter((option) => REJECTED.has(option.key) && !isOwn(option)).map((option) => quoted(sentName(option))),
  );
  const leave = rejected.length === 0 ? '' : `, and leave ${[...new Set(rejected)].join(' and ')} out`;
  // The path of an input URL lacks its query, so a fix cannot repeat the URL.
  if (inputs.length > MOST_INPUTS || inputs.some(({ source }) => source.url !== undefined))
    return `For a slideshow, send each image as {"input": "…", "duration": "${secondsOfSlide(images[0])}"}${leave}.`;
  return `For a slideshow, send "inputs": ${JSON.stringify(inputs.map(slideOf))}${leave}.`;
}

const isOwn = ({ field }: ArgvOption): boolean => field.startsWith('/inputs/');

function slideOf(input: ArgvInput): unknown {
  const { source, options } = input;
  const isSlide = isImage(input);
  const own = options.filter((option) => isOwn(option) && !(isSlide && LENGTHS.has(option.key)));
  const parameters = Object.fromEntries(
    // A flag such as `noautorotate` has no value.
    own.map((option) => [sentName(option), option.values.length === 0 ? '' : oneOrList(option.values)]),
  );
  if (own.length === 0 && !isSlide) return source.path;
  return {
    input: source.path,
    ...(own.length > 0 && { parameters }),
    ...(isSlide && { duration: secondsOfSlide(input) }),
  };
}

function secondsOfSlide(image: ArgvInput | undefined): string {
  const options = image?.options ?? [];
  const length = lastValue('t', options) ?? '';
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(length) && Number(length) > 0) return length;
  const rate = readRate(lastValue('framerate', options) ?? lastValue('r', options) ?? '');
  const seconds = rate === undefined || rate <= 0 ? 0 : Math.round(1e6 / rate) / 1e6;
  return seconds > 0 && seconds < 1e6 ? String(seconds) : DEFAULT_SECONDS;
}

/** Codecs of images. A video stream of one frame in one of these codecs is a cover. */
const IMAGE_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp', 'gif', 'webp']);

/** Codecs of covers that an `.m4a` holds as they are. */
const COPIED_COVERS: ReadonlySet<string> = new Set(['mjpeg', 'png']);

/** How many seconds a fix shows an image, and the frames of a zoom of this length at 25 per second. */
const SHOWN_SECONDS = 5;
const ZOOM_FRAMES = 125;

/** Warns about an image that became a video of one frame. In an audio file, the client probably means the image as the cover. */
function singleFrame({ facts, pass }: CutContext) {
  const { outputStreams, lastBlock, writtenSeconds = 0 } = pass;
  const frames = lastBlock?.frame ?? 0;
  const [video] = ofKind(outputStreams, 'video');
  if (frames !== 1 || video === undefined || isStillImage(facts.plan.output.muxer, frames)) return undefined;
  if (IMAGE_CODECS.has(video.codec) || isCover(video) || facts.hasOption(/^-frames(?::v|$)/)) return undefined;
  const found = convertedStreams(pass).find(
    ({ input, from, copied }) => !copied && facts.isStill(input) && from?.type === 'video',
  );
  const planned = found && facts.plan.inputs[found.input];
  if (found === undefined || planned === undefined || planned.sequence !== undefined) return undefined;
  const { field } = planned;
  const path = facts.pathOf(found.input);
  if (ofKind(outputStreams, 'audio').length === 0)
    return shortOutput(
      `The output shows ${path} for ${secondsText(1 / (video.fps ?? 25))}: an image is one frame.`,
      zoomFix(facts) ??
        loopFix(facts, found.input, facts.has('t') ? undefined : requestOption('t', `${SHOWN_SECONDS}`)),
      { field },
    );
  if (/^m4[ab]$/.test(extension(facts.plan.output.path)))
    return coverAsVideo(
      `${path} became a video stream (${video.codec}) of one frame, not the cover of the song.`,
      withMore(
        addOption('c:v', COPIED_COVERS.has(facts.streamsOf(found.input, 'video')[0]?.codec ?? '') ? 'copy' : 'mjpeg'),
        { do: 'add', name: 'disposition:v', value: 'attached_pic' },
      ),
      { field },
    );
  return unequalLengths(
    facts.has('shortest')
      ? `${path} is one frame, and "shortest" ends the output with it: after ${secondsText(writtenSeconds)}.`
      : `${path} is one frame beside ${secondsText(writtenSeconds)} of audio: most players show it for a moment, or not at all.`,
    loopFix(facts, found.input, endOfAudio(facts)),
    { field },
  );
}

const requestOption = (name: string, value: string): Edit => ({ do: 'send', name, value, in: 'parameters' });

/** Returns the fix that repeats an image (`loop`). `end`: the edit that ends the output. */
function loopFix(facts: MediaFacts, input: number, end: Edit | undefined): Hint {
  const looped = withInputOptions(facts, input, { loop: '1' });
  if (looped !== undefined) return end === undefined ? looped : withMore(looped, end);
  const own = `Send "loop": "1" in the "parameters" of the input ${facts.pathOf(input)}.`;
  return end === undefined ? own : withAdvice(own, editsText({ edits: [end] }));
}

/** Returns the fix that sends `inputs` with options for one of them. undefined: other inputs have options, which the fix would lose. */
function withInputOptions(facts: MediaFacts, input: number, parameters: Readonly<Record<string, string>>) {
  return areInputsPlain(facts) ? sendIn('request', 'inputs', facts.inputsWith(input, parameters)) : undefined;
}

const areInputsPlain = ({ plan }: MediaFacts): boolean =>
  plan.inputs.every(({ field }) => /^\/inputs?(?:\/\d+)?$/.test(field));

/** Returns the edit that ends a repeated image with the audio: `t`, because `shortest` of ffmpeg 5 adds up to two seconds of video. */
function endOfAudio(facts: MediaFacts): Edit | undefined {
  const seconds = facts.secondsOfAudio();
  if (seconds === undefined) return facts.has('shortest') ? undefined : requestOption('shortest', '');
  const { duration = seconds } = facts.plan.span.output;
  return requestOption('t', `${Number(Math.min(duration, seconds).toFixed(2))}`);
}

/** Returns the fix for `zoompan` on an image: it makes `d` frames of each frame that it reads, so no image has to be repeated. */
const zoomFix = (facts: MediaFacts): Hint | undefined => filtersIn(facts, 'zoompan')[0]?.change({ d: ZOOM_FRAMES });

/** With fewer images, a sequence is a slideshow and not a video. */
const SLIDES = 25;

const PACE = /^(?:setpts|fps|loop|tpad|zoompan|minterpolate|framerate|select|trim|concat|xfade|tile)$/;

const ASKS_FOR_VIDEO =
  /^-(?:map|filter_complex|filter:v|(?:c|b|q|crf|r|s|aspect|pix_fmt|profile|preset|tune|frames):?v?)$/;

const ASKS_FOR_AUDIO = /^-(?:(?:c|b|q|filter|profile|ac|ar|sample_fmt):a(?::\d+)?|ac|ar|sample_fmt)$/;

const OF_PIXELS = ['lost-alpha', 'unstored-alpha', 'changed-pixel-format', 'unplayable-pixel-format'];

/** Returns the warning about a video of one frame. undefined: there is none, or it does not fit `isCoverMeant` (the image is a cover). */
function imageFinding(context: CutContext, isCoverMeant: boolean) {
  const found = singleFrame(context);
  return (found?.code === 'COVER_AS_VIDEO') === isCoverMeant ? found : undefined;
}

export const IMAGE_RULES: Rules = {
  /** A request with video filters is left out, because a slideshow cannot have them. */
  'unjoined-images': {
    finds: 'several images for a video, of which ffmpeg shows only one',
    plan({ options, opened, path }) {
      const images = opened.filter(isImage);
      const hasVideos = opened.some(({ source }) => isVideoExtension(extension(source.path)));
      const isArranged = opened.some(({ duration }) => duration !== undefined) || options.some(arrangesVideo);
      if (images.length < 2 || hasVideos || isArranged || !isVideoExtension(extension(path))) return [];
      return unusedInput(
        `ffmpeg shows only one of the ${images.length} images: it does not join several inputs by itself.`,
        slideshowFix(opened, images),
        { field: '/inputs' },
      );
    },
  },

  'hasty-slides': {
    finds: 'an image sequence of a few images that is over within a second',
    run({ facts, pass: { lastBlock, writtenSeconds } }) {
      const [planned, ...others] = facts.plan.inputs;
      const frames = lastBlock?.frame ?? 0;
      if (planned?.sequence === undefined || others.length > 0 || frames < 2 || frames >= SLIDES) return [];
      if (writtenSeconds === undefined || writtenSeconds >= 1 || isStillImage(facts.plan.output.muxer, frames))
        return [];
      const isPaced = ['-framerate', '-r', '-loop', '-stream_loop'].some((name) => facts.inputArgs(0).includes(name));
      if (isPaced || facts.hasOption(/^-(?:r(?::v)?|t|to|frames(?::v)?)$/) || facts.usesFilter(PACE)) return [];
      return shortOutput(
        `The output has ${secondsText(writtenSeconds)}: ffmpeg reads 25 images per second, and "${planned.path}" has ${frames}.`,
        withInputOptions(facts, 0, { framerate: '1' }) ?? 'Send "framerate": "1" to show each image for a second.',
        { field: planned.field },
      );
    },
  },

  /** The video hides the image below it, or the request maps the audio of the image, which has none. */
  'swapped-overlay-inputs': {
    finds: 'an `overlay` that draws a video on an image, where the image is meant to be on the video',
    supersedes: ['cover-as-video', 'image-not-cover', 'single-frame-image', 'video-in-audio-file'],
    files({ facts }) {
      const { inputs } = facts.plan;
      for (const at of filtersIn(facts, 'overlay')) {
        const [below, above] = [0, 1].map((pad) => at.source(pad, /^(?:concat|xfade)$/));
        const [image, video] = [below, above].map((one) => one && inputs[one.input]);
        if (below === undefined || above === undefined || image === undefined || video === undefined) continue;
        const mapsAudioOf = (input: number): boolean =>
          facts.argumentsOf('map').some((map) => map.startsWith(`${input}:a`));
        const [back, front] = [facts.frameSize(below), facts.frameSize(above)];
        const isCovered = back && front && back.width <= front.width && back.height <= front.height;
        const losesAudio = mapsAudioOf(below.input) && !mapsAudioOf(above.input);
        // A video with a transparent background, such as a person before a green screen, is meant to be on top.
        const isCutOut =
          hasAlpha(above.stream.pixelFormat ?? '') ||
          facts.inputs[above.input]?.alphaStreams?.has(above.stream.index) ||
          at.graph.filters.some(cutsOut);
        if (!facts.isStill(below.input) || facts.isStill(above.input) || isCutOut || !(isCovered || losesAudio))
          continue;
        const swapped = inputs.map(({ path }, index) =>
          index === below.input ? video.path : index === above.input ? image.path : path,
        );
        return noEffect(
          `${facts.pathOf(below.input)} is an image without audio, and the video ${facts.pathOf(above.input)} is drawn on it: the inputs are in the wrong order.`,
          // If inputs have parameters, the fix would have to move these too, so it does not repeat the inputs.
          areInputsPlain(facts)
            ? sendOption('inputs', swapped)
            : `Send the elements ${below.input} and ${above.input} of "inputs" in each other's place, each with its parameters.`,
          { field: image.field },
        );
      }
      return [];
    },
  },

  /** The muxers of `.m4a`, `.wma` and `.ogg` hold video too, so ffmpeg keeps the video. An `.ogg` is sometimes meant as a video. */
  'video-in-audio-file': {
    finds: 'video in a file whose name says audio',
    filesAndRun({ facts, pass: { outputStreams } }) {
      const name = extension(facts.plan.output.path);
      const saysAudio = /^(?:m4[ab]|wma)$/.test(name) || (name === 'ogg' && facts.hasOption(ASKS_FOR_AUDIO));
      const isAsked = facts.argv.some(
        (word, at) => ASKS_FOR_VIDEO.test(word) && !(word === '-c' && facts.argv[at + 1] === 'copy'),
      );
      const video = ofKind(outputStreams, 'video').find((one) => !IMAGE_CODECS.has(one.codec) && !isCover(one));
      if (!saysAudio || isAsked || video === undefined || ofKind(outputStreams, 'audio').length === 0) return [];
      return {
        field: '/output',
        code: 'VIDEO_IN_SOUND_FILE',
        message: `The output has the video (${video.codec}) too, although its name says audio: ffmpeg puts it into ".${name}" unless the request leaves it out.`,
        fix: { ...addOption('vn', ''), why: 'this leaves the video out' },
      };
    },
  },

  'cover-as-video': {
    finds: 'a cover that became a video stream',
    supersedes: ['image-not-cover', 'single-frame-image', 'video-in-audio-file', ...OF_PIXELS],
    filesAndRun({ facts, pass }) {
      const hasAudio = ofKind(pass.outputStreams, 'audio').length > 0;
      const found = convertedStreams(pass).find(
        ({ from, to, copied }) => isCover(from) && !copied && to !== undefined && !IMAGE_CODECS.has(to.codec),
      );
      if (found === undefined || !hasAudio) return [];
      return coverAsVideo(
        `The cover of ${facts.pathOf(found.input)} became a video stream (${found.to?.codec}) of one frame.`,
        { ...addOption('vn', ''), why: 'this leaves the cover out' },
      );
    },
  },

  'image-not-cover': {
    finds: 'an image beside audio in an `.m4a` or `.m4b` that became a video stream instead of the cover',
    supersedes: ['video-in-audio-file', ...OF_PIXELS, 'short-output'],
    filesAndRun: (context) => imageFinding(context, true),
  },

  'single-frame-image': {
    finds: 'an image that the video shows for one frame, because nothing repeats it',
    supersedes: ['video-in-audio-file', 'short-output'],
    filesAndRun: (context) => imageFinding(context, false),
  },
};
