import { addOption, type Edits, sendOption, withMore } from '../../../domain/edit.ts';
import type { OutputStream } from '../../../domain/job.ts';
import type { Warning } from '../../../domain/plan.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { isMilliseconds } from '../../values/duration.ts';
import { readHlsFlags } from '../../values/hls-values.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from '../facts/finished-pass.ts';
import { type MediaFacts, secondsIn, secondsText } from '../facts/media-facts.ts';
import { hasOwnVariants, OWN_VARIANTS } from '../failures/absent-variants.ts';
import { copiedPicture } from '../times/copy-starts.ts';

/** Seconds of the segments and fragments of streams, which last some seconds, by the muxer that has the option. */
const SECONDS: Readonly<Record<string, readonly string[]>> = {
  hls: ['hls_time', 'hls_init_time'],
  dash: ['seg_duration', 'frag_duration'],
};

/** Muxers whose `frag_duration` counts microseconds. */
const MICROSECONDS: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'ismv', 'f4v', '3gp', '3g2', 'psp']);

/** Fragments shorter than this have one frame at any usual rate. */
const SHORTEST_FRAGMENT = 10_000;
/** Numbers up to this are seconds. Larger ones are milliseconds. */
const MOST_SECONDS = 60;

const SEGMENT_UNITS: Rule = {
  id: 'segment-units',
  finds: 'the duration of a segment in milliseconds, or of a fragment in another unit than microseconds',
  about: ['hls_time', 'hls_init_time', 'seg_duration', 'frag_duration'],
  option:
    ({ muxer }) =>
    (option) => {
      const { name, values } = option;
      const value = /^\d+(?:\.0*)?$/.test(values[0] ?? '') ? Number(values[0]) : Number.NaN;
      const shown = sentName(option);
      if (SECONDS[muxer]?.includes(name.name) === true && isMilliseconds(value))
        return {
          code: 'UNUSUAL_VALUE',
          message: `"${shown}" is in seconds, not in milliseconds: ${value} asks for segments of ${Math.round(value / 60)} minutes.`,
          fix: sendOption(shown, String(value / 1000)),
        };
      if (name.name === 'frag_duration' && MICROSECONDS.has(muxer) && value > 1 && value < SHORTEST_FRAGMENT)
        return {
          code: 'UNUSUAL_VALUE',
          message: `"${shown}" of ${muxer} is in microseconds: ${value} makes a fragment of each frame.`,
          fix: sendOption(shown, String(value * (value <= MOST_SECONDS ? 1_000_000 : 1000))),
        };
      return [];
    },
};

/** How much longer than asked segments may be: key frames are never exactly where a segment ends. */
const LONG = 1.5;

/** The option that sets the length of segments, by muxer. */
const SEGMENT_SECONDS: Readonly<Record<string, string>> = {
  hls: 'hls_time',
  dash: 'seg_duration',
  segment: 'segment_time',
};

