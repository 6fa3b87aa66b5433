import { addOption, type Edits, orElse, sendOption, withMore } from '../../domain/edit.ts';
import { extension } from '../../domain/media-path.ts';
import type { Warning } from '../../domain/plan.ts';
import { encodersOfMuxer } from '../allowlist/container-codecs.ts';
import { containerOfSegment, isUnplayable } from '../allowlist/playable-codecs.ts';
import { isMilliseconds } from '../values/duration.ts';
import { readHlsFlags } from '../values/hls-values.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './finished-pass.ts';
import { copiedPicture } from './foreseen-copies.ts';
import { argumentOf, fieldOf, type MediaFacts, secondsIn, secondsText, withField } from './media-facts.ts';

/** How much longer than asked segments may be: key frames are never exactly where a segment ends. */
const LONG = 1.5;

/** The option that sets the length of segments, by muxer. */
const SEGMENT_SECONDS: Readonly<Record<string, string>> = {
  hls: 'hls_time',
  dash: 'seg_duration',
  segment: 'segment_time',
};

/** Segments of HLS, DASH and `f: segment` that are much longer than asked, because the film has too few key frames. */
export function longSegments(facts: MediaFacts, pass: FinishedPass): readonly RunWarning[] {
  const { segments, longestSegment, lastBlock, outputStreams } = pass;
  const key = SEGMENT_SECONDS[facts.plan.output.muxer] ?? 'segment_time';
  const asked = secondsIn(argumentOf(facts, key));
  const seconds = lastBlock?.outSeconds;
  const isFilm = outputStreams.some(({ type }) => type === 'video');
  if (asked === undefined || seconds === undefined || !isFilm || asked <= 0) return [];
  if (segments === 1 && asked > seconds && isMilliseconds(asked) && key === 'segment_time')
    return [
      withField(facts, key, {
        code: 'LONG_SEGMENTS',
        message: `"${key}" is in seconds, not in milliseconds: ${asked} is longer than the output (${secondsText(seconds)}), which is in one segment.`,
        fix: sendOption(key, String(asked / 1000)),
      }),
    ];
  const average = averageSegment(facts, pass);
  const longest = longestSegment ?? average;
  if (longest === undefined || longest < asked * LONG) return [];
  const what = longestSegment === undefined ? `the output has ${segments} in ${secondsText(seconds)}` : undefined;
  return [
    withField(facts, key, {
      code: 'LONG_SEGMENTS',
      message: `"${key}" asks for segments of ${secondsText(asked)}, but ${what ?? `one lasts ${secondsText(longest)}`}: a segment can start only at a key frame.`,
      fix: keyFrameFix(pass, everySeconds(asked)),
    }),
  ];
}

/** Foresees long segments, if `g` sets the distance of key frames: `hls_time` 4 with `g` 240 at 24 frames per second. */
export function foreseenSegments(facts: MediaFacts, pass: ForeseenPass): readonly Warning[] {
  const key = SEGMENT_SECONDS[facts.plan.output.muxer];
  const asked = key === undefined ? undefined : secondsIn(argumentOf(facts, key));
  const film = pass.outputStreams.find(({ type }) => type === 'video');
  const isCopied = pass.used.some(({ output, copied }) => copied && output === film?.index);
  const own = argumentOf(facts, 'g') ?? argumentOf(facts, 'g:v');
  if (isCopied) return cutCopies(facts, pass, asked);
  if (key === undefined || asked === undefined || asked <= 0 || own === undefined) return [];
  const seconds = segmentSeconds(facts, asked, film?.fps);
  if (seconds < asked * LONG || (pass.writtenSeconds ?? seconds) < seconds) return [];
  return [
    withField(facts, key, {
      code: 'LONG_SEGMENTS',
      message: `"${key}" asks for segments of ${secondsText(asked)}, but with "g": "${own}", they last up to ${secondsText(seconds)}: a segment can start only at a key frame.`,
      fix: keyFrameFix(pass, everySeconds(asked)),
    }),
  ];
}

/** Parts that are longer hardly differ by what is between two key frames, in seconds. */
const LONG_PART = 60;

/**
 * A copy in parts, which has to be cut at key frames, wherever those are. Segments of HLS and DASH may differ: players read their lengths
 * in the playlist.
 */
function cutCopies(facts: MediaFacts, pass: ForeseenPass, asked: number | undefined): readonly Warning[] {
  const times = argumentOf(facts, 'segment_times');
  const isAsked = times !== undefined || (asked !== undefined && asked > 0 && asked < LONG_PART);
  const isAnywhere = facts.argv.includes('-break_non_keyframes') || !copiedPicture(facts, pass);
  if (facts.plan.output.muxer !== 'segment' || !isAsked || isAnywhere) return [];
  const key = times === undefined ? 'segment_time' : 'segment_times';
  return [
    {
      field: fieldOf(facts, facts.argv.includes('-c:v') ? 'c:v' : 'c') ?? facts.plan.output.field,
      code: 'KEY_FRAME_CUTS',
      message: `A copy is cut only at key frames: each part begins at the first one after the time in "${key}", so parts last longer, or differ.`,
      fix: keyFrameFix(pass, times ?? everySeconds(asked ?? 0)),
    },
  ];
}

