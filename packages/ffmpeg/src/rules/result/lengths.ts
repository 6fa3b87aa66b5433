import { addOption, leaveOut, orElse } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { sizeText } from '@telecine/contract/domain/quantity.ts';
import { holdsOnlyCover } from '../../allowlist/containers.ts';
import { wordSet } from '../../allowlist/words.ts';
import { TIMES } from '../../filtergraph/graph.ts';
import type { InputReport } from '../../log/report.ts';
import { readPlainNumber } from '../../values/number.ts';
import { requestedSeconds } from '../../values/span-length.ts';
import { expectedSeconds } from '../facts/expected-seconds.ts';
import { type MediaFacts, secondsIn, secondsText } from '../facts/media-facts.ts';
import { type ComparedPass, encodedStreams, isCopied, isCover, ofKind, type StreamTimes } from '../facts/pass.ts';
import { type Finding, type Found, loss, type ResultContext, type Rules } from '../rule.ts';

/** An output may lack this share or these seconds (the larger one), such as when the audio of a video ends before its last frame. */
const TOLERANCE = { share: 0.05, seconds: 0.5 };

/** An output is too long if it exceeds its expected duration times this factor, plus these seconds. */
const LONG = { factor: 1.5, seconds: 1 };

/** An output larger than `fs` by this factor is reported. Tables at the end make a file a little larger. */
const CLEARLY_LARGER = 1.2;

/** In bytes. Nobody minds if a small file grows by this much. */
const SMALL_BYTES = 50_000;

/** Codecs that make videos small for players. Files of the others are for editing. */
const COMPRESSED = /^(?:h264|hevc|vp[89]|av1)$/;

/** Options that say how large an output may be. */
const ASKING_BYTES = 'crf b:v b q:v q qscale qscale:v qp preset lossless target s vf filter:v filter_complex r'.split(
  ' ',
);

/** Options that say how many bits per second an output may have. */
const ASKING_RATES = { video: ['b:v', 'b:v:0', 'maxrate', 'maxrate:v'], audio: ['b:a', 'b:a:0'] } as const;

/** A bit rate above the requested one by this factor is reported. Encoders meet a rate on average, and a short output less exactly. */
const LARGE_RATE = 1.5;
const MEASURABLE_SECONDS = 5;

const READ_KINDS: ReadonlySet<string> = new Set(['video', 'audio', 'subtitle']);

/**
 * Returns the report with the duration of the longest used stream, because the longest stream of a file, such as subtitles, may be unused.
 * If the duration of a used stream is unknown, the report has none, unless the file is damaged.
 */
function withUsedSeconds(report: InputReport, used: readonly number[], isDamaged: boolean): InputReport {
  const isWhole = report.streams.every(({ index, type }) => used.includes(index) || !READ_KINDS.has(type));
  if (isWhole || report.durationSeconds === undefined) return report;
  const { durationSeconds, ...rest } = report;
  const seconds = report.streams.flatMap((one) => (used.includes(one.index) ? (one.seconds ?? []) : []));
  if (seconds.length < used.length || seconds.length === 0) return isDamaged ? report : rest;
  return { ...rest, durationSeconds: Math.min(durationSeconds, Math.max(...seconds)) };
}

/** Returns the expected duration in seconds, from the streams that the run reads and from `ss`, `t` and `to`. */
function expectedOfUsed({ plan: { inputs, span }, inputs: reports, used, complaints }: ComparedPass) {
  const isUsed = (_one: unknown, index: number): boolean => used.some(({ input }) => input === index);
  const plan = { inputs: inputs.filter(isUsed), span: { ...span, inputs: span.inputs.filter(isUsed) } };
  const known = reports.map((report, number) => {
    const streams = used.filter(({ input }) => input === number).map(({ stream }) => stream);
    return withUsedSeconds(report, streams, (complaints?.readErrors ?? 0) > 0);
  });
  return expectedSeconds(plan, known.filter(isUsed));
}

