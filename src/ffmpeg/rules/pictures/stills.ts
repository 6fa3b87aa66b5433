import { addOption, type Edit, editsText, sendIn, sendOption, withMore } from '../../../domain/edit.ts';
import { type Hint, withAdvice } from '../../../domain/hint.ts';
import { extension } from '../../../domain/media-path.ts';
import { type ArgvOption, lastValue, sentName } from '../../plan/request/argv-option.ts';
import { hasCounter, isFilmExtension, isPictureExtension } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { readRate } from '../../values/rate.ts';
import { quoted } from '../../values/value-error.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from '../facts/finished-pass.ts';
import { type MediaFacts, secondsText } from '../facts/media-facts.ts';
import { isStillImage, STILL } from '../facts/output-duration.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { cutsOut, hasAlpha } from './alpha.ts';

/** How long an image is shown if no option says it, in seconds. */
const DEFAULT_SECONDS = '3';
/** A fix with more inputs would be too long to read. */
const MOST_INPUTS = 8;

/** Options of an image that say how long it is shown. A slideshow has `duration` instead. */
const LENGTHS: ReadonlySet<string> = new Set(['t', 'to', 'loop', 'stream_loop', 'framerate', 'r']);
/** The options in `LENGTHS` that a slideshow rejects. */
const REJECTED: ReadonlySet<string> = new Set(['t', 'to', 'loop', 'stream_loop']);

/**
 * Warns about several single images for a video without a filtergraph or a `map`: ffmpeg shows only one of them. With `duration`,
 * they become a slideshow. A slideshow cannot have a video filter, so requests with one get no warning before the run.
 */
const UNJOINED_IMAGES: Rule = {
  id: 'unjoined-images',
  finds: 'several images for a video, of which ffmpeg shows only one',
  plan({ options, opened: inputs, path: output }) {
    const pictures = inputs.filter(isPicture);
    const hasFilms = inputs.some(({ source }) => isFilmExtension(extension(source.path)));
    const isArranged = inputs.some(({ duration }) => duration !== undefined) || options.some(arrangesVideo);
    if (pictures.length < 2 || hasFilms || isArranged || !isFilmExtension(extension(output))) return [];
    return {
      field: '/inputs',
      code: 'UNUSED_INPUT',
      message: `ffmpeg shows only one of the ${pictures.length} pictures: it does not join several inputs by itself.`,
      fix: slideshowFix(inputs, pictures),
    };
  },
};

const isPicture = ({ source: { path, url, sequence } }: ArgvInput): boolean =>
  isPictureExtension(extension(path)) && sequence === undefined && !(url === undefined && hasCounter(path));

const arrangesVideo = ({ key, name }: ArgvOption): boolean =>
  ['map', 'vn', 'filter_complex'].includes(name.name) || /^filter(?:$|:[vV0])/.test(key);

function slideshowFix(inputs: readonly ArgvInput[], pictures: readonly ArgvInput[]): string {
  const conflicts = pictures.flatMap(({ options }) =>
    options.filter((option) => REJECTED.has(option.key) && !isOwn(option)).map(sentName),
  );
  const names = [...new Set(conflicts)].map((name) => quoted(name)).join(' and ');
  const leave = names === '' ? '' : `, and leave ${names} out`;
  const [first] = pictures;
  // The path of a URL lacks its query, so a fix cannot repeat it.
  if (first === undefined || inputs.length > MOST_INPUTS || inputs.some(({ source }) => source.url !== undefined))
    return `For a slideshow, send each picture as {"input": "…", "duration": "${secondsOfSlide(first)}"}${leave}.`;
  return `For a slideshow, send "inputs": ${JSON.stringify(inputs.map(slideOf))}${leave}.`;
}

/** Whether an option belongs to an input, not to the whole request. */
const isOwn = ({ field }: ArgvOption): boolean => field.startsWith('/inputs/');

