import { addOption, type Edit, editsText, sendIn, sendOption, withMore } from '../../domain/edit.ts';
import { type Hint, withAdvice } from '../../domain/hint.ts';
import { extension } from '../../domain/media-path.ts';
import { inputsWith } from './causes/media-failure.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './finished-pass.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import { hasAlpha } from './kept-alpha.ts';
import { cutsOut } from './lost-alpha.ts';
import { inputArgs, inputStream, type MediaFacts, pathOf, pictureSize, secondsText, sourceOf } from './media-facts.ts';
import { isStillImage, STILL } from './output-duration.ts';
import { secondsOfSound } from './sound-seconds.ts';

/** Codecs of pictures: a stream of one frame of them is a cover. */
const PICTURE_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'bmp', 'gif', 'webp']);

/** Codecs of covers that an `.m4a` holds. */
const COPIED_COVERS: ReadonlySet<string> = new Set(['mjpeg', 'png']);

/** Seconds that a picture is shown in a fix, and frames of a zoom that lasts as long at 25 frames per second. */
const SHOWN_SECONDS = 5;
const ZOOM_FRAMES = 125;

/** A picture became a film of one frame, alone or beside a sound. In a file for sound, it is meant as the cover. */
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
      !copied && STILL.test(facts.inputs[input]?.demuxer ?? '') && inputStream(facts, input, stream)?.type === 'video',
  )?.input;
  const planned = still === undefined ? undefined : plan.inputs[still];
  if (still === undefined || planned === undefined || planned.sequence !== undefined) return [];
  const hasSound = outputStreams.some(({ type }) => type === 'audio');
  const endsWithShortest = argv.includes('-shortest');
  const looped = withInputOptions(facts, still, { loop: '1' });
  /** Loops the picture, and ends the output with `end`. */
  const loop = (end: Edit | undefined): Hint => {
    if (looped !== undefined) return end === undefined ? looped : withMore(looped, end);
    const own = `Send "loop": "1" in the "parameters" of the input ${pathOf(facts, still)}.`;
    return end === undefined ? own : withAdvice(own, editsText({ edits: [end] }));
  };
  if (hasSound && /^m4[ab]$/.test(extension(plan.output.path))) {
    const codec = facts.inputs[still]?.streams.find(({ type }) => type === 'video')?.codec ?? '';
    return [
      {
        field: planned.field,
        code: 'COVER_AS_VIDEO',
        message: `${pathOf(facts, still)} became a video stream (${picture.codec}) of one frame, and not the cover of the song.`,
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
          ? `${pathOf(facts, still)} is one frame, and "shortest" ends the output with it: after ${secondsText(writtenSeconds ?? 0)}.`
          : `${pathOf(facts, still)} is one frame beside ${secondsText(writtenSeconds ?? 0)} of sound: most players show it for a moment, or not at all.`,
        fix: loop(endOfSound(facts, used)),
      },
    ];
  return [
    {
      field: planned.field,
      code: 'SHORT_OUTPUT',
      message: `The output shows ${pathOf(facts, still)} for ${secondsText(1 / (picture.fps ?? 25))}: a picture is one frame.`,
      fix: zoomFix(facts) ?? loop(argv.includes('-t') ? undefined : withOption('t', `${SHOWN_SECONDS}`)),
    },
  ];
}

/** An option of the request, beside its inputs. */
const withOption = (name: string, value: string): Edit => ({ do: 'send', name, value, in: 'parameters' });

/**
 * The inputs of the request, with options for one of them. undefined if the request has options of inputs, which are not known here and
 * should stay.
 */
function withInputOptions(facts: MediaFacts, input: number, parameters: Readonly<Record<string, string>>) {
  const isPlain = facts.plan.inputs.every(({ field }) => isPlainInput(field));
  return isPlain ? sendIn('request', 'inputs', inputsWith(facts, input, parameters)) : undefined;
}

/**
 * The part of the fix that ends a looped picture with the sound. Up to ffmpeg 5, `shortest` leaves up to two seconds more,
 * which the encoder has buffered; `t` is exact.
 */
