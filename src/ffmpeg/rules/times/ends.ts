import { type Edits, leaveOut, orElse, sendMembers, sendOption } from '../../../domain/edit.ts';
import type { OutputStream } from '../../../domain/job.ts';
import { extension } from '../../../domain/media-path.ts';
import type { InputReport } from '../../log/report.ts';
import { lastValue, readTrim } from '../../plan/request/argv-option.ts';
import { isFilmExtension } from '../../plan/request/format-names.ts';
import { isMilliseconds } from '../../values/duration.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import { KINDS, type MediaFacts, secondsText } from '../facts/media-facts.ts';
import { expectedSeconds, requestedSeconds } from '../facts/output-duration.ts';

const DURATION_AND_END: Rule = {
  id: 'duration-and-end',
  finds: 'both `t` and `to` for the end of the output',
  about: ['to'],
  plan({ options }) {
    const to = options.find(({ key }) => key === 'to');
    if (to === undefined || !options.some(({ key }) => key === 't')) return [];
    return {
      field: to.field,
      code: 'NO_EFFECT',
      message: '"t" and "to" both set the end of the output; ffmpeg uses "t".',
      fix: orElse(leaveOut('to'), leaveOut('t')),
    };
  },
};

const END_BEFORE_START: Rule = {
  id: 'end-before-start',
  finds: '`to` that is not after `ss`',
  about: ['to'],
  plan({ options }) {
    const { start, end } = readTrim(options);
    const to = options.find(({ key }) => key === 'to');
    if (to === undefined || start === undefined || end === undefined || end > start) return [];
    return {
      field: to.field,
      code: 'NO_EFFECT',
      message: `"to" is the position where the output ends, and ${to.values[0]} is not after "ss". For a duration, send "t".`,
      fix: sendOption('t', to.values[0] ?? ''),
    };
  },
};

const seconds = (value: number): string => String(Number(value.toFixed(6)));

/**
 * Warns about `to` of the output beside `ss` of an input: ffmpeg counts it from the start of the output, which is at `ss`,
 * so it is a duration. People mean a position in the input if it is after `ss`.
 */
const END_AFTER_SEEK: Rule = {
  id: 'end-after-seek',
  finds: '`to` of the output beside `ss` of an input, so that `to` is a duration',
  about: ['to'],
  plan({ options, opened: inputs }) {
    const to = options.find(({ key }) => key === 'to');
    const { start: ownStart, duration, end } = readTrim(options);
    // With `copyts`, the times of the input go on in the output.
    if (to === undefined || end === undefined || duration !== undefined || ownStart !== undefined) return [];
    if (options.some(({ key }) => key === 'copyts')) return [];
    const starts = new Set(inputs.flatMap((input) => lastValue('ss', input.options) ?? []));
    const input = inputs.find((one) => lastValue('ss', one.options) !== undefined);
    const trim = readTrim(input?.options ?? []);
    if (input === undefined || starts.size !== 1 || trim.start === undefined || trim.start <= 0) return [];
    if (trim.duration !== undefined || trim.end !== undefined || end <= trim.start) return [];
    const { path } = input.source;
    return {
      field: to.field,
      code: 'UNUSUAL_VALUE',
      message: `"to" counts from the start of the output, which is at ${seconds(trim.start)} s of "${path}" (its "ss"), so the output ends at ${seconds(trim.start + end)} s of it. For a duration, send "t".`,
      fix: sendOption('t', seconds(end - trim.start)),
    };
  },
};

const INEFFECTIVE_ITSOFFSET: Rule = {
  id: 'ineffective-itsoffset',
  finds: '`itsoffset` of the only input, which moves video and audio together',
  about: ['itsoffset'],
  plan({ opened: inputs }) {
    const [only, ...others] = inputs;
    const option = only?.options.find(({ name }) => name.name === 'itsoffset');
    if (only === undefined || option === undefined || others.length > 0) return [];
    const { path } = only.source;
    // Subtitles alone are moved on purpose.
    if (!isFilmExtension(extension(path))) return [];
    const seconds = option.values[0] ?? '';
    const shifted = [path, { input: path, parameters: { itsoffset: seconds } }];
    return {
      field: option.field,
      code: 'NO_EFFECT',
      message: '"itsoffset" moves picture and sound of its input together, so nothing changes between them.',
      fix: `To delay the sound, leave it out, and send "inputs": ${JSON.stringify(shifted)} and "map": ["0:v","1:a"] in "parameters".`,
    };
  },
};