/** Containers with edit lists, by which players skip what a copy has before `ss`. */
const HIDING: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'psp', '3gp', '3g2', 'f4v', 'ismv']);
/** Outputs of several files or without timestamps, whose start is not measured. */
const UNMEASURED =
  /^(?:hls|dash|segment|stream_segment|ssegment|image2|null|h264|hevc|adts|mp3|ac3|eac3|flac|wav|data)$/;

/** True if a copy may start before `ss`, at the key frame before that time. ffmpeg does not report the additional part. */
export function mayStartEarly(facts: MediaFacts, used: ComparedPass['used']): boolean {
  const { muxer } = facts.plan.output;
  const isHidden = HIDING.has(muxer) && !facts.has('avoid_negative_ts');
  if (isHidden || UNMEASURED.test(muxer) || facts.has('copyts')) return false;
  const [input = -1, ...others] = new Set(used.map((one) => one.input));
  const starts = (facts.plan.span.inputs[input]?.start ?? 0) > 0;
  return (
    others.length === 0 && facts.streamsOf(input, 'video').length > 0 && starts && used.some(({ copied }) => copied)
  );
}

/** True if the video may start after `ss` of the output: a copy starts only at the next key frame. */
export function mayStartLate(facts: MediaFacts, used: ComparedPass['used']): boolean {
  const [video, ...others] = facts.usedOf('video', used);
  return (facts.plan.span.output.start ?? 0) > 0 && video?.copied === true && others.length === 0;
}

/** By how many seconds a copied video starts late. Without audio, ffmpeg counts this time, and the video is shorter. */
function lateSeconds(facts: MediaFacts, { used, videoDelay = 0, videoSeconds, lastBlock }: ComparedPass): number {
  const isCopied = facts.usedOf('video', used).every(({ copied }) => copied);
  if (!mayStartLate(facts, used)) return isCopied && mayStartEarly(facts, used) ? videoDelay : 0;
  const isAlone = videoSeconds !== undefined && facts.usedOf('audio', used).length === 0;
  return isAlone ? (lastBlock?.outSeconds ?? 0) - videoSeconds : videoDelay;
}

/** Returns no times if the file has another video or audio. */
export function streamTimesOf({ streams, format }: Pick<MediaInfo, 'streams' | 'format'>): StreamTimes {
  const [video, audio] = [onlyOf(streams, 'video'), onlyOf(streams, 'audio')];
  return {
    videoSeconds: lengthOf(video),
    audioSeconds: lengthOf(audio),
    videoDelay: video.startSeconds && video.startSeconds - (format.startSeconds ?? 0),
    audioDelay: audio.startSeconds && audio.startSeconds - (format.startSeconds ?? 0),
    fileStart: format.startSeconds,
  };
}

/** The only video or audio of a file. */
function onlyOf(streams: readonly MediaStream[], wanted: MediaStream['type']): Partial<MediaStream> {
  const [only, ...others] = streams.filter((one) => one.type === wanted && one.isAttachedPicture !== true);
  return others.length > 0 ? {} : (only ?? {});
}

/** The length of a stream. In Matroska, a tag has its end. */
function lengthOf({ durationSeconds, startSeconds = 0, tags }: Partial<MediaStream>): number | undefined {
  const end = secondsIn(tags?.['DURATION']);
  return durationSeconds ?? (end && end - startSeconds);
}

/** True if filters that the client sent change times, so that the video or the audio may end before the other. */
export const changesTimes = (facts: MediaFacts): boolean => facts.usesFilter(TIMES, facts.sentGraphs);

/** Formats whose time starts at 0. Players of others start at the first time in the file. */
const COUNTS_FROM_0 = /^(?:mp4|mov|ipod|psp|3g[p2]|f4v|matroska|webm|avi|flv)$/;

/** In seconds. Viewers do not notice a smaller difference. */
const NOTICED_SECONDS = 0.5;

/** In seconds. Frames that are shown in another order than they are decoded begin later by less. */
const LATE_SECONDS = 0.12;

