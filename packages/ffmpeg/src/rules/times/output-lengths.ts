import { type Edits, leaveOut, orElse, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import type { InputReport } from '../../log/report.ts';
import { isMilliseconds } from '../../values/duration.ts';
import { readPlainNumber } from '../../values/number.ts';
import { requestedSeconds } from '../../values/span-length.ts';
import { type Rules, type RunContext, type RunFindings, shortOutput } from '../contexts.ts';
import { isCopied, isCover, ofKind } from '../facts/converted-streams.ts';
import type { FinishedPass } from '../facts/finished-pass.ts';
import { KINDS, type MediaFacts, secondsText } from '../facts/media-facts.ts';
import { expectedSeconds } from '../facts/output-duration.ts';

/** An output may lack this share or these seconds (the larger one), such as when the audio of a video ends before its last frame. */
const TOLERANCE = 0.05;
const TOLERANCE_SECONDS = 0.5;

/** Returns the fix for a `t` or `to` that is longer than the input. It may be in milliseconds: 5000 for a video of 30 s. */
function endFix(facts: MediaFacts, asked: number, written: number): Edits {
  const { inputs, output } = facts.plan.span;
  const cut = requestedSeconds(output) === undefined ? (inputs[0] ?? {}) : output;
  const whole: Edits = {
    edits: ['t', 'to'].filter((name) => facts.has(name)).map((name) => ({ do: 'remove', name })),
    why: 'then the output ends with the input',
  };
  if (cut.start !== undefined || !isMilliseconds(asked) || asked / 1000 >= written) return whole;
  const meant = sendOption(cut.duration === undefined ? 'to' : 't', `${asked / 1000}`);
  return orElse({ ...meant, why: 'times are in seconds' }, whole);
}

/** Returns the expected duration in seconds, from the streams that the run reads and from `ss`, `t` and `to`. */
function expectedOfUsed({ plan: { inputs, span }, inputs: reports, used, complaints }: FinishedPass) {
  const isUsed = (_one: unknown, index: number): boolean => used.some(({ input }) => input === index);
  const plan = { inputs: inputs.filter(isUsed), span: { ...span, inputs: span.inputs.filter(isUsed) } };
  const known = reports.map((report, number) => {
    const streams = used.filter(({ input }) => input === number).map(({ stream }) => stream);
    return withUsedSeconds(report, streams, complaints.readErrors > 0);
  });
  return expectedSeconds(plan, known.filter(isUsed));
}

const READ_KINDS: ReadonlySet<string> = new Set(KINDS);

/**
 * Returns the report with the duration of the longest used stream, because the longest stream of a file, such as subtitles, may be unused.
 * If the duration of a used stream is unknown, the report has none, unless the file is damaged.
 */
function withUsedSeconds(report: InputReport, used: readonly number[], isDamaged: boolean): InputReport {
  const isWhole = report.streams.every(({ index, type }) => used.includes(index) || !READ_KINDS.has(type));
  if (isWhole || report.durationSeconds === undefined) return report;
  const { durationSeconds, ...rest } = report;
  const seconds = used.flatMap((stream) => report.streamSeconds?.get(stream) ?? []);
  if (seconds.length < used.length || seconds.length === 0) return isDamaged ? report : rest;
  return { ...rest, durationSeconds: Math.min(durationSeconds, Math.max(...seconds)) };
}

/** Returns `fs` in bytes (`limit`), and as text (`value`): as sent, or in bytes if it ends in `B`: ffmpeg reads `1MB` differently. */
function sizeLimit(facts: MediaFacts): { readonly value: string; readonly limit: number } {
  const value = facts.argumentOf('fs') ?? '';
  const limit = readPlainNumber(value) ?? 0;
  return { value: value.endsWith('B') ? String(limit) : value, limit };
}

/** An output larger than `fs` by this factor is reported. Tables at the end make a file a little larger. */
const CLEARLY = 1.2;

/** Warns about a complete output above `fs`: ffmpeg checks the size only after each block, which in Matroska lasts 5 s. */
function largeOutput(context: RunContext, seconds: number): RunFindings {
  const { value, limit } = sizeLimit(context.facts);
  const size = context.pass.lastBlock?.totalBytes ?? 0;
  if (limit <= 0 || size <= limit * CLEARLY) return undefined;
  return {
    key: 'fs',
    code: 'LARGE_OUTPUT',
    message: `The output has ${size} bytes, although "fs" asks for ${value}: ffmpeg wrote all of it before it compared the size.`,
    fix: fittingRates(context, limit / seconds),
  };
}

/** Frames in the buffers of encoders make an output a little larger than the `fs` that cut it off, but not by this factor. */
const CLEARLY_IF_CUT = 2;

/** Warns about an output that `fs` cut off. `wanted`: the duration without `fs`, in seconds. */
function cutBySize(context: RunContext, written: number, wanted: number): RunFindings {
  const { value, limit } = sizeLimit(context.facts);
  const size = context.pass.lastBlock?.totalBytes ?? 0;
  const where = size > limit * CLEARLY_IF_CUT ? `only at ${size} bytes, not at ${value}` : `at ${value} bytes`;
  return shortOutput(
    `"fs" stopped the output ${where}: it has ${secondsText(written)} of ${secondsText(wanted)}, and the last ${secondsText(wanted - written)} are missing.`,
    fittingRates(context, limit / wanted),
    { key: 'fs' },
  );
}

const LOSSY: Readonly<Record<string, ReadonlySet<string>>> = {
  video: new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4']),
  audio: new Set(['aac', 'mp3', 'opus', 'vorbis', 'ac3', 'eac3']),
};
/** Codecs whose encoders support two passes in this service. */
const TWO_PASSES: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'mpeg4']);