/** The field of a request that says where its output ends. */
const END = '/parameters/to';

const IN_SECONDS = 'times are in seconds';

/** An output may lack this part, for example because the sound of a film ends earlier than its picture. */
const TOLERANCE = 0.05;
const TOLERANCE_SECONDS = 0.5;

const SHORT_OUTPUT: Rule = {
  id: 'short-output',
  finds: 'an output that is shorter than its input or than asked for, or larger than `fs`',
  run({ facts, pass, options }) {
    const { plan, writtenSeconds } = pass;
    if (writtenSeconds === undefined || options.changesDuration) return [];
    const [only = {}, ...others] = plan.span.inputs;
    const asked = requestedSeconds(plan.span.output) ?? (others.length === 0 ? requestedSeconds(only) : undefined);
    const wanted = asked ?? expectedOfUsed(pass);
    if (wanted === undefined) return [];
    if (wanted - writtenSeconds <= Math.max(TOLERANCE_SECONDS, wanted * TOLERANCE))
      return options.has('fs') ? largeOutput(facts, pass, wanted) : [];
    // The plan has said that this end is probably not meant, and which end is meant.
    if (asked !== undefined && plan.warnings.some(({ field, code }) => code === 'UNUSUAL_VALUE' && field === END))
      return [];
    if (options.has('fs')) return [cutBySize(facts, pass, writtenSeconds, wanted)];
    return {
      code: 'SHORT_OUTPUT',
      message:
        asked === undefined
          ? `The output has ${secondsText(writtenSeconds)}, but the input has ${secondsText(wanted)}: it is probably cut off, or damaged.`
          : `The output has ${secondsText(writtenSeconds)}, but the request asks for ${secondsText(wanted)}: the input ends before.`,
      fix:
        asked === undefined
          ? 'Send the complete file again: a file that was copied or downloaded in part ends before its header says.'
          : endFix(facts, asked, writtenSeconds),
    };
  },
};

/** The fix for a duration that an input does not have. The value may be in milliseconds: 5000 for a video of 30 s. */
function endFix({ argv, plan: { span } }: MediaFacts, asked: number, written: number): Edits {
  const [input] = span.inputs;
  const cut = requestedSeconds(span.output) === undefined ? (input ?? {}) : span.output;
  const isMeant = cut.start === undefined && isMilliseconds(asked) && asked / 1000 < written;
  const whole: Edits = {
    edits: ['t', 'to'].filter((name) => argv.includes(`-${name}`)).map((name) => ({ do: 'remove', name })),
    why: 'then the output ends with the input',
  };
  return isMeant
    ? orElse({ ...sendOption(cut.duration === undefined ? 'to' : 't', `${asked / 1000}`), why: IN_SECONDS }, whole)
    : whole;
}

/** The expected duration in seconds, from the streams that are read and from the trim options. */
function expectedOfUsed({
  plan: { inputs, span },
  inputs: reports,
  used,
  complaints,
}: FinishedPass): number | undefined {
  const numbers = new Set(used.map(({ input }) => input));
  const isUsed = (_one: unknown, index: number): boolean => numbers.has(index);
  const plan = { inputs: inputs.filter(isUsed), span: { ...span, inputs: span.inputs.filter(isUsed) } };
  const streamsOf = (number: number) => used.filter(({ input }) => input === number).map(({ stream }) => stream);
  const known = reports.map((report, number) => withUsedSeconds(report, streamsOf(number), complaints.readErrors > 0));
  return expectedSeconds(plan, known.filter(isUsed));
}

const READ_KINDS: ReadonlySet<string> = new Set(KINDS);

/**
 * The report with the duration of the streams that are read. A file lasts as long as its longest stream, which may be a stream that
 * is not read, such as subtitles. If a stream that is read has no known duration, the report has none, unless the file is damaged.
 */
