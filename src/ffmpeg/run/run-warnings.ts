import { addOption, orElse } from '../../domain/edit.ts';
import type { OutputStream } from '../../domain/job.ts';
import type { Warning } from '../../domain/plan.ts';
import { notUtf8 } from './causes/subtitles.ts';
import { earlyStart } from './early-start.ts';
import type { FaultGuard } from './fault-guard.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { hasAlpha, keepAlpha, opaqueFormat } from './kept-alpha.ts';
import { longOutput } from './long-output.ts';
import { type MediaFacts, mediaFacts, withPlacedFix } from './media-facts.ts';
import { type OptionFacts, readOptionFacts } from './option-facts.ts';
import { fewPlayers, isPlayabilityPlanned, playable } from './picture-checks.ts';
import { readableSubtitles } from './readable-subtitles.ts';
import { replacedFonts } from './replaced-fonts.ts';
import { shortOutput } from './short-output.ts';
import { silentResults } from './silent-results.ts';
import { stillOfOneFrame } from './still-checks.ts';
import { mapsEveryStream } from './unmatched-specifiers.ts';
import { unusedInputs } from './unused-inputs.ts';
import { unusedOptions } from './unused-options.ts';
import { unusedStreams } from './unused-streams.ts';

/**
 * Returns the warnings about facts that are known only after the run. Each is about something that the client probably
 * did not want, so an ordinary conversion gets none. Omits what the plan has already warned about. A check that throws finds
 * nothing, and `guard` reports it. Pure.
 */
export function findRunWarnings(pass: FinishedPass, guard: FaultGuard): readonly RunWarning[] {
  const { plan } = pass;
  const options = readOptionFacts(plan.passes.at(-1) ?? []);
  const facts = { ...mediaFacts(plan, pass.inputs, pass.used), written: writtenLengths(pass) };
  const checks: readonly (() => readonly RunWarning[])[] = [
    () => unusedInputs(facts, plan.warnings),
    () => unusedStreams(pass, options),
    () => silentResults(facts, pass),
    () => unusedOptions(pass),
    () => readErrors(pass, facts),
    () => (stillOfOneFrame(facts, pass).length > 0 ? [] : shortOutput(facts, pass, options)),
    () => {
      const early = earlyStart(facts, pass, options);
      return early.length > 0 ? early : longOutput(facts, pass, options);
    },
    () => lastFrame(pass, options),
    () => changedStreams(pass, options, facts),
    () => replacedFonts(facts, pass),
    () => readableSubtitles(pass),
  ];
  let found = withOneLossOfAlpha(checks.flatMap((check) => guard(check, [])));
  // The pictures of a stream that should not be there need no other format.
  const hasCoverAsVideo = found.some(({ code }) => code === 'COVER_AS_VIDEO');
  if (hasCoverAsVideo) found = found.filter(({ code }) => code !== 'PIXEL_FORMAT_CHANGED');
  // One warning about the pixel format is enough.
  else if (!found.some(({ code }) => code === 'PIXEL_FORMAT_CHANGED'))
    found.push(...guard(() => fewPlayers(facts, pass), []));
  const rate = found.find(({ code }) => code === 'FRAME_RATE_CHANGED');
  const isExplained = found.some(({ code }) => code === 'FRAMES_REPEATED' || code === 'LONG_OUTPUT');
  const uneven = isExplained ? [] : guard(() => unevenFrames(pass, options, rate), []);
  // Frames were repeated or dropped to change the frame rate. One of the two warnings is enough.
  if (uneven.length > 0) found = found.filter(({ code }) => code !== 'FRAME_RATE_CHANGED');
  // The fix of an option for another stream of the same kind maps it.
  if (found.some(mapsEveryStream)) found = found.filter(({ code }) => code !== 'UNUSED_STREAM');
  // An input of which nothing is used may have the sound that is meant.
  if (found.some(({ code }) => code === 'UNUSED_INPUT')) found = found.filter(({ code }) => code !== 'SOUND_LEFT_OUT');
  const known = new Set(plan.warnings.map(({ code, field }) => `${code} ${field}`));
  // Its fix shows each picture, so those for the one that ffmpeg took do not apply.
  const hasUnjoined = known.has('UNUSED_INPUT /inputs');
  const isKnown = ({ code, field = '' }: RunWarning): boolean =>
    known.has(`${code} ${field === '/output' ? plan.output.field : field}`) ||
    (hasUnjoined && OF_ONE_PICTURE.has(code) && field.startsWith('/inputs/'));
  return [...found, ...uneven].filter((one) => !isKnown(one)).map((one) => withPlacedFix(facts, one));
}