/** The share of a file that its streams may fill. The rest is for the container, and for encoders that miss their bit rate. */
const STREAMS = 0.9;
/** In kb/s: the usual bit rate of audio, and the lowest acceptable rates. `share`: the share of the total that audio may take. */
const AUDIO = { usual: 128, share: 0.2, min: 16 };
const MIN_VIDEO = 20;

/** Returns the fix with bit rates for which the whole input fits into `fs`. */
function fittingRates({ facts, pass }: RunContext, bytesPerSecond: number): Edits {
  const withoutLimit = leaveOut('fs', 'then the output has the whole input');
  const isEncoded = pass.outputStreams.every(
    ({ index, type, codec }) => LOSSY[type]?.has(codec) === true && !isCopied(pass, index),
  );
  const [video, ...videos] = ofKind(pass.outputStreams, 'video');
  const [audio, ...audios] = ofKind(pass.outputStreams, 'audio');
  if (!isEncoded || videos.length + audios.length > 0) return withoutLimit;
  const total = Math.floor((bytesPerSecond * 8 * STREAMS) / 1000);
  const most = Math.floor(video === undefined ? total : total * AUDIO.share);
  const ofAudio = audio === undefined ? 0 : Math.min(AUDIO.usual, most);
  const ofVideo = total - ofAudio;
  if ((video !== undefined && ofVideo < MIN_VIDEO) || (audio !== undefined && ofAudio < AUDIO.min)) return withoutLimit;
  const { edits: rates } = sendMembers({
    ...(video !== undefined && { 'b:v': `${ofVideo}k` }),
    ...(audio !== undefined && { 'b:a': `${ofAudio}k` }),
    ...(video !== undefined && TWO_PASSES.has(video.codec) && { pass: '2' }),
  });
  const others = ['crf', 'qp', 'q:v', 'q:a'].filter((name) => facts.has(name));
  const left = ['fs', ...others].map((name) => ({ do: 'remove', name: facts.sentNameOf(name) }) as const);
  return { edits: [...rates, ...left], why: 'the whole input then has this size' };
}

