import { addOption, type Edits, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { wordPairs } from '../../allowlist/words.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { isMilliseconds } from '../../values/duration.ts';
import { readHlsFlags } from '../../values/hls-values.ts';
import { type CutContext, type Rules, type RunFindings, type RunWarning, unusualValue } from '../contexts.ts';
import { isCopied, ofKind } from '../facts/converted-streams.ts';
import type { FinishedPass, ForeseenPass } from '../facts/finished-pass.ts';
import { type MediaFacts, secondsIn, secondsText } from '../facts/media-facts.ts';
import { hasOwnVariants, OWN_VARIANTS } from '../failures/absent-variants.ts';
import { copiesVideoAtKeyFrames } from '../times/copy-starts.ts';

/** Options that set the duration of segments or fragments in seconds, by muxer. */
const SECONDS: Readonly<Record<string, readonly string[]>> = {
  hls: ['hls_time', 'hls_init_time'],
  dash: ['seg_duration', 'frag_duration'],
};

/** Muxers whose `frag_duration` is in microseconds. */
const MICROSECONDS: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'ismv', 'f4v', '3gp', '3g2', 'psp']);

/** In microseconds: a shorter fragment contains only one frame at any usual frame rate. */
const SHORTEST_FRAGMENT = 10_000;
/** A `frag_duration` that is too short was probably sent in seconds up to this number, and in milliseconds above it. */
const MOST_SECONDS = 60;

/** Segments longer than requested by this factor are reported. A little more is usual: a key frame is rarely exactly at the end. */
const LONG = 1.5;

const SEGMENT_SECONDS = wordPairs('hls hls_time dash seg_duration segment segment_time');

const isVideoCopied = (pass: ForeseenPass): boolean => isCopied(pass, ofKind(pass.outputStreams, 'video')[0]?.index);

/** Segments of at least this length, in seconds, are not reported: a late key frame hardly matters in them. */
const LONG_PART = 60;

/** Warns about a copy that the muxer `segment` can split only at key frames. Not for HLS and DASH, whose players allow for that. */
function cutCopies({ facts, pass }: CutContext, asked: number) {
  const times = facts.argumentOf('segment_times');
  const isAsked = times !== undefined || (asked > 0 && asked < LONG_PART);
  const isAnywhere = facts.has('break_non_keyframes') || !copiesVideoAtKeyFrames(facts, pass);
  if (facts.plan.output.muxer !== 'segment' || !isAsked || isAnywhere) return undefined;
  const key = times === undefined ? 'segment_time' : 'segment_times';
  return {
    field: facts.fieldOf(facts.has('c:v') ? 'c:v' : 'c') ?? facts.plan.output.field,
    code: 'KEY_FRAME_CUTS',
    message: `A copy is cut only at key frames: each part begins at the first one after the time in "${key}", so parts are longer than asked, and not equally long.`,
    fix: keyFrameFix(pass, times ?? everySeconds(asked)),
  };
}

/** Returns the average length of a segment in seconds. undefined: one file has all segments, or there are several variants. */
function averageSegment(facts: MediaFacts, { segments, lastBlock }: FinishedPass): number | undefined {
  const isOneFile = readHlsFlags(facts.argumentOf('hls_flags') ?? '').has('single_file');
  if (segments === 0 || isOneFile || facts.has('var_stream_map')) return undefined;
  return (lastBlock?.outSeconds ?? 0) / segments;
}

function keyFrameFix(pass: ForeseenPass, times: string): Edits {
  const forced = { do: 'add', name: 'force_key_frames', value: times } as const;
  return ofKind(pass.outputStreams, 'video').some(({ index }) => isCopied(pass, index))
    ? { ...withMore(addOption('c:v', 'libx264'), forced), why: 'a copy gets no key frames' }
    : { edits: [forced] };
}

const everySeconds = (seconds: number): string => `expr:gte(t,n_forced*${seconds})`;

/** Warns about segments longer than `asked` seconds. `key`: the option that sets this length. `but`: a clause with the real length. */
const longSegments = (pass: ForeseenPass, key: string, asked: number, but: string): RunWarning => ({
  key,
  code: 'LONG_SEGMENTS',
  message: `"${key}" asks for segments of ${secondsText(asked)}, but ${but}: a segment can start only at a key frame.`,
  fix: keyFrameFix(pass, everySeconds(asked)),
});

/** Defaults of ffmpeg: segments in an HLS playlist, seconds of a segment, and frames from one key frame of libx264 to the next. */
const DEFAULTS = { listSize: 5, segmentSeconds: 2, keyFrames: 250 };

/** Flags for live streams, whose players need only the newest segments. */
const LIVE_FLAGS = /delete_segments|append_list|omit_endlist/;

const ROUNDING = 1e-6;

