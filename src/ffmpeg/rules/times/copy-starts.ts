import { addOption, type Edit, type Edits, leaveOut, orElse, sendOption } from '../../../domain/edit.ts';
import type { MediaStream } from '../../../domain/media-info.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from '../facts/finished-pass.ts';
import { type MediaFacts, secondsText } from '../facts/media-facts.ts';
import { expectedSeconds } from '../facts/output-duration.ts';

/** Containers that tell players to leave the beginning of a copy out (edit lists). */
const HIDING: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'psp', '3gp', '3g2', 'f4v', 'ismv']);
/** Outputs of several files, or without times. */
const UNMEASURED =
  /^(?:hls|dash|segment|stream_segment|ssegment|image2|null|h264|hevc|adts|mp3|ac3|eac3|flac|wav|data)$/;

/** A copy that starts this much before "ss" is noticed. */
const TOLERANCE_SECONDS = 0.5;

/**
 * Whether streams are copied from a place in an input, so that the output can start before it: a copy starts at the key
 * frame before. ffmpeg does not count that part.
 */
export function mayStartEarly(facts: MediaFacts, used: FinishedPass['used']): boolean {
  const { argv, plan } = facts;
  const { muxer } = plan.output;
  const isHidden = HIDING.has(muxer) && !argv.includes('-avoid_negative_ts');
  if (isHidden || UNMEASURED.test(muxer) || argv.includes('-copyts')) return false;
  const inputs = new Set(used.map(({ input }) => input));
  const [first] = inputs;
  const hasFilm = facts.inputs[first ?? -1]?.streams.some(({ type }) => type === 'video') === true;
  const starts = (plan.span.inputs[first ?? -1]?.start ?? 0) > 0;
  return inputs.size === 1 && hasFilm && starts && used.some(({ copied }) => copied);
}

/** The encoders that replace a copy. Other containers hold those of MP4. */
const encodersFor = (muxer: string): Readonly<Record<'video' | 'audio', string>> =>
  muxer === 'webm' ? { video: 'libvpx-vp9', audio: 'libopus' } : { video: 'libx264', audio: 'aac' };

const EARLY_START: Rule = {
  id: 'early-start',
  finds: 'a copy that starts clearly before `ss`, at a key frame',
  supersedes: ['long-output', 'uneven-frames'],
  run({ facts, pass, options }) {
    const { used, writtenSeconds, outputStreams, plan, inputs } = pass;
    if (writtenSeconds === undefined || options.changesDuration || !mayStartEarly(facts, used)) return [];
    const wanted = expectedSeconds(plan, inputs);
    const early = writtenSeconds - (wanted ?? writtenSeconds);
    if (wanted === undefined || early <= TOLERANCE_SECONDS) return [];
    const start = plan.span.inputs[used[0]?.input ?? -1]?.start ?? 0;
    const copied = (['video', 'audio'] as const).filter((kind) =>
      outputStreams.some(({ index, type }) => type === kind && used.some((one) => one.copied && one.output === index)),
    );
    const [key] = ['c', ...copied.map((kind) => `c:${kind.charAt(0)}`)].filter((one) => facts.argv.includes(`-${one}`));
    if (key === undefined) return [];
    const encoders = encodersFor(plan.output.muxer);
    const isForOthers = outputStreams.some(({ type }) => type !== 'video' && type !== 'audio');
    const sent = copied.map((kind): Edit => {
      const member = { name: `c:${kind.charAt(0)}`, value: encoders[kind] };
      return isForOthers && key === 'c' ? { do: 'add', ...member } : { do: 'send', ...member };
    });
    const left: readonly Edit[] = isForOthers || key !== 'c' ? [] : [{ do: 'remove', name: facts.sentNameOf('c') }];
    return {
      key,
      code: 'LONG_OUTPUT',
      message: `The output has ${secondsText(writtenSeconds)}, not ${secondsText(wanted)}: a copy starts at the key frame before "ss", and this one ${secondsText(early)} early, at ${secondsText(Math.max(0, start - early))} of the input.`,
      fix: { edits: [...sent, ...left], why: 'then the output starts exactly at "ss"' },
    };
  },
};

/** By how many seconds the picture of a file starts after its sound, if ffprobe told it. */
export interface PictureDelay {
  readonly pictureDelay?: number | undefined;
}

export function pictureDelayOf(streams: readonly MediaStream[]): number | undefined {
  const starts = (wanted: MediaStream['type']): readonly number[] =>
    streams.flatMap(({ type, startSeconds, isAttachedPicture }) =>
      type === wanted && startSeconds !== undefined && isAttachedPicture !== true ? [startSeconds] : [],
    );
  const [picture, ...pictures] = starts('video');
  const [sound, ...sounds] = starts('audio');
  return picture === undefined || sound === undefined || pictures.length + sounds.length > 0
    ? undefined
    : picture - sound;
}

/** Whether the picture is copied from a place that need not be a key frame: it starts only at the next one. */
export function mayStartLate(facts: MediaFacts, used: FinishedPass['used']): boolean {
  const films = facts.usedOf('video', used);
  return (facts.plan.span.output.start ?? 0) > 0 && films.length === 1 && films.every(({ copied }) => copied);
}