/** How long segments are by their number. undefined if it is not known: all are in one file, or those of variants together. */
function averageSegment(facts: MediaFacts, { segments, lastBlock }: FinishedPass): number | undefined {
  const isOneFile = readHlsFlags(argumentOf(facts, 'hls_flags') ?? '').has('single_file');
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

/** A playlist of HLS that lists only the last segments, which is meant for live streams. */
export const partialPlaylist = (facts: MediaFacts, { playlistWrites }: FinishedPass): readonly RunWarning[] =>
  playlistOf(facts, playlistWrites, `${playlistWrites}`);

/** The length of a segment of HLS, if no option sets it. */
const DEFAULT_SEGMENT_SECONDS = 2;

/** The pictures between two key frames, if no option sets them: those of libx264, the encoder of HLS. */
const DEFAULT_KEY_FRAMES = 250;

/** The same before the run. A segment begins at a key frame, and where a copy has those is not known. */
export function foreseenPlaylist(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  const { writtenSeconds = 0, outputStreams, used } = pass;
  const asked = secondsIn(argumentOf(facts, 'hls_time')) ?? DEFAULT_SEGMENT_SECONDS;
  const film = outputStreams.find(({ type }) => type === 'video');
  if (used.some(({ output, copied }) => copied && output === film?.index)) return [];
  const most = Math.ceil(writtenSeconds / segmentSeconds(facts, asked, film?.fps));
  return Number.isFinite(most) ? playlistOf(facts, most, `up to ${most}`) : [];
}

/** The shortest that segments are, as far as the key frames are known. Those of scenes can be more. */
function segmentSeconds(facts: MediaFacts, asked: number, fps: number | undefined): number {
  const isForced = facts.argv.some((word) => word.startsWith('-force_key_frames'));
  if (isForced || fps === undefined) return asked;
  const own = Number(argumentOf(facts, 'g') ?? argumentOf(facts, 'g:v') ?? DEFAULT_KEY_FRAMES);
  return own > 0 ? Math.ceil((asked * fps) / own - ROUNDING) * (own / fps) : asked;
}

const ROUNDING = 1e-6;

function playlistOf(facts: MediaFacts, segments: number, count: string): readonly RunWarning[] {
  if (facts.plan.output.muxer !== 'hls' || segments <= DEFAULT_LIST_SIZE) return [];
  if (['hls_list_size', 'hls_playlist_type'].some((key) => argumentOf(facts, key) !== undefined)) return [];
  if (LIVE_FLAGS.test(argumentOf(facts, 'hls_flags') ?? '')) return [];
  return [
    withField(facts, 'hls_time', {
      code: 'PARTIAL_PLAYLIST',
      message: `The playlist lists only the last ${DEFAULT_LIST_SIZE} of ${count} segments, as for a live stream, so players start near the end.`,
      fix: addOption('hls_list_size', '0'),
    }),
  ];
}

const LETTERS: Readonly<Record<string, 'v' | 'a' | 's'>> = { video: 'v', audio: 'a', subtitle: 's' };

/** The format of each segment: that of `segment_format`, or of the extension. */
const segmentContainer = (facts: MediaFacts): string =>
  argumentOf(facts, 'segment_format') ?? containerOfSegment(extension(facts.plan.output.path));

/** Codecs that the container took, although hardly any player reads them in it. */
export function unplayableCodecs(facts: MediaFacts, { outputStreams, used }: FinishedPass): readonly RunWarning[] {
  const { muxer } = facts.plan.output;
  const isHls = muxer === 'hls' && !/fmp4|^1$/.test(argumentOf(facts, 'hls_segment_type') ?? '');
  const container = isHls ? 'mpegts' : muxer === 'segment' ? segmentContainer(facts) : muxer;
  const seen = new Set<string>();
  return outputStreams.flatMap(({ type, codec, disposition, index }) => {
    const letter = LETTERS[type];
    // The plan warns about the wrong encoder of a picture.
    if (container === 'image2' && !used.some(({ output, copied }) => copied && output === index)) return [];
    // HLS writes subtitles into playlists of their own.
    if (letter === undefined || seen.has(letter) || !isUnplayable(container, codec)) return [];
    if ((isHls && letter === 's') || disposition?.includes('attached_pic')) return [];
    seen.add(letter);
    const key = [`c:${letter}`, 'c'].find((one) => fieldOf(facts, one) !== undefined);
    const picture = container === 'image2' ? pictureEncoder(extension(facts.plan.output.path)) : undefined;
    const [encoder = picture] = type === 'video' || type === 'audio' ? encodersOfMuxer(container, type) : [];
    const fix = (key === 'c' ? addOption : sendOption)(
      encoder === undefined ? `${letter}n` : `c:${letter}`,
      encoder ?? '',
    );
    return [
      withField(facts, key ?? '', {
        code: 'UNPLAYABLE_CODEC',
        message: `The format ${container} takes ${codec} without an error, but hardly any player reads it there.`,
        fix:
          picture !== undefined
            ? fix
            : orElse(
                fix,
                `${argumentOf(facts, 'segment_format') === undefined ? '' : '"segment_format": "matroska" with '}an output that ends in .mkv`,
              ),
      }),
    ];
  });
}

/** The encoder of a picture by its extension, if that is not its name. */
const PICTURE_ENCODERS: Readonly<Record<string, string>> = {
  jpg: 'mjpeg',
  jpeg: 'mjpeg',
  tif: 'tiff',
  tga: 'targa',
  jp2: 'jpeg2000',
  webp: 'libwebp',
};
const pictureEncoder = (name: string): string => PICTURE_ENCODERS[name] ?? name;