/** Returns `asked` rounded up to the next key frame by `g`. Segments can be shorter: encoders add key frames at scene changes. */
function segmentSeconds({ facts, pass }: CutContext, asked: number): number {
  const fps = ofKind(pass.outputStreams, 'video')[0]?.fps;
  if (facts.hasOption(/^-force_key_frames/) || fps === undefined) return asked;
  const own = Number(facts.argumentOf('g') ?? facts.argumentOf('g:v') ?? DEFAULTS.keyFrames);
  return own > 0 ? Math.ceil((asked * fps) / own - ROUNDING) * (own / fps) : asked;
}

function playlistOf(facts: MediaFacts, segments: number, count: string): RunFindings {
  if (facts.plan.output.muxer !== 'hls' || segments <= DEFAULTS.listSize) return undefined;
  if (facts.firstOf('hls_list_size', 'hls_playlist_type') !== undefined) return undefined;
  if (LIVE_FLAGS.test(facts.argumentOf('hls_flags') ?? '')) return undefined;
  return {
    key: 'hls_time',
    code: 'PARTIAL_PLAYLIST',
    message: `The playlist lists only the last ${DEFAULTS.listSize} of ${count} segments, as for a live stream, so players start near the end.`,
    fix: addOption('hls_list_size', '0'),
  };
}

/** Codecs and encoders whose default is a quality instead of a bit rate. */
const WITHOUT_RATE: ReadonlySet<string> = new Set(['h264', 'hevc', 'libx264', 'libx265']);

function sameVariants({ facts, pass: { outputStreams, used } }: CutContext): RunFindings {
  const videos = ofKind(outputStreams, 'video');
  const [first, ...others] = videos.map(({ index }) => used.find(({ output }) => output === index));
  const isOne = others.every((one) => one?.input === first?.input && one?.stream === first?.stream);
  if (facts.argumentOf('var_stream_map') === undefined || others.length === 0) return undefined;
  if (first === undefined || !isOne || hasOwnVariants(facts)) return undefined;
  return {
    key: 'var_stream_map',
    code: 'SAME_BANDWIDTH',
    message: `The ${videos.length} variants are the same video in the same size and rate, so players have no choice.`,
    fix: `${OWN_VARIANTS} as well.`,
  };
}

function withoutRates({ facts, pass }: CutContext, start: string): RunFindings {
  if (facts.argumentOf('var_stream_map') === undefined || facts.argumentOf('master_pl_name') === undefined)
    return undefined;
  const unlimited = ofKind(pass.outputStreams, 'video').flatMap((video, number) =>
    WITHOUT_RATE.has(video.codec) && isEncoded(facts, pass, video.index) && !hasRate(facts, number)
      ? [{ video, number }]
      : [],
  );
  if (unlimited.length < 2) return undefined;
  const edits = unlimited.flatMap(({ video, number }) => {
    const kilobits = usualKilobits(video);
    return [
      { do: 'add', name: `maxrate:v:${number}`, value: `${kilobits}k` },
      { do: 'add', name: `bufsize:v:${number}`, value: `${2 * kilobits}k` },
    ] as const;
  });
  return {
    key: 'var_stream_map',
    code: 'SAME_BANDWIDTH',
    message: `${start} master playlist gives ${unlimited.length} variants the BANDWIDTH of their audio alone, because nothing limits the bit rate of their video. Players cannot tell which of them suits their connection.`,
    fix: { edits },
  };
}

/** True if the job encodes a stream: in this pass, or in chunks that the pass joins. */
const isEncoded = (facts: MediaFacts, pass: ForeseenPass, index: number): boolean =>
  facts.plan.joinsChunks === true || !isCopied(pass, index);

/** True if an option sets or limits the bit rate of a video stream. A rate of 0 means none. */
const hasRate = (facts: MediaFacts, number: number): boolean =>
  ['b', 'maxrate'].some((name) =>
    ['', ':v', `:v:${number}`].some((of) => Number(facts.argumentOf(`${name}${of}`) ?? 0) !== 0),
  );

/** A usual bit rate, at 25 frames per second. A smaller video needs more bits per pixel, hence the exponent below 1. */
const FULL_HD = { pixelRate: 1920 * 1080 * 25, kilobits: 5000 };
const EXPONENT = 0.75;

/** Returns a usual bit rate limit in kb/s for a video of this size, with two significant digits. */
function usualKilobits({ width = 1280, height = 720, fps = 25 }: OutputStream): number {
  const kilobits = FULL_HD.kilobits * ((width * height * fps) / FULL_HD.pixelRate) ** EXPONENT;
  return Math.ceil(Number(kilobits.toPrecision(2)));
}