const LONG_SEGMENTS: Rule = {
  id: 'long-segments',
  finds: 'segments that cannot have the length that is asked for, because each starts at a key frame',
  /** Segments of HLS, DASH and `f: segment` that are much longer than asked, because the film has too few key frames. */
  run({ facts, pass }) {
    const { segments, longestSegment, lastBlock, outputStreams } = pass;
    const key = SEGMENT_SECONDS[facts.plan.output.muxer] ?? 'segment_time';
    const asked = secondsIn(facts.argumentOf(key));
    const seconds = lastBlock?.outSeconds;
    const isFilm = outputStreams.some(({ type }) => type === 'video');
    if (asked === undefined || seconds === undefined || !isFilm || asked <= 0) return [];
    if (segments === 1 && asked > seconds && isMilliseconds(asked) && key === 'segment_time')
      return {
        key,
        code: 'LONG_SEGMENTS',
        message: `"${key}" is in seconds, not in milliseconds: ${asked} is longer than the output (${secondsText(seconds)}), which is in one segment.`,
        fix: sendOption(key, String(asked / 1000)),
      };
    const average = averageSegment(facts, pass);
    const longest = longestSegment ?? average;
    if (longest === undefined || longest < asked * LONG) return [];
    const what = longestSegment === undefined ? `the output has ${segments} in ${secondsText(seconds)}` : undefined;
    return {
      key,
      code: 'LONG_SEGMENTS',
      message: `"${key}" asks for segments of ${secondsText(asked)}, but ${what ?? `one lasts ${secondsText(longest)}`}: a segment can start only at a key frame.`,
      fix: keyFrameFix(pass, everySeconds(asked)),
    };
  },
  /** Foresees long segments, if `g` sets the distance of key frames: `hls_time` 4 with `g` 240 at 24 frames per second. */
  files({ facts, pass }) {
    const key = SEGMENT_SECONDS[facts.plan.output.muxer];
    const asked = key === undefined ? undefined : secondsIn(facts.argumentOf(key));
    const film = pass.outputStreams.find(({ type }) => type === 'video');
    const isCopied = pass.used.some(({ output, copied }) => copied && output === film?.index);
    const own = facts.argumentOf('g') ?? facts.argumentOf('g:v');
    if (isCopied) return cutCopies(facts, pass, asked);
    if (key === undefined || asked === undefined || asked <= 0 || own === undefined) return [];
    const seconds = segmentSeconds(facts, asked, film?.fps);
    if (seconds < asked * LONG || (pass.writtenSeconds ?? seconds) < seconds) return [];
    return {
      key,
      code: 'LONG_SEGMENTS',
      message: `"${key}" asks for segments of ${secondsText(asked)}, but with "g": "${own}", they last up to ${secondsText(seconds)}: a segment can start only at a key frame.`,
      fix: keyFrameFix(pass, everySeconds(asked)),
    };
  },
};

/** Parts that are longer hardly differ by what is between two key frames, in seconds. */
const LONG_PART = 60;

/**
 * A copy in parts, which has to be cut at key frames, wherever those are. Segments of HLS and DASH may differ: players read their lengths
 * in the playlist.
 */
function cutCopies(facts: MediaFacts, pass: ForeseenPass, asked: number | undefined): readonly Warning[] {
  const times = facts.argumentOf('segment_times');
  const isAsked = times !== undefined || (asked !== undefined && asked > 0 && asked < LONG_PART);
  const isAnywhere = facts.argv.includes('-break_non_keyframes') || !copiedPicture(facts, pass);
  if (facts.plan.output.muxer !== 'segment' || !isAsked || isAnywhere) return [];
  const key = times === undefined ? 'segment_time' : 'segment_times';
  return [
    {
      field: facts.fieldOf(facts.argv.includes('-c:v') ? 'c:v' : 'c') ?? facts.plan.output.field,
      code: 'KEY_FRAME_CUTS',
      message: `A copy is cut only at key frames: each part begins at the first one after the time in "${key}", so parts last longer, or differ.`,
      fix: keyFrameFix(pass, times ?? everySeconds(asked ?? 0)),
    },
  ];
}

/** How long segments are by their number. undefined if it is not known: all are in one file, or those of variants together. */
function averageSegment(facts: MediaFacts, { segments, lastBlock }: FinishedPass): number | undefined {
  const isOneFile = readHlsFlags(facts.argumentOf('hls_flags') ?? '').has('single_file');
  if (segments === 0 || isOneFile || facts.argv.includes('-var_stream_map')) return undefined;
  return (lastBlock?.outSeconds ?? 0) / segments;
}

/** The options that put a key frame where segments start. */
function keyFrameFix({ used, outputStreams }: ForeseenPass, times: string): Edits {
  const isCopied = used.some(
    ({ output, copied }) => copied && outputStreams.some(({ index, type }) => index === output && type === 'video'),
  );
  const forced = { do: 'add', name: 'force_key_frames', value: times } as const;
  return isCopied
    ? { ...withMore(addOption('c:v', 'libx264'), forced), why: 'a copy gets no key frames' }
    : { edits: [forced] };
}