/** An input as the client sends it for a slideshow. */
function slideOf(input: ArgvInput): unknown {
  const { source, options } = input;
  const isSlide = isPicture(input);
  const own = options.filter((option) => isOwn(option) && !(isSlide && LENGTHS.has(option.key)));
  const parameters = Object.fromEntries(
    own.map((option) => [sentName(option), option.values.length > 1 ? option.values : (option.values[0] ?? '')]),
  );
  const members = {
    ...(own.length > 0 && { parameters }),
    ...(isSlide && { duration: secondsOfSlide(input) }),
  };
  return Object.keys(members).length === 0 ? source.path : { input: source.path, ...members };
}

/** How many seconds an image is shown by its options: its length, or one frame at its rate. */
function secondsOfSlide(picture: ArgvInput | undefined): string {
  const options = picture?.options ?? [];
  const length = lastValue('t', options) ?? '';
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(length) && Number(length) > 0) return length;
  const rate = readRate(lastValue('framerate', options) ?? lastValue('r', options) ?? '');
  const seconds = rate === undefined || rate <= 0 ? 0 : Math.round(1e6 / rate) / 1e6;
  return seconds > 0 && seconds < 1e6 ? String(seconds) : DEFAULT_SECONDS;
}

/** Codecs of images. A stream of one frame in such a codec is a cover. */
const PICTURE_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp', 'gif', 'webp']);

/** Codecs of covers that an `.m4a` holds. */
const COPIED_COVERS: ReadonlySet<string> = new Set(['mjpeg', 'png']);

/** How long a fix shows an image, in seconds, and the frames of an equally long zoom at 25 fps. */
const SHOWN_SECONDS = 5;
const ZOOM_FRAMES = 125;

/** Warns about an image that became a video of one frame, with or without audio. In an audio file, the image is meant as the cover. */
export function stillOfOneFrame(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  const { outputStreams, lastBlock, used, writtenSeconds } = pass;
  const { argv, plan } = facts;
  const frames = lastBlock?.frame ?? 0;
  const picture = outputStreams.find(({ type }) => type === 'video');
  if (frames !== 1 || picture === undefined || isStillImage(plan.output.muxer, frames)) return [];
  if (PICTURE_CODECS.has(picture.codec) || picture.disposition?.includes('attached_pic') === true) return [];
  if (argv.some((word) => /^-frames(?::v|$)/.test(word))) return [];
  const still = used.find(
    ({ input, stream, copied }) =>
      !copied && STILL.test(facts.inputs[input]?.demuxer ?? '') && facts.inputStream(input, stream)?.type === 'video',
  )?.input;
  const planned = still === undefined ? undefined : plan.inputs[still];
  if (still === undefined || planned === undefined || planned.sequence !== undefined) return [];
  const hasSound = outputStreams.some(({ type }) => type === 'audio');
  const endsWithShortest = argv.includes('-shortest');
  const looped = withInputOptions(facts, still, { loop: '1' });
  /** Loops the picture, and ends the output with `end`. */
  const loop = (end: Edit | undefined): Hint => {
    if (looped !== undefined) return end === undefined ? looped : withMore(looped, end);
    const own = `Send "loop": "1" in the "parameters" of the input ${facts.pathOf(still)}.`;
    return end === undefined ? own : withAdvice(own, editsText({ edits: [end] }));
  };
  if (hasSound && /^m4[ab]$/.test(extension(plan.output.path))) {
    const codec = facts.inputs[still]?.streams.find(({ type }) => type === 'video')?.codec ?? '';
    return [
      {
        field: planned.field,
        code: 'COVER_AS_VIDEO',
        message: `${facts.pathOf(still)} became a video stream (${picture.codec}) of one frame, not the cover of the song.`,
        fix: withMore(addOption('c:v', COPIED_COVERS.has(codec) ? 'copy' : 'mjpeg'), {
          do: 'add',
          name: 'disposition:v',
          value: 'attached_pic',
        }),
      },
    ];
  }
  if (hasSound)
    return [
      {
        field: planned.field,
        code: 'UNEQUAL_LENGTHS',
        message: endsWithShortest
          ? `${facts.pathOf(still)} is one frame, and "shortest" ends the output with it: after ${secondsText(writtenSeconds ?? 0)}.`
          : `${facts.pathOf(still)} is one frame beside ${secondsText(writtenSeconds ?? 0)} of sound: most players show it for a moment, or not at all.`,
        fix: loop(endOfSound(facts, used)),
      },
    ];
  return [
    {
      field: planned.field,
      code: 'SHORT_OUTPUT',
      message: `The output shows ${facts.pathOf(still)} for ${secondsText(1 / (picture.fps ?? 25))}: a picture is one frame.`,
      fix: zoomFix(facts) ?? loop(argv.includes('-t') ? undefined : withOption('t', `${SHOWN_SECONDS}`)),
    },
  ];
}