function writtenLengths({ writtenSeconds, lastBlock, outputStreams }: FinishedPass): MediaFacts['written'] & {} {
  const [picture, ...pictures] = outputStreams.filter(({ type }) => type === 'video');
  const [frames, fps] = pictures.length === 0 ? [lastBlock?.frame, picture?.fps] : [];
  return {
    ...(writtenSeconds !== undefined && { seconds: writtenSeconds }),
    ...(frames !== undefined && fps !== undefined && { pictureSeconds: frames / fps }),
  };
}

/** Warnings about pictures that are not joined. The plan has one about all of them. */
const OF_ONE_PICTURE: ReadonlySet<string> = new Set(['UNUSED_INPUT', 'SHORT_OUTPUT', 'UNEQUAL_LENGTHS']);

/** One warning about transparency is enough: the first names what made it, or why it was not read. */
const withOneLossOfAlpha = (found: readonly RunWarning[]): RunWarning[] =>
  found.filter(
    (one, at) =>
      one.code !== 'PIXEL_FORMAT_CHANGED' || found.findIndex(({ code }) => code === 'PIXEL_FORMAT_CHANGED') === at,
  );

function readErrors({ plan, complaints }: FinishedPass, facts: MediaFacts): readonly RunWarning[] {
  const { readErrors: count, damagedInputs, hasInvalidText } = complaints;
  if (count === 0 && !hasInvalidText) return [];
  if (hasInvalidText) {
    const { message, fix } = notUtf8(facts);
    return [{ code: 'DECODE_ERRORS', message: `Lines of text are lost. ${message}`, fix }];
  }
  const [number, ...more] = plan.inputs.length === 1 ? [0] : damagedInputs;
  const planned = number === undefined || more.length > 0 ? undefined : plan.inputs[number];
  const what = planned === undefined ? 'the inputs' : `"${planned.path}"`;
  const isDiscarded = plan.output.muxer === 'null';
  const wrong = isDiscarded ? 'what was measured may be wrong' : 'parts of the output may look or sound wrong';
  return [
    {
      ...(planned === undefined ? {} : { field: planned.field }),
      code: 'DECODE_ERRORS',
      message: `ffmpeg reported ${count} ${count === 1 ? 'error' : 'errors'} while it read ${what}: it may be damaged, and ${wrong}.`,
      fix: 'Measure "errors" of the file: that says what is damaged. Send an undamaged one. If there is none, ignore this warning.',
    },
  ];
}

function lastFrame({ lastBlock }: FinishedPass, options: OptionFacts): readonly RunWarning[] {
  const frames = lastBlock?.frame ?? 0;
  if (!options.replacesPicture || frames < 2) return [];
  return [
    {
      field: '/output',
      code: 'LAST_FRAME',
      message: `The output is one picture: of ${frames} frames, only the last is kept.`,
      fix: { ...addOption('frames:v', '1'), note: 'That is the first frame. For a later one, send "ss" too.' },
    },
  ];
}

/**
 * Warns about streams that an encoder received with other properties than the input has, if the request does not ask
 * for that.
 */
function changedStreams(
  { inputs, used, outputStreams, lastBlock, plan }: FinishedPass,
  options: OptionFacts,
  facts: MediaFacts,
): readonly RunWarning[] {
  // A film of variable frame rate has a nominal rate, which ffmpeg writes without changing a frame.
  const isResampled = lastBlock === undefined || (lastBlock.repeatedFrames ?? 0) + (lastBlock.droppedFrames ?? 0) > 0;
  return used.flatMap(({ input, stream, output, copied }) => {
    const from = inputs[input]?.streams.find(({ index }) => index === stream);
    const to = outputStreams.find(({ index }) => index === output);
    if (copied || from === undefined || to === undefined || from.type !== to.type) return [];
    if (to.type === 'audio') return changedRate(from, to, options);
    const pixels = options.setsPixelFormat ? [] : changedPixels(facts, from, to, plan.warnings);
    return [...changedPicture(from, to, options, isResampled), ...pixels];
  });
}

/** Opus has one sample rate, whatever the input has. */
const ONE_RATE: ReadonlySet<string> = new Set(['opus']);

function changedRate(from: OutputStream, to: OutputStream, options: OptionFacts): readonly RunWarning[] {
  const [before, after] = [from.sampleRate, to.sampleRate];
  if (before === undefined || after === undefined || before === after) return [];
  if (options.setsSampleRate || ONE_RATE.has(to.codec)) return [];
  return [
    {
      code: 'SAMPLE_RATE_CHANGED',
      message: `The sample rate of stream ${to.index} changed from ${before} to ${after} Hz, although no option asks for it.`,
      fix:
        after > before
          ? { ...addOption('ar', `${before}`), why: 'this keeps the sample rate' }
          : `Send "ar": "${after}" if this sample rate is meant.`,
    },
  ];
}

