import { addOption, type Edit, leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import type { MediaStream } from '@telecine/contract/domain/media-info.ts';
import { wordSet } from '../../allowlist/words.ts';
import { emptyStream, type Rules, type RunFindings, type RunWarning, unequalLengths } from '../contexts.ts';
import { isCopied, ofKind } from '../facts/converted-streams.ts';
import type { FinishedPass, ForeseenPass, StreamFacts } from '../facts/finished-pass.ts';
import { type MediaFacts, secondsText } from '../facts/media-facts.ts';
import { expectedSeconds } from '../facts/output-duration.ts';

/** Containers with edit lists, by which players skip what a copy has before `ss`. */
const HIDING: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'psp', '3gp', '3g2', 'f4v', 'ismv']);
/** Outputs of several files or without timestamps, whose start is not measured. */
const UNMEASURED =
  /^(?:hls|dash|segment|stream_segment|ssegment|image2|null|h264|hevc|adts|mp3|ac3|eac3|flac|wav|data)$/;

/** True if a copy may start before `ss`, at the key frame before that time. ffmpeg does not report the additional part. */
export function mayStartEarly(facts: MediaFacts, used: FinishedPass['used']): boolean {
  const { muxer } = facts.plan.output;
  const isHidden = HIDING.has(muxer) && !facts.has('avoid_negative_ts');
  if (isHidden || UNMEASURED.test(muxer) || facts.has('copyts')) return false;
  const [input = -1, ...others] = new Set(used.map((one) => one.input));
  const starts = (facts.plan.span.inputs[input]?.start ?? 0) > 0;
  return (
    others.length === 0 && facts.streamsOf(input, 'video').length > 0 && starts && used.some(({ copied }) => copied)
  );
}

/** Returns the encoders that replace a copy. WebM needs its own, because it does not hold H.264 and AAC like the other containers. */
const encodersFor = ({ plan }: MediaFacts): Readonly<Record<'video' | 'audio', string>> =>
  plan.output.muxer === 'webm' ? { video: 'libvpx-vp9', audio: 'libopus' } : { video: 'libx264', audio: 'aac' };

/** In seconds. Viewers do not notice a smaller difference. */
const NOTICED_SECONDS = 0.5;

/** `videoDelay`: the seconds from the start of the audio to the start of the video. undefined: ffprobe does not report them. */
export interface VideoDelay {
  readonly videoDelay?: number | undefined;
}

export function videoDelayOf(streams: readonly MediaStream[]): number | undefined {
  const startsOf = (wanted: MediaStream['type']): readonly number[] =>
    streams.flatMap(({ type, startSeconds, isAttachedPicture }) =>
      type === wanted && startSeconds !== undefined && isAttachedPicture !== true ? [startSeconds] : [],
    );
  const [video, ...videos] = startsOf('video');
  const [audio, ...audios] = startsOf('audio');
  const areSingle = videos.length + audios.length === 0;
  return video === undefined || audio === undefined || !areSingle ? undefined : video - audio;
}

/** True if the video may start after `ss` of the output: a copy starts only at the next key frame. */
export function mayStartLate(facts: MediaFacts, used: FinishedPass['used']): boolean {
  const [video, ...others] = facts.usedOf('video', used);
  return (facts.plan.span.output.start ?? 0) > 0 && video?.copied === true && others.length === 0;
}

/** Finds a copied video without frames: after `ss`, there is no key frame at which it could start. */
export function copyWithoutFrames(facts: MediaFacts, pass: StreamFacts): readonly RunWarning[] {
  const { lastBlock, used, outputStreams } = pass;
  const videos = facts.usedOf('video', used);
  if (lastBlock?.frame !== 0 || ofKind(outputStreams, 'video').length === 0) return [];
  if (videos.length === 0 || !videos.every(({ copied }) => copied)) return [];
  return [
    emptyStream(
      'The output has a video stream without a frame: a copy can start only at a key frame, and the requested part has none.',
      orElse(addOption('c:v', 'libx264'), '"ss" with the input: it starts at the key frame before'),
      { key: 'c' },
    ),
  ];
}

const ALL_KEY_FRAMES = wordSet(
  'mjpeg prores dnxhd rawvideo png ffv1 huffyuv ffvhuff utvideo v210 r210 cfhd jpeg2000 dvvideo qtrle bmp tiff gif magicyuv',
);

/** True if the run copies a video in which not every frame is a key frame. */
export const copiesVideoAtKeyFrames = (facts: MediaFacts, { used }: Pick<ForeseenPass, 'used'>): boolean =>
  facts
    .usedOf('video', used)
    .some(({ input, stream, copied }) => copied && !ALL_KEY_FRAMES.has(facts.inputStream(input, stream)?.codec ?? ''));