/** A delay that is noticed. */
const NOTICED_SECONDS = 0.5;

/** A copy of a film starts at a key frame. If none follows the start, the output has no picture. */
export function copyWithoutFrames(
  facts: MediaFacts,
  { lastBlock, used, outputStreams }: Pick<FinishedPass, 'lastBlock' | 'used' | 'outputStreams'>,
): readonly RunWarning[] {
  if (lastBlock?.frame !== 0 || !outputStreams.some(({ type }) => type === 'video')) return [];
  const films = facts.usedOf('video', used);
  if (films.length === 0 || !films.every(({ copied }) => copied)) return [];
  return [
    {
      key: 'c',
      code: 'EMPTY_STREAM',
      message:
        'The output has a video stream without a frame: a copy can start only at a key frame, and the requested part has none.',
      fix: orElse(addOption('c:v', 'libx264'), '"ss" with the input: it starts at the key frame before'),
    },
  ];
}

/** Codecs of which each picture is a key frame. */
const ALL_KEY_FRAMES: ReadonlySet<string> = new Set(
  'mjpeg prores dnxhd rawvideo png ffv1 huffyuv ffvhuff utvideo v210 r210 cfhd jpeg2000 dvvideo qtrle bmp tiff gif magicyuv'.split(
    ' ',
  ),
);

/** The encoder of the picture in place of its copy. */
function encoderFix({ plan, argv }: MediaFacts): Edits {
  const encoder = plan.output.muxer === 'webm' ? 'libvpx-vp9' : 'libx264';
  return argv.includes('-c:v') ? sendOption('c:v', encoder) : addOption('c:v', encoder);
}

/** Whether a picture is copied, of which not each frame is a key frame. */
export const copiedPicture = (facts: MediaFacts, { used }: Pick<ForeseenPass, 'used'>): boolean =>
  used.some(({ input, stream, copied }) => {
    const from = facts.inputStream(input, stream);
    return copied && from?.type === 'video' && !ALL_KEY_FRAMES.has(from.codec);
  });

const EARLY_PARTS: Rule = {
  id: 'early-parts',
  finds: 'a part of a copied `cut` that begins earlier than asked for, at a key frame',
  cut({ facts }) {
    const { mode, measure, starts = [] } = facts.plan.cut ?? {};
    const film = facts.streamsOf(0, 'video')[0];
    const isCopied =
      film !== undefined && copiedPicture(facts, { used: [{ input: 0, stream: film.index, copied: true }] });
    const later = starts.filter((start) => start > 0).slice(0, MAX_STARTS);
    if (mode !== 'copy' || !isCopied || (measure === undefined && later.length === 0)) return [];
    const part =
      later.length === 0 ? 'a part' : `the part from ${later.map((start) => secondsText(start)).join(' and ')}`;
    return {
      field: '/cut',
      code: 'KEY_FRAME_CUTS',
      message: `A copy begins at a key frame: ${part} begins earlier, at the key frame before, unless one is exactly there.`,
      fix: leaveOut('c', 'then it is cut at each frame'),
    };
  },
};

/** The most parts that a warning names. */
const MAX_STARTS = 5;

const LATE_VIDEO: Rule = {
  id: 'late-video',
  finds: 'a copy with `ss`, whose video starts at the next key frame and later than its audio',
  /** A copy whose sound starts at `ss`, and whose picture starts at the next key frame. */
  run({ facts, pass: { used, pictureDelay } }) {
    if (pictureDelay === undefined || pictureDelay <= NOTICED_SECONDS || !mayStartLate(facts, used)) return [];
    const key = facts.argv.includes('-c:v') ? 'c:v' : 'c';
    const name = facts.sentNameOf(key);
    const encoder = facts.plan.output.muxer === 'webm' ? 'libvpx-vp9' : 'libx264';
    return {
      key,
      code: 'UNEQUAL_LENGTHS',
      message: `The picture starts ${secondsText(pictureDelay)} after the sound: a copy starts at a key frame, and the next one after "ss" is there.`,
      fix: key === 'c' ? addOption('c:v', encoder) : sendOption(name, encoder),
    };
  },
  /** A copy that begins with sound alone, and whose picture begins at the next key frame. */
  files({ facts, pass }) {
    const hasSound = pass.used.some(({ input, stream }) => facts.inputStream(input, stream)?.type === 'audio');
    if (!hasSound || !mayStartLate(facts, pass.used) || !copiedPicture(facts, pass)) return [];
    return {
      key: facts.argv.includes('-c:v') ? 'c:v' : 'c',
      code: 'UNEQUAL_LENGTHS',
      message:
        'A copied picture begins at a key frame: unless one is exactly at "ss", the output begins with sound alone. With "ss" in the "parameters" of the input instead, the copy begins at the key frame before.',
      fix: encoderFix(facts),
    };
  },
};

const COPY_WITHOUT_FRAMES: Rule = {
  id: 'copy-without-frames',
  finds: 'a copied video without a frame, because the requested part has no key frame',
  run: ({ facts, pass }) => copyWithoutFrames(facts, pass),
};

export const COPY_START_RULES: readonly Rule[] = [EARLY_START, EARLY_PARTS, LATE_VIDEO, COPY_WITHOUT_FRAMES];