/** An option of the whole request. */
const withOption = (name: string, value: string): Edit => ({ do: 'send', name, value, in: 'parameters' });

/**
 * The inputs of the request, with options for one of them. undefined if inputs of the request have
 * options: they are unknown here, so the fix would lose them.
 */
function withInputOptions(facts: MediaFacts, input: number, parameters: Readonly<Record<string, string>>) {
  const isPlain = facts.plan.inputs.every(({ field }) => isPlainInput(field));
  return isPlain ? sendIn('request', 'inputs', facts.inputsWith(input, parameters)) : undefined;
}

/**
 * The part of the fix that ends a looped picture with the sound. Up to ffmpeg 5, `shortest` leaves up to two seconds more,
 * which the encoder has buffered; `t` is exact.
 */
function endOfSound(facts: MediaFacts, used: FinishedPass['used']): Edit | undefined {
  const seconds = facts.secondsOfSound(used);
  const hasShortest = facts.argv.includes('-shortest');
  if (seconds === undefined) return hasShortest ? undefined : withOption('shortest', '');
  const { duration = seconds } = facts.plan.span.output;
  return withOption('t', `${Number(Math.min(duration, seconds).toFixed(2))}`);
}

/** A zoom makes its frames itself, and begins again with each frame that it reads. */
function zoomFix(facts: MediaFacts): Hint | undefined {
  for (const at of filtersIn(facts, 'zoompan')) return at.change({ d: ZOOM_FRAMES });
  return undefined;
}

/** An image sequence with fewer images than this is a slideshow, not a video. */
const SLIDES = 25;

/** Filters that change how long pictures are shown. */
const PACE = /^(?:setpts|fps|loop|tpad|zoompan|minterpolate|framerate|select|trim|concat|xfade|tile)$/;

/** Warns about a few images that are shown only for a moment, because no option says how long: ffmpeg reads 25 per second. */
const HASTY_SLIDES: Rule = {
  id: 'hasty-slides',
  finds: 'an image sequence of a few images that is over within a second',
  run({ facts, pass: { lastBlock, writtenSeconds } }) {
    const { argv, plan } = facts;
    const [planned, ...others] = plan.inputs;
    const frames = lastBlock?.frame ?? 0;
    if (planned?.sequence === undefined || others.length > 0 || frames < 2 || frames >= SLIDES) return [];
    if (writtenSeconds === undefined || writtenSeconds >= 1 || isStillImage(plan.output.muxer, frames)) return [];
    const isPaced = ['-framerate', '-r', '-loop', '-stream_loop'].some((name) => facts.inputArgs(0).includes(name));
    const isCut = ['-r', '-r:v', '-t', '-to', '-frames:v', '-frames'].some((name) => argv.includes(name));
    if (isPaced || isCut || facts.usesFilter(PACE)) return [];
    return {
      field: planned.field,
      code: 'SHORT_OUTPUT',
      message: `The output has ${secondsText(writtenSeconds)}: ffmpeg reads 25 pictures per second, and "${planned.path}" has ${frames}.`,
      fix: withInputOptions(facts, 0, { framerate: '1' }) ?? 'Send "framerate": "1" to show each picture for a second.',
    };
  },
};