const MAX_STARTS = 5;

/** Warns about a copy whose audio starts at `ss` and whose video starts at the next key frame. */
function lateVideo(facts: MediaFacts, message: string): RunFindings {
  const key = facts.has('c:v') ? 'c:v' : 'c';
  const encoder = encodersFor(facts).video;
  const fix = key === 'c' ? addOption('c:v', encoder) : sendOption(facts.sentNameOf(key), encoder);
  return unequalLengths(message, fix, { key });
}

export const COPY_START_RULES: Rules = {
  'early-start': {
    finds: 'a copy that starts clearly before `ss`, at a key frame',
    supersedes: ['long-output', 'uneven-frames'],
    run({ facts, pass, options }) {
      const { used, writtenSeconds, outputStreams, plan, inputs } = pass;
      if (writtenSeconds === undefined || options.changesDuration || !mayStartEarly(facts, used)) return [];
      const wanted = expectedSeconds(plan, inputs);
      const early = writtenSeconds - (wanted ?? writtenSeconds);
      if (wanted === undefined || early <= NOTICED_SECONDS) return [];
      const start = plan.span.inputs[used[0]?.input ?? -1]?.start ?? 0;
      const copied = (['video', 'audio'] as const).filter((kind) =>
        ofKind(outputStreams, kind).some(({ index }) => isCopied(pass, index)),
      );
      const key = ['c', ...copied.map((kind) => `c:${kind.charAt(0)}`)].find((one) => facts.has(one));
      if (key === undefined) return [];
      const isForOthers = outputStreams.some(({ type }) => type !== 'video' && type !== 'audio');
      const isReplaced = key === 'c' && !isForOthers;
      const sent = copied.map(
        (kind): Edit => ({
          do: key === 'c' && isForOthers ? 'add' : 'send',
          name: `c:${kind.charAt(0)}`,
          value: encodersFor(facts)[kind],
        }),
      );
      return {
        key,
        code: 'LONG_OUTPUT',
        message: `The output has ${secondsText(writtenSeconds)}, not ${secondsText(wanted)}: a copy starts at the key frame before "ss", and this one ${secondsText(early)} early, at ${secondsText(Math.max(0, start - early))} of the input.`,
        fix: {
          edits: [...sent, ...(isReplaced ? [{ do: 'remove', name: facts.sentNameOf('c') } as const] : [])],
          why: 'then the output starts exactly at "ss"',
        },
      };
    },
  },

  'early-parts': {
    finds: 'a part of a copied `cut` that begins earlier than asked for, at a key frame',
    cut({ facts }) {
      const { mode, measure, starts = [] } = facts.plan.cut ?? {};
      const [video] = facts.streamsOf(0, 'video');
      const later = starts.filter((start) => start > 0).slice(0, MAX_STARTS);
      if (mode !== 'copy' || video === undefined || (measure === undefined && later.length === 0)) return [];
      if (ALL_KEY_FRAMES.has(video.codec)) return [];
      const part =
        later.length === 0 ? 'a part' : `the part from ${later.map((start) => secondsText(start)).join(' and ')}`;
      return {
        field: '/cut',
        code: 'KEY_FRAME_CUTS',
        message: `A copy begins at a key frame: ${part} begins earlier, at the key frame before, unless one is exactly there.`,
        fix: leaveOut('c', 'then it is cut at each frame'),
      };
    },
  },

  'late-video': {
    finds: 'a copy with `ss`, whose video starts at the next key frame and later than its audio',
    run({ facts, pass: { used, videoDelay = 0 } }) {
      if (videoDelay <= NOTICED_SECONDS || !mayStartLate(facts, used)) return [];
      return lateVideo(
        facts,
        `The video starts ${secondsText(videoDelay)} after the audio: a copy starts at a key frame, and the next one after "ss" is there.`,
      );
    },
    files({ facts, pass }) {
      const hasAudio = facts.usedOf('audio', pass.used).length > 0;
      if (!hasAudio || !mayStartLate(facts, pass.used) || !copiesVideoAtKeyFrames(facts, pass)) return [];
      return lateVideo(
        facts,
        'A copied video begins at a key frame: unless one is exactly at "ss", the output begins with audio alone. With "ss" in the "parameters" of the input instead, the copy begins at the key frame before.',
      );
    },
  },

  'copy-without-frames': {
    finds: 'a copied video without a frame, because the requested part has no key frame',
    run: ({ facts, pass }) => copyWithoutFrames(facts, pass),
  },
};
