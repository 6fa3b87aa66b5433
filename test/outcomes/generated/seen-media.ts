import { READ_HEIGHT, READ_WIDTH, readFrame, type SeenFrame } from './coded-frames.ts';
import { AMPLITUDE, baseHz, runBytes, runText, SLOPE_HZ } from './sources.ts';

export interface Tools {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** A frame and the time at which it appears, in seconds from the start of the file. */
export interface TimedFrame extends SeenFrame {
  readonly time: number;
}

/** The sample rate of decoded sound. */
const RATE = 8000;

/** What a player would show and play of a file. */
export interface SeenMedia {
  readonly frames: readonly TimedFrame[];
  readonly sounds: readonly Float32Array[];
  readonly streams: readonly SeenStream[];
  readonly chapters: number;
  readonly hasCover: boolean;
  readonly seconds: number;
  /** The tag `title` of the file. */
  readonly title?: string;
  /** The name of the program of an MPEG-TS, in which it has its title. */
  readonly service?: string;
}

export interface SeenStream {
  readonly index: number;
  readonly codec_type: string;
  readonly codec_name?: string;
  readonly start_time?: string;
  readonly duration?: string;
  readonly width?: number;
  readonly height?: number;
  readonly channels?: number;
  readonly color_space?: string;
  readonly color_transfer?: string;
  readonly pix_fmt?: string;
  readonly avg_frame_rate?: string;
  /** With `-count_packets`. */
  readonly nb_read_packets?: string;
  readonly disposition?: { readonly attached_pic?: number };
  readonly tags?: Readonly<Record<string, string>>;
}

interface ProbedMedia {
  readonly programs?: readonly { readonly tags?: SeenStream['tags'] }[];
  readonly streams: readonly SeenStream[];
  readonly chapters: readonly unknown[];
  readonly format?: {
    readonly duration?: string;
    readonly start_time?: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
}

/** Reads the header of a file by ffprobe, with more options. Throws if nothing in it can be read. */
export async function probeMedia(
  { ffprobePath }: Tools,
  file: string,
  ...more: readonly string[]
): Promise<ProbedMedia> {
  const shown = ['-show_programs', '-show_streams', '-show_chapters', '-show_format', '-of', 'json'];
  const text = await runText(ffprobePath, ['-v', 'error', ...more, ...shown, `file:${file}`]);
  return { streams: [], chapters: [], ...(JSON.parse(text) as Partial<ProbedMedia>) };
}

/** Decodes a file and reads what is in it. */
export async function seeMedia({ ffmpegPath, ffprobePath }: Tools, file: string): Promise<SeenMedia> {
  const probed = await probeMedia({ ffmpegPath, ffprobePath }, file);
  const { programs: [program] = [], streams, chapters, format = {} } = probed;
  const service = program?.tags?.['service_name'];
  const isVideo = (stream: SeenStream): boolean =>
    stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1;
  const start = Number(format.start_time ?? 0);
  const video = streams.findIndex(isVideo);
  const tracks = streams.filter(({ codec_type: type }) => type === 'audio').length;
  // In Ogg, the tags are those of the stream.
  const title = Object.entries({ ...streams[0]?.tags, ...format.tags }).find(
    ([name]) => name.toLowerCase() === 'title',
  )?.[1];
  const frames = video < 0 ? [] : await seeFrames({ ffmpegPath, ffprobePath }, file, video, start);
  return {
    frames,
    sounds: await Promise.all(Array.from({ length: tracks }, (_, track) => hear(ffmpegPath, file, track))),
    streams,
    chapters: chapters.length,
    hasCover: streams.some(({ disposition }) => disposition?.attached_pic === 1),
    // ffmpeg reads only the whole seconds of a manifest of DASH.
    seconds: file.endsWith('.mpd')
      ? (frames.at(-1)?.time ?? 0) + 0.03
      : Math.min(Number(format.duration ?? 0), ...lengthOf(streams, start)),
    ...(title !== undefined && { title }),
    ...(service !== undefined && { service }),
  };
}

/** When the last video or audio ends. A subtitle of a part may last longer, because it stays as long as it was. Empty: unknown. */
function lengthOf(streams: readonly SeenStream[], start: number): readonly number[] {
  if (!streams.some(({ codec_type: type }) => type === 'subtitle')) return [];
  const ends = streams.flatMap(({ codec_type: type, disposition, start_time: from = '0', duration, tags }) => {
    if (!/^(?:video|audio)$/.test(type) || disposition?.attached_pic === 1) return [];
    const [hours = 0, minutes = 0, seconds = Number.NaN] = (tags?.['DURATION'] ?? '').split(':').map(Number);
    const end = duration === undefined ? 3600 * hours + 60 * minutes + seconds : Number(from) + Number(duration);
    return Number.isNaN(end) ? [] : [end - start];
  });
  return ends.length === 0 ? [] : [Math.max(...ends)];
}

async function seeFrames({ ffmpegPath, ffprobePath }: Tools, file: string, stream: number, start: number) {
  const filters = `scale=${READ_WIDTH}:${READ_HEIGHT}:flags=area,format=rgba`;
  const [bytes, text] = await Promise.all([
    runBytes(ffmpegPath, [
      ...['-nostdin', '-v', 'error', '-i', `file:${file}`, '-map', `0:${stream}`, '-vf', filters],
      ...['-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
    ]),
    runText(ffprobePath, [
      ...['-v', 'error', '-select_streams', `${stream}`, '-show_entries', 'frame=best_effort_timestamp_time'],
      ...['-of', 'csv=p=0', `file:${file}`],
    ]),
  ]);
  const times = text.split('\n').flatMap((line) => (line === '' ? [] : [Number.parseFloat(line)]));
  const size = READ_WIDTH * READ_HEIGHT * 4;
  return Array.from(
    { length: Math.floor(bytes.length / size) },
    (_, at): TimedFrame => ({
      ...readFrame(bytes.subarray(at * size, (at + 1) * size)),
      time: (times[at] ?? Number.NaN) - start,
    }),
  );
}

/** Decodes a track from the start of the file on, with silence where it has none. */
async function hear(ffmpegPath: string, file: string, track: number): Promise<Float32Array> {
  const bytes = await runBytes(ffmpegPath, [
    ...['-nostdin', '-v', 'error', '-i', `file:${file}`, '-map', `0:a:${track}`],
    // The first channel: all have the same sound.
    ...['-af', 'aresample=async=1:first_pts=0,pan=mono|c0=c0', '-ar', `${RATE}`, '-f', 'f32le', 'pipe:1'],
  ]);
  return new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
}

/** The length of the pieces of sound that are measured. */
export const WINDOW_SECONDS = 0.08;

/** What is heard at a time. */
export interface HeardSound {
  /** The time of the source, by the frequency of its track, in seconds. undefined: silence. */
  readonly sourceTime: number | undefined;
  /** The level beside that of the source, in dB. */
  readonly level: number;
}

/** Measures the piece of sound around a time by its zero crossings. `track`: the track of the source that it should be. */
export function hearAt(sound: Float32Array, time: number, track: number): HeardSound {
  const from = Math.max(0, Math.round((time - WINDOW_SECONDS / 2) * RATE));
  const piece = sound.subarray(from, from + Math.round(WINDOW_SECONDS * RATE));
  const power = piece.reduce((sum, value) => sum + value * value, 0) / Math.max(1, piece.length);
  const level = 10 * Math.log10(power / (AMPLITUDE ** 2 / 2) + 1e-9);
  const crossings: number[] = [];
  for (let at = 1; at < piece.length; at += 1) {
    const [before = 0, after = 0] = [piece[at - 1], piece[at]];
    if (before < 0 && after >= 0) crossings.push(at - 1 + before / (before - after));
  }
  const [first = 0, last = 0] = [crossings[0], crossings.at(-1)];
  if (crossings.length < 3 || level < SILENT_DB) return { sourceTime: undefined, level };
  const hz = ((crossings.length - 1) * RATE) / (last - first);
  // The frequency is that in the middle between the first and the last crossing.
  const middle = (from + (first + last) / 2) / RATE;
  return { sourceTime: (hz - baseHz(track)) / SLOPE_HZ - (middle - time), level };
}

const SILENT_DB = -40;

/** The level that two samples of a hundred exceed. Encoders with loss exceed it where sound begins or ends. */
export const peakOf = (sound: Float32Array = new Float32Array()): number =>
  sound.map(Math.abs).sort()[Math.floor(0.98 * sound.length)] ?? 0;

/** The streams of one kind, without covers. */
export const ofKind = (media: Pick<SeenMedia, 'streams'>, kind: string): readonly SeenStream[] =>
  media.streams.filter(({ codec_type: type, disposition }) => type === kind && disposition?.attached_pic !== 1);