/**
 * Warns about an image and a video in the wrong order: the video is drawn on the image, although the video is larger. The audio of the
 * video may be missing too, because the request maps the audio of the first input.
 */
const SWAPPED_OVERLAY_INPUTS: Rule = {
  id: 'swapped-overlay-inputs',
  finds: 'an `overlay` that draws a video on an image, where the image is meant to be on the video',
  supersedes: ['cover-as-video', 'image-not-cover', 'single-frame-image', 'video-in-audio-file'],
  files({ facts }) {
    for (const at of filtersIn(facts, 'overlay')) {
      const { graph } = at;
      const [below, above] = [0, 1].map((pad) => at.source(pad, NOTHING));
      const [picture, film] = [below, above].map((one) => one && facts.plan.inputs[one.input]);
      if (below === undefined || above === undefined || picture === undefined || film === undefined) continue;
      const [isStill, isFilm] = [below, above].map(({ input }) => STILL.test(facts.inputs[input]?.demuxer ?? ''));
      const mapsSoundOf = ({ input }: { readonly input: number }): boolean =>
        facts.argv.some((word, at) => word.startsWith(`${input}:a`) && facts.argv[at - 1] === '-map');
      const [back, front] = [below, above].map((one) => facts.pictureSize(one));
      const isCovered =
        back !== undefined && front !== undefined && back.width <= front.width && back.height <= front.height;
      const losesSound = mapsSoundOf(below) && !mapsSoundOf(above);
      // A person before a green screen is drawn on a background.
      const hasTransparency =
        hasAlpha(above.stream.pixelFormat ?? '') || facts.inputs[above.input]?.alphaStreams?.has(above.stream.index);
      const isCutOut = hasTransparency === true || graph.filters.some(cutsOut);
      if (isStill !== true || isFilm !== false || isCutOut || !(isCovered || losesSound)) continue;
      const swapped = facts.plan.inputs.map(
        ({ path }, at) => (at === below.input ? film : at === above.input ? picture : { path }).path,
      );
      // An input with parameters keeps them in its new place.
      const isPlain = facts.plan.inputs.every(({ field }) => isPlainInput(field));
      return {
        field: picture.field,
        code: 'NO_EFFECT',
        message: `${facts.pathOf(below.input)} is a picture without sound, and the film ${facts.pathOf(above.input)} is drawn on it: the inputs are in the wrong order.`,
        fix: isPlain
          ? sendOption('inputs', swapped)
          : `Send the elements ${below.input} and ${above.input} of "inputs" in each other's place, each with its parameters.`,
      };
    }
    return [];
  },
};

/** Whether the field points to an input without parameters. */
const isPlainInput = (field: string): boolean => /^\/inputs?(?:\/\d+)?$/.test(field);

/** No filter changes which input a pad reads. */
const NOTHING = /^(?:concat|xfade)$/;

/** Options that ask for the picture. */
const ASKS_FOR_PICTURE =
  /^-(?:map|filter_complex|filter:v|(?:c|b|q|crf|r|s|aspect|pix_fmt|profile|preset|tune|frames):?v?)$/;

/** Options that ask for the sound. */
const ASKS_FOR_SOUND = /^-(?:(?:c|b|q|filter|profile|ac|ar|sample_fmt):a(?::\d+)?|ac|ar|sample_fmt)$/;