const ALL_KEY_FRAMES = wordSet(
  'mjpeg prores dnxhd rawvideo png ffv1 huffyuv ffvhuff utvideo v210 r210 cfhd jpeg2000 dvvideo qtrle bmp tiff gif magicyuv',
);

/** In seconds. */
const LONG_PART = 60;

export const ENCODE = orElse(addOption('c:v', 'libx264'), 'another encoder: it can start at any frame');

/** Options by which a request itself ends its output. Longer audio is then not a mistake. */
const ENDS = /^-(?:shortest|fs|vframes|d?frames(?::v(?::\d+)?)?)$/;

/** True if players show the last frame for a noticeable time. A small difference is usual, such as the last tone of a song. */
const outlasts = (audio: number, video: number): boolean => audio - video > Math.max(1, video * 0.1);

function unequalLengths({ facts, pass }: ResultContext): Finding | undefined {
  const [video, ...videos] = facts.usedOf('video', pass.used);
  const [audio, ...audios] = facts.usedOf('audio', pass.used);
  const { inputs, output } = facts.plan.span;
  const isAsked = facts.hasOption(ENDS) || [output, ...inputs].some((one) => requestedSeconds(one) !== undefined);
  if (isAsked || facts.usesFilter(TIMES) || video === undefined || audio === undefined) return undefined;
  const isShownAsCover =
    holdsOnlyCover(facts.plan.output.muxer) || isCover(facts.inputStream(video.input, video.stream));
  if (videos.length + audios.length > 0 || isShownAsCover) return undefined;
  const isOneFrame =
    facts.isStill(video.input) &&
    !facts.inputArgs(video.input).some((word) => /^-(?:loop|framerate|stream_loop)$/.test(word)) &&
    !facts.usesFilter(/^(?:zoompan|tpad|loop)$/) &&
    facts.plan.inputs[video.input]?.sequence === undefined;
  const lengthOf = ({ input, stream }: typeof video): number | undefined =>
    video.input === audio.input ? facts.inputStream(input, stream)?.seconds : facts.secondsOfInput(input);
  const [shown, heard] = [isOneFrame ? 0 : lengthOf(video), lengthOf(audio)];
  if (shown === undefined || heard === undefined || !outlasts(heard, shown)) return undefined;
  return loss({
    lost: 'picture at the end',
    code: 'UNEQUAL_LENGTHS',
    field: facts.plan.inputs[(isOneFrame ? video : audio).input]?.field ?? '',
    expected: secondsText(heard),
    actual: secondsText(shown),
    message: isOneFrame
      ? `${facts.pathOf(video.input)} is one frame beside ${secondsText(heard)} of audio: most players show it for a moment, or not at all.`
      : `The audio of ${facts.pathOf(audio.input)} lasts ${secondsText(heard)}, but the video of ${facts.pathOf(video.input)} ends after ${secondsText(shown)}: most players show its last frame until the end.`,
    fix: isOneFrame
      ? 'Send "loop": "1" in the "parameters" of the image, and "shortest": "" in those of the request.'
      : addOption('shortest', ''),
  });
}

/** Options and filters that are meant to change the length of an output, besides filters that change times. */
const LENGTH_OPTIONS =
  /^-(?:frames|itsscale|sseof|itsoffset|shortest|framerate|stream_loop|loop|skip_frame|discard|r|bsf|target)(?::|$)/;
const LENGTH_FILTERS = /^(?:fps|shuffleframes|showspectrumpic|showwavespic)$/;

/** The length of an input by its header, in seconds, if its audio has clearly more samples: ffmpeg plays parts whose times overlap one after the other. */
function overlappedSeconds({ inputs: [input, ...others], soundSeconds = 0 }: ComparedPass): number | undefined {
  const { demuxer = '', durationSeconds } = input ?? {};
  if (others.length > 0 || durationSeconds === undefined || !demuxer.startsWith('matroska')) return undefined;
  const most = durationSeconds + Math.max(TOLERANCE.seconds, 2 * TOLERANCE.share * durationSeconds);
  return soundSeconds > most ? durationSeconds : undefined;
}