function endOfSound(facts: MediaFacts, used: FinishedPass['used']): Edit | undefined {
  const seconds = secondsOfSound(facts, used);
  const hasShortest = facts.argv.includes('-shortest');
  if (seconds === undefined) return hasShortest ? undefined : withOption('shortest', '');
  const { duration = seconds } = facts.plan.span.output;
  return withOption('t', `${Number(Math.min(duration, seconds).toFixed(2))}`);
}

/** A zoom makes its frames itself, and begins again with each frame that it reads. */
function zoomFix(facts: MediaFacts): Hint | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters)
      if (filter.name === 'zoompan') return withFilter(facts, graph, filter, printChanged(filter, { d: ZOOM_FRAMES }));
  return undefined;
}

/** Fewer pictures than this are a slide show, not a film. */
const SLIDES = 25;

/** Filters that change how long pictures are shown. */
const PACE = /^(?:setpts|fps|loop|tpad|zoompan|minterpolate|framerate|select|trim|concat|xfade|tile)$/;

/** A few pictures that are shown for a moment, because nothing says how long: ffmpeg reads 25 per second. */
export function hastySlides(facts: MediaFacts, { lastBlock, writtenSeconds }: FinishedPass): readonly RunWarning[] {
  const { argv, plan } = facts;
  const [planned, ...others] = plan.inputs;
  const frames = lastBlock?.frame ?? 0;
  if (planned?.sequence === undefined || others.length > 0 || frames < 2 || frames >= SLIDES) return [];
  if (writtenSeconds === undefined || writtenSeconds >= 1 || isStillImage(plan.output.muxer, frames)) return [];
  const isPaced = ['-framerate', '-r', '-loop', '-stream_loop'].some((name) => inputArgs(facts, 0).includes(name));
  const isCut = ['-r', '-r:v', '-t', '-to', '-frames:v', '-frames'].some((name) => argv.includes(name));
  if (isPaced || isCut || facts.graphs.some(({ filters }) => filters.some(({ name }) => PACE.test(name)))) return [];
  return [
    {
      field: planned.field,
      code: 'SHORT_OUTPUT',
      message: `The output has ${secondsText(writtenSeconds)}: ffmpeg reads 25 pictures per second, and "${planned.path}" has ${frames}.`,
      fix: withInputOptions(facts, 0, { framerate: '1' }) ?? 'Send "framerate": "1" to show each picture for a second.',
    },
  ];
}

/**
 * A logo and a film in each other's place: the film is drawn on the picture, although the film is larger. The sound of the film is left out
 * too, where the request maps that of the first input.
 */
export function filmOnPicture(facts: MediaFacts): readonly RunWarning[] {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      if (filter.name !== 'overlay') continue;
      const [below, above] = [0, 1].map((pad) => sourceOf(facts, graph, filter, pad, NOTHING));
      const [picture, film] = [below, above].map((one) => one && facts.plan.inputs[one.input]);
      if (below === undefined || above === undefined || picture === undefined || film === undefined) continue;
      const [isStill, isFilm] = [below, above].map(({ input }) => STILL.test(facts.inputs[input]?.demuxer ?? ''));
      const mapsSoundOf = ({ input }: { readonly input: number }): boolean =>
        facts.argv.some((word, at) => word.startsWith(`${input}:a`) && facts.argv[at - 1] === '-map');
      const [back, front] = [below, above].map((one) => pictureSize(facts, one));
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
      return [
        {
          field: picture.field,
          code: 'NO_EFFECT',
          message: `${pathOf(facts, below.input)} is a picture without sound, and the film ${pathOf(facts, above.input)} is drawn on it: the inputs are in the wrong order.`,
          fix: isPlain
            ? sendOption('inputs', swapped)
            : `Send the elements ${below.input} and ${above.input} of "inputs" in each other's place, each with its parameters.`,
        },
      ];
    }
  return [];
}

/** Whether the field is that of an input without parameters. */
const isPlainInput = (field: string): boolean => /^\/inputs?(?:\/\d+)?$/.test(field);

/** No filter changes which input a pad reads. */
const NOTHING = /^(?:concat|xfade)$/;