function changedPicture(
  from: OutputStream,
  to: OutputStream,
  options: OptionFacts,
  isResampled: boolean,
): readonly RunWarning[] {
  const { width, height, fps } = from;
  const warnings: RunWarning[] = [];
  const isRotated = width === to.height && height === to.width;
  if (width !== undefined && to.width !== undefined && !options.setsSize && !isRotated)
    if (width !== to.width || height !== to.height)
      warnings.push({
        code: 'SIZE_CHANGED',
        message: `The picture changed from ${width}x${height} to ${to.width}x${to.height}, although no option asks for it.`,
        fix: orElse(addOption('s', `${width}x${height}`), 'the other size if it is meant'),
      });
  // Phones record a rate that varies a little, and ffmpeg writes the nominal one.
  const isOtherRate = fps !== undefined && to.fps !== undefined && Math.abs(to.fps / fps - 1) > 0.05;
  if (isOtherRate && isResampled && !options.setsFrameRate)
    warnings.push({
      code: 'FRAME_RATE_CHANGED',
      message: `The frame rate changed from ${fps} to ${to.fps} frames per second, although no option asks for it.`,
      fix: `Send "r": "${rateText(to.fps)}" if this frame rate is meant, or an encoder that supports every frame rate, such as "c:v": "libx264".`,
    });
  return warnings;
}

/** An exact value of the option `r`: `25`, `30000/1001`. */
function rateText(fps: number): string {
  const nominal = Math.round(fps * 1.001);
  return Math.abs(fps * 1.001 - nominal) < 0.001 && !Number.isInteger(fps) ? `${nominal * 1000}/1001` : `${fps}`;
}

const RGB = /^(?:rgb|bgr|gbr|argb|abgr|pal8|0rgb|0bgr)/;
/** Codecs of films whose players mostly support only pictures with reduced chroma. */
const FILM_CODECS: ReadonlySet<string> = new Set(['h264', 'hevc']);
/** Other codecs of films that have no transparency. */
const OPAQUE_CODECS: ReadonlySet<string> = new Set('av1 mpeg4 mpeg2video mpeg1video theora dnxhd'.split(' '));

function changedPixels(
  facts: MediaFacts,
  { pixelFormat: before }: OutputStream,
  to: OutputStream,
  planned: readonly Warning[],
): readonly RunWarning[] {
  const { codec, pixelFormat: after } = to;
  if (before === undefined || after === undefined) return [];
  if (FILM_CODECS.has(codec) && RGB.test(before) && /^(?:yuv444|gbr)/.test(after))
    return isPlayabilityPlanned(planned, to)
      ? []
      : [
          {
            code: 'PIXEL_FORMAT_CHANGED',
            ...playable(facts, `The pixel format became ${after} (from ${before})`, to),
          },
        ];
  // Pictures with an alpha channel are mostly opaque. A film that has one is made for it.
  const isLoss = FILM_CODECS.has(codec) || (OPAQUE_CODECS.has(codec) && before.startsWith('yuva'));
  if (!isLoss || !hasAlpha(before) || hasAlpha(after)) return [];
  return [
    {
      code: 'PIXEL_FORMAT_CHANGED',
      message: `The transparency of the input is lost: the pixel format changed from ${before} to ${after}.`,
      fix: `Send "pix_fmt": "${opaqueFormat(codec)}" if it is not needed. ${keepAlpha(facts)}`,
    },
  ];
}

/** A share of repeated or dropped frames below this is usual at the start and the end. */
const UNEVEN_SHARE = 0.1;
const UNEVEN_FRAMES = 10;

const TIMES_FIX = orElse(addOption('fps_mode', 'vfr'), '"r" for another frame rate');

/**
 * `rate`: the warning about a changed frame rate, if there is one. That change is then the cause of the repeated or
 * dropped frames.
 */
function unevenFrames(
  { lastBlock }: FinishedPass,
  options: OptionFacts,
  rate: RunWarning | undefined,
): readonly RunWarning[] {
  const { frame = 0, repeatedFrames = 0, droppedFrames = 0 } = lastBlock ?? {};
  if (options.setsFrameRate) return [];
  const isMany = (count: number): boolean => count >= UNEVEN_FRAMES && count >= UNEVEN_SHARE * (frame + droppedFrames);
  const fix = rate?.fix ?? TIMES_FIX;
  const cause = rate === undefined ? '' : ` ${rate.message}`;
  const warnings: RunWarning[] = [];
  if (isMany(repeatedFrames))
    warnings.push({
      code: 'FRAMES_REPEATED',
      message: `ffmpeg repeated ${repeatedFrames} of ${frame} frames to get a constant frame rate.${cause}`,
      fix,
    });
  if (isMany(droppedFrames))
    warnings.push({
      code: 'FRAMES_DROPPED',
      message: `ffmpeg dropped ${droppedFrames} frames, and the output has ${frame}.${cause}`,
      fix,
    });
  return warnings;
}