const changesLength = (facts: MediaFacts): boolean =>
  facts.complexGraphs.length > 0 ||
  facts.hasOption(LENGTH_OPTIONS) ||
  facts.usesFilter(TIMES) ||
  facts.usesFilter(LENGTH_FILTERS);

export const LENGTH_RULES: Rules = {
  length: {
    finds: 'an output that is shorter or longer than its input or than asked for, or larger than `fs`',
    result({ facts, pass, isPredicted }) {
      const { plan, writtenSeconds, lastBlock } = pass;
      if (writtenSeconds === undefined || isPredicted || changesLength(facts)) return [];
      const [only = {}, ...others] = plan.span.inputs;
      const asked = requestedSeconds(plan.span.output) ?? (others.length === 0 ? requestedSeconds(only) : undefined);
      const overlapped = overlappedSeconds(pass);
      const wanted = asked ?? expectedOfUsed(pass) ?? overlapped;
      if (wanted === undefined) return [];
      const { frame = 0, totalBytes = 0 } = lastBlock ?? {};
      const [expected, actual] = [secondsText(wanted), secondsText(writtenSeconds)];
      const told = (code: string, message: string, fix: Hint, key?: string): Finding =>
        loss({ lost: 'length', expected, actual, code, message, fix, ...(key !== undefined && { key }) });
      const isShort = wanted - writtenSeconds > Math.max(TOLERANCE.seconds, wanted * TOLERANCE.share);
      if (facts.has('fs')) {
        const limit = readPlainNumber(facts.argumentOf('fs') ?? '') ?? Number.POSITIVE_INFINITY;
        const lower = 'Send a lower bit rate ("b:v")';
        const cut = `"fs" stopped the output: it has ${actual} of ${expected}.`;
        if (isShort)
          return told('SHORT_OUTPUT', cut, `${lower} with which the whole input fits, or leave "fs" out.`, 'fs');
        const large = `The output has ${totalBytes} bytes, although "fs" asks for ${limit}: ffmpeg wrote all of it before it compared the size.`;
        const of = { lost: 'size limit', key: 'fs', code: 'LARGE_OUTPUT', expected: limit, actual: totalBytes };
        return totalBytes > limit * CLEARLY_LARGER ? [loss({ ...of, message: large, fix: `${lower}.` })] : [];
      }
      if (isShort && asked !== undefined)
        return plan.warnings.some(({ field }) => field === '/parameters/to') || lateSeconds(facts, pass) > LATE_SECONDS
          ? []
          : told(
              'SHORT_OUTPUT',
              `The output has ${actual}, but the request asks for ${expected}: the input ends before.`,
              'Send a "t" or "to" within the input, or leave it out. Times are in seconds.',
            );
      if (isShort)
        return told(
          'SHORT_OUTPUT',
          `The output has ${actual}, but the input has ${expected}: it is probably cut off, or damaged.`,
          'Send the complete file again: a file that was copied or downloaded in part ends before its header says.',
        );
      if (mayStartEarly(facts, pass.used) && writtenSeconds - wanted > NOTICED_SECONDS)
        return told(
          'LONG_OUTPUT',
          `The output has ${actual}, not ${expected}: a copy starts at the key frame before "ss", and this one ${secondsText(writtenSeconds - wanted)} early.`,
          ENCODE,
          ['c', 'c:v', 'c:a'].find((one) => facts.has(one)) ?? 'c',
        );
      // An output of audio alone is not compared: the duration of its input may be an estimate.
      const isLong = frame > 0 && others.length === 0 && writtenSeconds > wanted * LONG.factor + LONG.seconds;
      return (isLong || overlapped !== undefined) && facts.usedOf('audio').length > 0
        ? told(
            'LONG_OUTPUT',
            `The output has ${actual}, but ${facts.pathOf(0)} has ${expected}: the times of one of its streams are damaged.`,
            'Send the file again, undamaged, or "an": "" to leave the audio out.',
          )
        : [];
    },
  },

  'larger-file': {
    finds: 'a video for players whose file is clearly larger than that of its source',
    result({ facts, pass }) {
      const { durationSeconds = 0, bitRate = 0 } = facts.inputs.length === 1 ? (facts.inputs[0] ?? {}) : {};
      const [before, after = 0] = [durationSeconds * bitRate * 125, pass.lastBlock?.totalBytes];
      // A newer codec, a larger frame or a higher rate asks for more bytes.
      const isAlike = encodedStreams(pass, 'video').some(
        ({ from, to }) =>
          COMPRESSED.test(to.codec) &&
          to.codec === from.codec &&
          (to.height ?? 0) <= (from.height ?? 0) &&
          (to.fps ?? 0) <= (from.fps ?? 0) + 1,
      );
      const isLonger = (pass.writtenSeconds ?? 0) > durationSeconds + NOTICED_SECONDS;
      if (before === 0 || after < before * CLEARLY_LARGER + SMALL_BYTES || !isAlike || isLonger) return [];
      return loss({
        lost: 'size of the file',
        field: facts.plan.inputs[0]?.field ?? '',
        code: 'LARGE_OUTPUT',
        expected: sizeText(before),
        actual: sizeText(after),
        message: `The output has ${sizeText(after)}, and ${facts.pathOf(0)} only ${sizeText(before)}: encoding it again does not improve it.`,
        fix: 'Send a higher "crf" or a lower bit rate ("b:v"), or "c": "copy", which changes only the container.',
        askedBy: ASKING_BYTES.map((name) => `/parameters/${name}`),
      });
    },
  },

  'bit-rate': {
    finds: 'video or audio whose bit rate is far above the one that the request asks for',
    result: ({ facts, pass }) =>
      (['video', 'audio'] as const).flatMap((kind): Found => {
        const { writtenSeconds: seconds = 0, complaints } = pass;
        const [only, ...others] = ofKind(pass.outputStreams, kind).filter((one) => !isCover(one));
        const bytes = complaints?.written?.[kind] ?? 0;
        if (only === undefined || others.length > 0 || isCopied(pass, only.index) || seconds < MEASURABLE_SECONDS)
          return [];
        // 0 means "no limit".
        const asked = ASKING_RATES[kind].flatMap((key) => {
          const bits = readPlainNumber(facts.argumentOf(key) ?? '') ?? 0;
          return bits > 0 ? [{ key, bits }] : [];
        });
        const [least] = asked.toSorted((a, b) => a.bits - b.bits);
        const actual = (bytes * 8) / seconds;
        if (least === undefined || actual <= least.bits * LARGE_RATE) return [];
        return loss({
          lost: 'bit rate',
          key: least.key,
          code: 'LARGE_OUTPUT',
          expected: least.bits,
          actual: Math.round(actual),
          message: `"${facts.sentNameOf(least.key)}" asks for ${least.bits} bits per second, and the ${kind} has ${Math.round(actual)}: its encoder cannot write so few, or another option controls it.`,
          fix: 'Send either a bit rate or a quality ("crf", "q"), and "maxrate" with "bufsize".',
        });
      }),
  },

  'late-video': {
    finds: 'a copy with `ss`, whose video starts later than the rest of it',
    result({ facts, pass }) {
      const late = lateSeconds(facts, pass);
      if (late <= LATE_SECONDS) return [];
      return loss({
        lost: 'start of the video',
        key: facts.has('c:v') ? 'c:v' : 'c',
        code: 'UNEQUAL_LENGTHS',
        expected: secondsText(0),
        actual: secondsText(late),
        message: `The video starts ${secondsText(late)} after the start of the output: a copy of it starts at a key frame.`,
        fix: ENCODE,
      });
    },
  },

  'late-streams': {
    finds: 'video or audio that begins later than the output, because a filter that selects a part keeps its times',
    result({ facts, pass: { videoDelay, audioDelay, fileStart = 0 } }) {
      const isAsked = facts.hasOption(/^-(?:copyts|output_ts_offset|itsoffset)$/);
      // Other filters may delay a stream on purpose.
      if (isAsked || !facts.usesFilter(/^a?(?:trim|select|segment)$/, facts.sentGraphs)) return [];
      const before = COUNTS_FROM_0.test(facts.plan.output.muxer) ? fileStart : 0;
      return Object.entries({ video: videoDelay, audio: audioDelay }).flatMap(([kind, delay]) => {
        const seconds = delay === undefined ? 0 : before + delay;
        if (seconds <= NOTICED_SECONDS) return [];
        return loss({
          lost: `start of the ${kind}`,
          key: facts.graphs[0]?.key ?? '',
          code: 'LATE_START',
          expected: secondsText(0),
          actual: secondsText(seconds),
          message: `The ${kind} begins ${secondsText(seconds)} after the start of the output: the filters keep the times of the part.`,
          fix: `Add the filter ${kind === 'video' ? '' : 'a'}setpts=PTS-STARTPTS after the one that selects the part, or send "ss" and "t" instead.`,
        });
      });
    },
  },

  'unequal-lengths': {
    finds: 'audio that lasts longer than the video that it is for',
    result(context) {
      const { facts, pass } = context;
      const { audioSeconds: audio = pass.videoSeconds ?? 0, videoSeconds: video = audio } = pass;
      const isUneven =
        Math.max(video, audio) - Math.min(video, audio) > Math.max(NOTICED_SECONDS, 0.1 * Math.min(video, audio));
      if (!isUneven || !changesTimes(facts)) return unequalLengths(context) ?? [];
      return loss({
        lost: video < audio ? 'picture at the end' : 'sound at the end',
        key: facts.graphs[0]?.key ?? 'filter:v',
        code: 'UNEQUAL_LENGTHS',
        expected: secondsText(Math.max(video, audio)),
        actual: secondsText(Math.min(video, audio)),
        message: `The video of the output lasts ${secondsText(video)}, and its audio ${secondsText(audio)}: filters change their times differently.`,
        fix: 'Change the times of the other one in the same way ("setpts" with "atempo", "trim" with "atrim"), or leave it out.',
      });
    },
  },

  'key-frame-cuts': {
    finds: 'a copy of parts, which begin at key frames and not at each frame',
    result({ facts, isPredicted }) {
      if (!isPredicted) return [];
      const { cut, output, span } = facts.plan;
      const [video] = facts.streamsOf(0, 'video');
      if (video === undefined || ALL_KEY_FRAMES.has(video.codec)) return [];
      const isCut =
        cut?.mode === 'copy' && (cut.measure !== undefined || (cut.starts ?? []).some((start) => start > 0));
      // In long parts, a late key frame hardly matters.
      const isShort =
        facts.has('segment_times') || (secondsIn(facts.argumentOf('segment_time')) ?? LONG_PART) < LONG_PART;
      const isSplit = output.muxer === 'segment' && isShort && facts.copiesVideo && !facts.has('break_non_keyframes');
      const isLate = !isCut && (span.output.start ?? 0) > 0 && facts.copiesVideo && facts.usedOf('audio').length > 0;
      if (!isCut && !isSplit && !isLate) return [];
      return {
        ...(isCut ? { field: '/cut' } : { key: facts.has('c:v') ? 'c:v' : 'c' }),
        code: 'KEY_FRAME_CUTS',
        message: `A copy begins at a key frame: ${isLate ? 'unless one is exactly at "ss", the output begins with audio alone. With "ss" in the "parameters" of the input, it begins at the key frame before.' : 'a part begins earlier or later than asked for, unless one is exactly there.'}`,
        fix: isCut ? leaveOut('c', 'then it is cut at each frame') : ENCODE,
      };
    },
  },
};
