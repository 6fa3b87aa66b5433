import type { Tools } from '../../test/outcomes/generated/seen-media.ts';
import { runProgram } from './run-program.ts';

/** The sides of a decoded frame, which is upright, whatever its shape is. */
export const SIDE = 48;
/** Samples of decoded sound per second, and those of a step of its envelope. */
const RATE = 8000;
export const STEP_SECONDS = 0.02;

export interface Frame {
  /** Seconds from the start of the file. */
  readonly time: number;
  /** `SIDE` by `SIDE` pixels of RGBA. */
  readonly pixels: Buffer;
}

export interface Track {
  readonly language?: string;
  readonly channels: number;
  /** Its own start and end, in seconds from the start of the file. */
  readonly start: number;
  readonly end: number;
  /** The level in steps of `STEP_SECONDS`, from its own start on. */
  readonly envelope: Float32Array;
  /** Integrated, in LUFS. */
  readonly loudness: number;
  /** In dBTP. */
  readonly peak: number;
}

export interface Picture {
  /** Upright, in pixels of the display: with square pixels. */
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Frame[];
  readonly hdr: boolean;
  readonly alpha: boolean;
}

/** What a person sees and hears of a file. */
export interface MediaFacts {
  /** The time at which the last frame or sound ends. */
  readonly seconds: number;
  readonly picture?: Picture;
  readonly tracks: readonly Track[];
  readonly subtitles: readonly { readonly language?: string; readonly cues: number }[];
  readonly covers: number;
  readonly attachments: number;
  readonly chapters: number;
  readonly tags: Readonly<Record<string, string>>;
}

interface ProbedStream {
  readonly index: number;
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly height?: number;
  readonly channels?: number;
  readonly pix_fmt?: string;
  readonly color_space?: string;
  readonly color_transfer?: string;
  readonly avg_frame_rate?: string;
  readonly start_time?: string;
  readonly nb_read_packets?: string;
  readonly disposition?: { readonly attached_pic?: number };
  readonly tags?: Readonly<Record<string, string>>;
}

const PEOPLE_TAGS = ['title', 'artist', 'album'];
const DECODE_SECONDS = 180;

/** Decodes a file as a player does. undefined: nothing in it can be decoded. */
export async function readMedia(tools: Tools, file: string): Promise<MediaFacts | undefined> {
  const args = ['-v', 'error', '-count_packets', '-show_streams', '-show_chapters', '-show_format', '-of', 'json'];
  const { stdout } = await runProgram(tools.ffprobePath, [...args, `file:${file}`], DECODE_SECONDS);
  const probed = JSON.parse(stdout.toString() || '{}') as {
    readonly streams?: readonly ProbedStream[];
    readonly chapters?: readonly unknown[];
    readonly format?: { readonly start_time?: string; readonly tags?: Readonly<Record<string, string>> };
  };
  const streams = (probed.streams ?? []).filter((stream) => Number(stream.nb_read_packets ?? 0) > 0);
  const ofType = (type: string) => streams.filter((stream) => stream.codec_type === type);
  const isCover = (stream: ProbedStream): boolean => stream.disposition?.attached_pic === 1;
  const video = ofType('video').find((stream) => !isCover(stream));
  const picture = video && (await readPicture(tools, file, video));
  const heard = await Promise.all(
    ofType('audio').map((stream) => readTrack(tools, file, stream, Number(probed.format?.start_time ?? 0) || 0)),
  );
  const tracks = heard.filter((track) => track.end > track.start);
  const subtitles = ofType('subtitle').map((stream) => ({
    ...languageOf(stream),
    cues: Number(stream.nb_read_packets ?? 0),
  }));
  if (picture === undefined && tracks.length === 0 && subtitles.length === 0) return undefined;
  const tags = Object.entries({ ...ofType('audio')[0]?.tags, ...probed.format?.tags });
  return {
    seconds: Math.max(picture?.end ?? 0, ...tracks.map((track) => track.end)),
    ...(picture && { picture: picture.picture }),
    tracks,
    subtitles,
    covers: ofType('video').filter(isCover).length,
    attachments: (probed.streams ?? []).filter((stream) => stream.codec_type === 'attachment').length,
    chapters: probed.chapters?.length ?? 0,
    tags: Object.fromEntries(
      tags.flatMap(([name, value]) => (PEOPLE_TAGS.includes(name.toLowerCase()) ? [[name.toLowerCase(), value]] : [])),
    ),
  };
}