const VIDEO_IN_AUDIO_FILE: Rule = {
  id: 'video-in-audio-file',
  finds: 'video in a file whose name says audio',
  /**
   * The output has video, although its extension says audio: the muxers of `.m4a`, `.wma` and `.ogg` accept video too, so ffmpeg
   * keeps it. Some `.ogg` files are videos, so this applies to `.ogg` only if the request has options for audio alone.
   */
  filesAndRun({ facts, pass: { outputStreams } }) {
    const name = extension(facts.plan.output.path);
    const saysSound =
      /^(?:m4[ab]|wma)$/.test(name) || (name === 'ogg' && facts.argv.some((word) => ASKS_FOR_SOUND.test(word)));
    if (!saysSound) return [];
    const asks = facts.argv.some(
      (word, at) => ASKS_FOR_PICTURE.test(word) && !(word === '-c' && facts.argv[at + 1] === 'copy'),
    );
    const film = outputStreams.find(
      ({ type, codec, disposition }) =>
        type === 'video' && !PICTURE_CODECS.has(codec) && disposition?.includes('attached_pic') !== true,
    );
    if (asks || film === undefined || !outputStreams.some(({ type }) => type === 'audio')) return [];
    return {
      field: '/output',
      code: 'VIDEO_IN_SOUND_FILE',
      message: `The output has the video (${film.codec}) too, although its name says sound: ffmpeg puts it into ".${name}" unless the request leaves it out.`,
      fix: { ...addOption('vn', ''), why: 'this leaves the video out' },
    };
  },
};

const COVER_AS_VIDEO: Rule = {
  id: 'cover-as-video',
  finds: 'a cover that became a video stream',
  // The pictures of a stream that should not be there need no other format.
  supersedes: [
    'image-not-cover',
    'single-frame-image',
    'video-in-audio-file',
    'lost-alpha',
    'unstored-alpha',
    'changed-pixel-format',
    'unplayable-pixel-format',
  ],
  /** A cover became a film of one picture. */
  filesAndRun({ facts, pass: { used, outputStreams } }) {
    for (const { input, stream, output, copied } of used) {
      const from = facts.inputStream(input, stream);
      const to = outputStreams.find(({ index }) => index === output);
      const isCover = from?.disposition?.includes('attached_pic') === true;
      const hasSound = outputStreams.some(({ type }) => type === 'audio');
      if (!isCover || copied || to === undefined || !hasSound || PICTURE_CODECS.has(to.codec)) continue;
      return {
        code: 'COVER_AS_VIDEO',
        message: `The cover of ${facts.pathOf(input)} became a video stream (${to.codec}) of one picture.`,
        fix: { ...addOption('vn', ''), why: 'this leaves the cover out' },
      };
    }
    return [];
  },
};

/** Whether a warning is about an image that is meant as the cover. */
const isCover = ({ code }: RunWarning): boolean => code === 'COVER_AS_VIDEO';

const IMAGE_NOT_COVER: Rule = {
  id: 'image-not-cover',
  finds: 'an image beside audio in an `.m4a` or `.m4b` that became a video stream instead of the cover',
  supersedes: [
    'video-in-audio-file',
    'lost-alpha',
    'unstored-alpha',
    'changed-pixel-format',
    'unplayable-pixel-format',
    'short-output',
  ],
  filesAndRun: ({ facts, pass }) => stillOfOneFrame(facts, pass).filter(isCover),
};

const SINGLE_FRAME_IMAGE: Rule = {
  id: 'single-frame-image',
  finds: 'an image that the video shows for one frame, because nothing repeats it',
  supersedes: ['video-in-audio-file', 'short-output'],
  filesAndRun: ({ facts, pass }) => stillOfOneFrame(facts, pass).filter((one) => !isCover(one)),
};

export const STILL_RULES: readonly Rule[] = [
  UNJOINED_IMAGES,
  HASTY_SLIDES,
  SWAPPED_OVERLAY_INPUTS,
  VIDEO_IN_AUDIO_FILE,
  COVER_AS_VIDEO,
  IMAGE_NOT_COVER,
  SINGLE_FRAME_IMAGE,
];