export const SEGMENT_RULES: Rules = {
  'segment-units': {
    finds: 'the duration of a segment in milliseconds, or of a fragment in another unit than microseconds',
    about: ['hls_time', 'hls_init_time', 'seg_duration', 'frag_duration'],
    option: (context) => (option) => {
      const { muxer } = context;
      const { name } = option.name;
      const [sent = ''] = option.values;
      const value = /^\d+(?:\.0*)?$/.test(sent) ? Number(sent) : Number.NaN;
      const shown = sentName(option);
      if (SECONDS[muxer]?.includes(name) === true && isMilliseconds(value))
        return unusualValue(
          `"${shown}" is in seconds, not in milliseconds: ${value} asks for segments of ${Math.round(value / 60)} minutes.`,
          sendOption(shown, String(value / 1000)),
        );
      const isFraction = name === 'frag_duration' && MICROSECONDS.has(muxer) && value > 1 && value < SHORTEST_FRAGMENT;
      if (!isFraction) return [];
      return unusualValue(
        `"${shown}" of ${muxer} is in microseconds: ${value} makes a fragment of each frame.`,
        sendOption(shown, String(value * (value <= MOST_SECONDS ? 1_000_000 : 1000))),
      );
    },
  },

  'long-segments': {
    finds: 'segments that cannot have the length that is asked for, because each starts at a key frame',
    run({ facts, pass }) {
      const { segments, longestSegment, lastBlock, outputStreams } = pass;
      const key = SEGMENT_SECONDS.get(facts.plan.output.muxer) ?? 'segment_time';
      const asked = secondsIn(facts.argumentOf(key)) ?? 0;
      const seconds = lastBlock?.outSeconds;
      if (asked <= 0 || seconds === undefined || ofKind(outputStreams, 'video').length === 0) return [];
      if (segments === 1 && asked > seconds && isMilliseconds(asked) && key === 'segment_time')
        return {
          key,
          code: 'LONG_SEGMENTS',
          message: `"${key}" is in seconds, not in milliseconds: ${asked} is longer than the output (${secondsText(seconds)}), which is in one segment.`,
          fix: sendOption(key, String(asked / 1000)),
        };
      const longest = longestSegment ?? averageSegment(facts, pass);
      if (longest === undefined || longest < asked * LONG) return [];
      const what =
        longestSegment === undefined
          ? `the output has ${segments} in ${secondsText(seconds)}`
          : `one lasts ${secondsText(longest)}`;
      return longSegments(pass, key, asked, what);
    },
    /** Predicts long segments from `g`: at 24 frames per second, `g` 240 makes a key frame every 10 s, too few for `hls_time` 4. */
    files({ facts, pass }) {
      const key = SEGMENT_SECONDS.get(facts.plan.output.muxer);
      const asked = (key === undefined ? undefined : secondsIn(facts.argumentOf(key))) ?? 0;
      if (isVideoCopied(pass)) return cutCopies({ facts, pass }, asked);
      const own = facts.argumentOf('g') ?? facts.argumentOf('g:v');
      if (key === undefined || asked <= 0 || own === undefined) return [];
      const seconds = segmentSeconds({ facts, pass }, asked);
      if (seconds < asked * LONG || (pass.writtenSeconds ?? seconds) < seconds) return [];
      return longSegments(pass, key, asked, `with "g": "${own}", they last up to ${secondsText(seconds)}`);
    },
  },

  'partial-playlist': {
    finds: 'a playlist of HLS that lists only the last segments',
    run: ({ facts, pass: { playlistWrites } }) => playlistOf(facts, playlistWrites, `${playlistWrites}`),
    files({ facts, pass }) {
      const asked = secondsIn(facts.argumentOf('hls_time')) ?? DEFAULTS.segmentSeconds;
      // The key frames of a copy, and so the number of segments, are unknown.
      if (isVideoCopied(pass)) return [];
      const most = Math.ceil((pass.writtenSeconds ?? 0) / segmentSeconds({ facts, pass }, asked));
      return Number.isFinite(most) ? playlistOf(facts, most, `up to ${most}`) : [];
    },
  },

  /** ffmpeg 5 writes only the bit rate of the audio into the master playlist. The release of the worker is unknown before the run. */
  'same-bandwidth': {
    finds: 'variants of HLS with the same bandwidth, among which players cannot choose',
    run: (context) =>
      sameVariants(context) ?? (context.pass.hasMeasuredRates === false ? withoutRates(context, 'The') : undefined),
    files: (context) => sameVariants(context) ?? withoutRates(context, 'With ffmpeg 5, the'),
  },

  /** ffmpeg writes the subtitles of HLS as WebVTT, and encrypts only MPEG-TS. */
  'unencrypted-subtitles': {
    finds: 'subtitles of encrypted HLS, which ffmpeg does not encrypt',
    run({ facts, pass: { outputStreams } }) {
      if (!facts.has('hls_key_info_file') || !outputStreams.some(({ type }) => type === 'subtitle')) return [];
      return {
        field: '/encrypt',
        code: 'NOT_ENCRYPTED',
        message: 'The subtitles are not encrypted: ffmpeg encrypts only the video and audio of HLS.',
        fix: 'Send "sn": "" to leave them out, or draw them into the video with the filter subtitles.',
      };
    },
  },
};