const languageOf = ({ tags }: ProbedStream): { readonly language?: string } => {
  const language = tags?.['language'];
  return language === undefined || language === 'und' ? {} : { language };
};

const hasTag = ({ tags = {} }: ProbedStream, name: string): boolean =>
  Object.keys(tags).some((one) => one.toLowerCase() === name);

async function readPicture({ ffmpegPath }: Tools, file: string, stream: ProbedStream) {
  // Players take BT.709 for untagged video in HD, and BT.601 for smaller video.
  const isTagged = stream.color_space !== undefined && stream.color_space !== 'unknown';
  const matrix =
    isTagged || stream.pix_fmt?.startsWith('yuvj') ? 'auto' : (stream.height ?? 0) >= 720 ? 'bt709' : 'bt601';
  const alphaDecoder = { vp8: 'libvpx', vp9: 'libvpx-vp9' }[
    hasTag(stream, 'alpha_mode') ? (stream.codec_name ?? '') : ''
  ];
  const { stdout, stderr } = await runProgram(
    ffmpegPath,
    [
      ...['-nostdin', '-hide_banner', ...(alphaDecoder ? ['-c:v', alphaDecoder] : []), '-i', `file:${file}`],
      ...['-map', `0:${stream.index}`, '-vf'],
      `showinfo=checksum=0,scale=${SIDE}:${SIDE}:flags=area+accurate_rnd:in_color_matrix=${matrix},format=rgba`,
      ...['-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
    ],
    DECODE_SECONDS,
  );
  const times = [...stderr.matchAll(/ pts_time:(\S+)/g)].map(([, time]) => Number(time));
  const bytes = SIDE * SIDE * 4;
  const count = Math.min(times.length, Math.floor(stdout.length / bytes));
  if (count === 0) return undefined;
  const frames = Array.from({ length: count }, (_, at): Frame => {
    const time = times[at] ?? Number.NaN;
    return { time: Number.isNaN(time) ? at / 25 : time, pixels: stdout.subarray(at * bytes, (at + 1) * bytes) };
  });
  const [num = 0, den = 1] = (stream.avg_frame_rate ?? '0/1').split('/').map(Number);
  const last = frames.at(-1)?.time ?? 0;
  // These are the frames that ffmpeg has turned.
  const [, x = 0, y = 1, width = 0, height = 0] = (/ sar:(\d+)\/(\d+) s:(\d+)x(\d+)/.exec(stderr) ?? []).map(Number);
  const picture: Picture = {
    ...{ width: x > 0 ? (width * x) / y : width, height, frames },
    hdr: ['smpte2084', 'arib-std-b67'].includes(stream.color_transfer ?? ''),
    alpha: frames.some(({ pixels }) => pixels.some((value, at) => at % 4 === 3 && value < 250)),
  };
  // A single frame has no length.
  return { picture, end: frames.length > 1 ? last + (num > 0 && den > 0 ? den / num : 0.04) : 0 };
}

async function readTrack({ ffmpegPath }: Tools, file: string, stream: ProbedStream, from: number): Promise<Track> {
  const { stdout, stderr } = await runProgram(
    ffmpegPath,
    [
      ...['-nostdin', '-hide_banner', '-i', `file:${file}`, '-map', `0:${stream.index}`, '-af'],
      `aresample=async=1,ebur128=peak=true:framelog=verbose,aresample=${RATE},aformat=channel_layouts=mono`,
      ...['-f', 'f32le', 'pipe:1'],
    ],
    DECODE_SECONDS,
  );
  const samples = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + (stdout.length & ~3)));
  const size = RATE * STEP_SECONDS;
  const envelope = new Float32Array(Math.floor(samples.length / size)).map((_, step) => {
    const piece = samples.subarray(step * size, (step + 1) * size);
    return Math.sqrt(piece.reduce((sum, value) => sum + value * value, 0) / size);
  });
  const start = Math.max(0, (Number(stream.start_time) || from) - from);
  const measured = (name: RegExp): number => Number(name.exec(stderr)?.[1] ?? Number.NaN);
  return {
    ...languageOf(stream),
    channels: stream.channels ?? 0,
    ...{ start, end: start + samples.length / RATE },
    envelope,
    loudness: measured(/Integrated loudness:\s+I:\s+(\S+) LUFS/),
    peak: measured(/True peak:\s+Peak:\s+(\S+) dBFS/),
  };
}