/** An output is too long if it exceeds its expected duration times this factor, plus `LONG_SECONDS`. */
const LONG_FACTOR = 1.5;
const LONG_SECONDS = 1;
/** If the frames are as many as duration times frame rate, within these factors, only the times are wrong. */
const SHARE = { min: 0.7, max: 1.3 };
/** Usual frame rates, for a file whose frame rate is unknown. */
const RATES = { min: 12, max: 121 };

export const OUTPUT_LENGTH_RULES: Rules = {
  'short-output': {
    finds: 'an output that is shorter than its input or than asked for, or larger than `fs`',
    run(context) {
      const { facts, pass, options } = context;
      const { plan, writtenSeconds } = pass;
      if (writtenSeconds === undefined || options.changesDuration) return [];
      const [only = {}, ...others] = plan.span.inputs;
      const asked = requestedSeconds(plan.span.output) ?? (others.length === 0 ? requestedSeconds(only) : undefined);
      const wanted = asked ?? expectedOfUsed(pass);
      if (wanted === undefined) return [];
      if (wanted - writtenSeconds <= Math.max(TOLERANCE_SECONDS, wanted * TOLERANCE))
        return options.has('fs') ? largeOutput(context, wanted) : [];
      // `end-after-seek` already warned about this `to`.
      const isPlanned = plan.warnings.some(({ field, code }) => code === 'UNUSUAL_VALUE' && field === '/parameters/to');
      if (asked !== undefined && isPlanned) return [];
      if (options.has('fs')) return cutBySize(context, writtenSeconds, wanted);
      return asked === undefined
        ? shortOutput(
            `The output has ${secondsText(writtenSeconds)}, but the input has ${secondsText(wanted)}: it is probably cut off, or damaged.`,
            'Send the complete file again: a file that was copied or downloaded in part ends before its header says.',
          )
        : shortOutput(
            `The output has ${secondsText(writtenSeconds)}, but the request asks for ${secondsText(wanted)}: the input ends before.`,
            endFix(facts, asked, writtenSeconds),
          );
    },
  },

  /**
   * If the times of the audio jump, ffmpeg shifts all streams with them: the output becomes far longer with the same number of frames. An
   * output of audio alone is not checked: the duration of its input may be an estimate, or be that of the last part of a recording.
   */
  'long-output': {
    finds: 'an output that is far longer than its input, because the times of the audio are damaged',
    supersedes: ['uneven-frames'],
    run({ facts, pass, options }) {
      const { plan, inputs, writtenSeconds } = pass;
      const { frame = 0, repeatedFrames = 0 } = pass.lastBlock ?? {};
      const [planned, ...others] = plan.inputs;
      if (writtenSeconds === undefined || options.changesDuration || planned === undefined || others.length > 0)
        return [];
      const expected = expectedSeconds(plan, inputs);
      if (expected === undefined || writtenSeconds <= expected * LONG_FACTOR + LONG_SECONDS) return [];
      const read = (['video', 'audio'] as const).map((kind) =>
        facts.usedOf(kind).flatMap(({ input, stream }) => facts.inputStream(input, stream) ?? []),
      );
      const [[video, ...videos] = [], [audio] = []] = read;
      if (video === undefined || audio === undefined || videos.length > 0 || isCover(video)) return [];
      const rate = (frame - repeatedFrames) / expected;
      const { min, max } = video.fps === undefined ? RATES : SHARE;
      const fits = video.fps === undefined ? rate : rate / video.fps;
      if (fits < min || fits > max) return [];
      return {
        field: planned.field,
        code: 'LONG_OUTPUT',
        message: `The output has ${secondsText(writtenSeconds)}, but ${facts.pathOf(0)} has ${secondsText(expected)}: the times of its audio (0:${audio.index}, ${audio.codec}) are damaged.`,
        fix: 'Send "an": "" to leave the audio out, or the file again, undamaged.',
      };
    },
  },
};