function withUsedSeconds(report: InputReport, used: readonly number[], isDamaged: boolean): InputReport {
  const isWhole = report.streams.every(({ index, type }) => used.includes(index) || !READ_KINDS.has(type));
  if (isWhole || report.durationSeconds === undefined) return report;
  const { durationSeconds, ...rest } = report;
  const seconds = used.flatMap((stream) => report.streamSeconds?.get(stream) ?? []);
  if (seconds.length < used.length || seconds.length === 0) return isDamaged ? report : rest;
  return { ...rest, durationSeconds: Math.min(durationSeconds, Math.max(...seconds)) };
}

/** The share of a file that its streams fill. The container and the deviation of encoders take the rest. */
const STREAMS = 0.9;
/** The usual bit rate of sound, in kb/s, and its largest share. */
const SOUND = 128;
const SOUND_SHARE = 0.2;
/** Lower bit rates, in kb/s, are too low to watch or hear. */
const MIN_VIDEO = 20;
const MIN_AUDIO = 16;

const LOSSY: Readonly<Record<string, ReadonlySet<string>>> = {
  video: new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4']),
  audio: new Set(['aac', 'mp3', 'opus', 'vorbis', 'ac3', 'eac3']),
};
/** Codecs whose encoders have two passes here. */
const TWO_PASSES: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'mpeg4']);

/** A file this many times as large as `fs` is clearly larger. Tables at its end make it a little larger. */
const CLEARLY = 1.2;
/** A file that was cut off is a little larger, because ffmpeg still writes what its encoders have buffered. */
const CLEARLY_IF_CUT = 2;

/**
 * Warns about a complete output larger than `fs`: ffmpeg checks the file size only after each part. Parts of Matroska and WebM last
 * 5 seconds. `seconds`: the duration of the output.
 */
function largeOutput(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'outputStreams' | 'used' | 'lastBlock'>,
  seconds: number,
): readonly RunWarning[] {
  const { value, limit } = sizeLimit(facts);
  const size = pass.lastBlock?.totalBytes ?? 0;
  if (limit <= 0 || size <= limit * CLEARLY) return [];
  return [
    {
      key: 'fs',
      code: 'LARGE_OUTPUT',
      message: `The output has ${size} bytes, although "fs" asks for ${value}: ffmpeg wrote all of it before it compared the size.`,
      fix: fittingRates(facts, pass, limit / seconds),
    },
  ];
}

/** `fs` in bytes, and as a message shows it: as it was sent, unless ffmpeg reads another number from it (`1MB`). */
function sizeLimit(facts: MediaFacts): { readonly value: string; readonly limit: number } {
  const value = facts.argumentOf('fs') ?? '';
  const limit = readPlainNumber(value) ?? 0;
  return { value: value.endsWith('B') ? String(limit) : value, limit };
}

/** The warning about an output that `fs` cut off. `wanted`: the duration without `fs`, in seconds. */
function cutBySize(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'outputStreams' | 'used' | 'lastBlock'>,
  written: number,
  wanted: number,
): RunWarning {
  const { value, limit } = sizeLimit(facts);
  const size = pass.lastBlock?.totalBytes ?? 0;
  const where = size > limit * CLEARLY_IF_CUT ? `only at ${size} bytes, not at ${value}` : `at ${value} bytes`;
  return {
    key: 'fs',
    code: 'SHORT_OUTPUT',
    message: `"fs" stopped the output ${where}: it has ${secondsText(written)} of ${secondsText(wanted)}, and the last ${secondsText(wanted - written)} are missing.`,
    fix: fittingRates(facts, pass, limit / wanted),
  };
}