/** A key frame each so many seconds. */
const everySeconds = (seconds: number): string => `expr:gte(t,n_forced*${seconds})`;

/** The number of segments in a playlist, if no option sets it. */
const DEFAULT_LIST_SIZE = 5;
/** Flags of streams that go on: their players want only the newest segments. */
const LIVE_FLAGS = /delete_segments|append_list|omit_endlist/;

/** The length of a segment of HLS, if no option sets it. */
const DEFAULT_SEGMENT_SECONDS = 2;

/** The pictures between two key frames, if no option sets them: those of libx264, the encoder of HLS. */
const DEFAULT_KEY_FRAMES = 250;

const PARTIAL_PLAYLIST: Rule = {
  id: 'partial-playlist',
  finds: 'a playlist of HLS that lists only the last segments',
  /** A playlist of HLS that lists only the last segments, which is meant for live streams. */
  run: ({ facts, pass: { playlistWrites } }) => playlistOf(facts, playlistWrites, `${playlistWrites}`),
  /** The same before the run. A segment begins at a key frame, and where a copy has those is not known. */
  files({ facts, pass }) {
    const { writtenSeconds = 0, outputStreams, used } = pass;
    const asked = secondsIn(facts.argumentOf('hls_time')) ?? DEFAULT_SEGMENT_SECONDS;
    const film = outputStreams.find(({ type }) => type === 'video');
    if (used.some(({ output, copied }) => copied && output === film?.index)) return [];
    const most = Math.ceil(writtenSeconds / segmentSeconds(facts, asked, film?.fps));
    return Number.isFinite(most) ? playlistOf(facts, most, `up to ${most}`) : [];
  },
};

/** The shortest that segments are, as far as the key frames are known. Those of scenes can be more. */
function segmentSeconds(facts: MediaFacts, asked: number, fps: number | undefined): number {
  const isForced = facts.argv.some((word) => word.startsWith('-force_key_frames'));
  if (isForced || fps === undefined) return asked;
  const own = Number(facts.argumentOf('g') ?? facts.argumentOf('g:v') ?? DEFAULT_KEY_FRAMES);
  return own > 0 ? Math.ceil((asked * fps) / own - ROUNDING) * (own / fps) : asked;
}

const ROUNDING = 1e-6;

function playlistOf(facts: MediaFacts, segments: number, count: string): readonly RunWarning[] {
  if (facts.plan.output.muxer !== 'hls' || segments <= DEFAULT_LIST_SIZE) return [];
  if (['hls_list_size', 'hls_playlist_type'].some((key) => facts.argumentOf(key) !== undefined)) return [];
  if (LIVE_FLAGS.test(facts.argumentOf('hls_flags') ?? '')) return [];
  return [
    {
      key: 'hls_time',
      code: 'PARTIAL_PLAYLIST',
      message: `The playlist lists only the last ${DEFAULT_LIST_SIZE} of ${count} segments, as for a live stream, so players start near the end.`,
      fix: addOption('hls_list_size', '0'),
    },
  ];
}

/** Codecs whose encoders here (libx264, libx265) have no bit rate unless an option sets one. */
const WITHOUT_RATE: ReadonlySet<string> = new Set(['h264', 'hevc', 'libx264', 'libx265']);

const SAME_BANDWIDTH: Rule = {
  id: 'same-bandwidth',
  finds: 'variants of HLS with the same bandwidth, among which players cannot choose',
  /**
   * Variants of HLS whose pictures have no bit rate: releases that do not measure it (5.1) then write that of the sound alone into the
   * master playlist, the same for all, and players cannot choose.
   */
  run({ facts, pass }) {
    const same = sameVariants(facts, pass);
    return same.length > 0 || pass.hasMeasuredRates !== false ? same : withoutRates(facts, pass, '');
  },
  /** The same before the run. The release of the worker's ffmpeg is not known here. */
  files({ facts, pass }) {
    const same = sameVariants(facts, pass);
    return same.length > 0 ? same : withoutRates(facts, pass, 'With ffmpeg 5, ');
  },
};