/** The fix with bit rates that fit the size. */
function fittingRates(
  facts: MediaFacts,
  { outputStreams, used }: Pick<FinishedPass, 'outputStreams' | 'used'>,
  bytesPerSecond: number,
): Edits {
  const withoutLimit = leaveOut('fs', 'then the output has the whole input');
  const isEncoded = outputStreams.every(
    ({ index, type, codec }) =>
      LOSSY[type]?.has(codec) === true && !used.some(({ output, copied }) => output === index && copied),
  );
  const [video, ...videos] = outputStreams.filter(({ type }) => type === 'video');
  const [audio, ...audios] = outputStreams.filter(({ type }) => type === 'audio');
  if (!isEncoded || videos.length + audios.length > 0) return withoutLimit;
  const total = Math.floor((bytesPerSecond * 8 * STREAMS) / 1000);
  const sound =
    audio === undefined ? 0 : Math.min(SOUND, Math.floor(video === undefined ? total : total * SOUND_SHARE));
  const picture = video === undefined ? 0 : total - sound;
  if ((video !== undefined && picture < MIN_VIDEO) || (audio !== undefined && sound < MIN_AUDIO)) return withoutLimit;
  const { edits: rates } = sendMembers({
    ...(video !== undefined && { 'b:v': `${picture}k` }),
    ...(audio !== undefined && { 'b:a': `${sound}k` }),
    ...(video !== undefined && TWO_PASSES.has(video.codec) && { pass: '2' }),
  });
  const others = ['crf', 'qp', 'q:v', 'q:a'].filter((name) => facts.argv.includes(`-${name}`));
  const left = ['fs', ...others].map((name) => ({ do: 'remove', name: facts.sentNameOf(name) }) as const);
  return { edits: [...rates, ...left], why: 'the whole input then has this size' };
}

/** An output is too long if it lasts longer than its input times this factor, and these seconds more. */
const LONG_FACTOR = 1.5;
const LONG_SECONDS = 1;
/** How far the number of frames may deviate from the duration and the frame rate of the input. */
const SHARE = { min: 0.7, max: 1.3 };
/** Usual frame rates, if the file does not have its own. */
const RATES = { min: 12, max: 121 };

/**
 * Warns about an output that is far longer than its input, although it has as many frames: the times of the audio jump, and ffmpeg
 * moves all streams with them. Only for videos: the duration of audio alone can be an estimate, or the duration of the last part of
 * a recording.
 */
const LONG_OUTPUT: Rule = {
  id: 'long-output',
  finds: 'an output that is far longer than its input, because the times of the audio are damaged',
  supersedes: ['uneven-frames'],
  run({ facts, pass, options }) {
    const { plan, inputs, used, lastBlock, writtenSeconds } = pass;
    const { frame = 0, repeatedFrames = 0 } = lastBlock ?? {};
    if (writtenSeconds === undefined || options.changesDuration || plan.inputs.length !== 1) return [];
    const expected = expectedSeconds(plan, inputs);
    if (expected === undefined || writtenSeconds <= expected * LONG_FACTOR + LONG_SECONDS) return [];
    const ofKind = (kind: string): readonly OutputStream[] =>
      used.flatMap(({ input, stream }) =>
        (inputs[input]?.streams ?? []).filter(({ index, type }) => index === stream && type === kind),
      );
    const [picture, ...pictures] = ofKind('video');
    const [sound] = ofKind('audio');
    if (picture === undefined || sound === undefined || pictures.length > 0) return [];
    if (picture.disposition?.includes('attached_pic')) return [];
    const rate = (frame - repeatedFrames) / expected;
    const { min, max } = picture.fps === undefined ? RATES : SHARE;
    const fits = picture.fps === undefined ? rate : rate / picture.fps;
    if (fits < min || fits > max) return [];
    return {
      ...(plan.inputs[0] === undefined ? {} : { field: plan.inputs[0].field }),
      code: 'LONG_OUTPUT',
      message: `The output has ${secondsText(writtenSeconds)}, but ${facts.pathOf(0)} has ${secondsText(expected)}: the times of its sound (0:${sound.index}, ${sound.codec}) are damaged.`,
      fix: 'Send "an": "" to leave the sound out, or the file again, undamaged.',
    };
  },
};

export const END_RULES: readonly Rule[] = [
  DURATION_AND_END,
  END_BEFORE_START,
  END_AFTER_SEEK,
  INEFFECTIVE_ITSOFFSET,
  SHORT_OUTPUT,
  LONG_OUTPUT,
];