/** Variants of HLS that are the same picture, encoded in the same way. */
function sameVariants(
  facts: MediaFacts,
  { outputStreams, used }: Pick<ForeseenPass, 'outputStreams' | 'used'>,
): readonly RunWarning[] {
  const videos = outputStreams.filter(({ type }) => type === 'video');
  const sources = videos.map(({ index }) => used.find(({ output }) => output === index));
  const [first] = sources;
  const isOne = sources.every((one) => one?.input === first?.input && one?.stream === first?.stream);
  if (facts.argumentOf('var_stream_map') === undefined || videos.length < 2) return [];
  if (first === undefined || !isOne || hasOwnVariants(facts)) return [];
  return [
    {
      key: 'var_stream_map',
      code: 'SAME_BANDWIDTH',
      message: `The ${videos.length} variants are the same picture in the same size and rate, so players have no choice.`,
      fix: `${OWN_VARIANTS} as well.`,
    },
  ];
}

function withoutRates(
  facts: MediaFacts,
  { outputStreams, used }: Pick<ForeseenPass, 'outputStreams' | 'used'>,
  release: string,
): readonly RunWarning[] {
  if (facts.argumentOf('var_stream_map') === undefined || facts.argumentOf('master_pl_name') === undefined) return [];
  const copies = new Set(used.flatMap(({ output, copied }) => (copied && output !== undefined ? [output] : [])));
  const videos = outputStreams.filter(({ type }) => type === 'video');
  const unlimited = videos.flatMap((video, number) =>
    WITHOUT_RATE.has(video.codec) && !copies.has(video.index) && !hasRate(facts, number) ? [{ video, number }] : [],
  );
  if (unlimited.length < 2) return [];
  const members = unlimited.flatMap(({ video, number }) => {
    const kilobits = usualKilobits(video);
    return [
      { do: 'add', name: `maxrate:v:${number}`, value: `${kilobits}k` },
      { do: 'add', name: `bufsize:v:${number}`, value: `${2 * kilobits}k` },
    ] as const;
  });
  return [
    {
      key: 'var_stream_map',
      code: 'SAME_BANDWIDTH',
      message: `${release}${release === '' ? 'The' : 'the'} master playlist gives ${unlimited.length} variants the BANDWIDTH of their sound alone, because nothing limits the bit rate of their pictures. Players cannot tell which one their line carries.`,
      fix: { edits: members },
    },
  ];
}

/** Whether an option sets the bit rate of a video stream, or its limit. */
const hasRate = ({ argv }: MediaFacts, number: number): boolean =>
  ['b', 'maxrate'].some((name) => ['', ':v', `:v:${number}`].some((of) => argv.includes(`-${name}${of}`)));

/** What streams of 1920x1080 pixels at 25 frames a second have. Smaller ones have more bits for each pixel. */
const FULL_HD = { pixelRate: 1920 * 1080 * 25, kilobits: 5000 };
const EXPONENT = 0.75;

/** A usual limit for pictures of this size, with two significant digits. */
function usualKilobits({ width = 1280, height = 720, fps = 25 }: OutputStream): number {
  const kilobits = FULL_HD.kilobits * ((width * height * fps) / FULL_HD.pixelRate) ** EXPONENT;
  return Math.ceil(Number(kilobits.toPrecision(2)));
}

export const SEGMENT_RULES: readonly Rule[] = [SEGMENT_UNITS, LONG_SEGMENTS, PARTIAL_PLAYLIST, SAME_BANDWIDTH];
