import { GRID, WINDOW } from '../../test/outcomes/generated/coded-frames.ts';
import { ofKind, probeMedia, type SeenStream, type Tools } from '../../test/outcomes/generated/seen-media.ts';
import { runProgram } from '../../test/outcomes/generated/sources.ts';

/** Samples of decoded sound per second, and those of a step of its envelope. */
const RATE = 8000;
export const STEP_SECONDS = 0.02;

/** A frame, turned upright and scaled to a square. Transparent parts are white. */
export interface Frame {
  /** Seconds from the start of the file. */
  readonly time: number;
  /** `GRID` by `GRID` values up to 255. */
  readonly luma: ArrayLike<number>;
  /** The mean red, green and blue of each window. */
  readonly colours: ArrayLike<number>;
}

export interface Track {
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
  /** The number of stored pixels. */
  readonly pixels: number;
  readonly frames: readonly Frame[];
  readonly hdr: boolean;
  readonly alpha: boolean;
}

/** What a person sees and hears of a file. */
export interface MediaFacts {
  /** The time at which the last frame or sound ends. */
  readonly seconds: number;
  readonly picture?: Picture | undefined;
  readonly tracks: readonly Track[];
  /** What a file has by names or numbers. */
  readonly lists: Readonly<Record<Listed, readonly string[]>>;
}

export type Listed = 'tracks' | 'languages' | 'subtitles' | 'chapters' | 'cover' | 'attachments' | 'tags';

const PEOPLE_TAGS = /^(?:title|artist|album)$/i;

/** Decodes a file as a player does. `turns`: by how many quarters to the right its frames are turned. undefined: nothing in it can be decoded. */
export async function readMedia(tools: Tools, file: string, turns = 0): Promise<MediaFacts | undefined> {
  const { streams, chapters, format } = await probeMedia(tools, file, '-count_packets').catch(() => ({
    ...{ streams: [], chapters: [], format: undefined },
  }));
  const filled = { streams: streams.filter(({ nb_read_packets: packets = '0' }) => packets !== '0') };
  const [video] = ofKind(filled, 'video');
  const audio = ofKind(filled, 'audio');
  const { picture, end = 0 } = (video && (await readPicture(tools, file, video, turns))) ?? {};
  const heard = await Promise.all(audio.map((stream) => readTrack(tools, file, stream)));
  const tracks = heard.filter((track) => track.end > track.start);
  const subtitles = ofKind(filled, 'subtitle');
  if (picture === undefined && tracks.length + subtitles.length === 0) return undefined;
  const tags = Object.entries({ ...audio[0]?.tags, ...format?.tags }).filter(([name]) => PEOPLE_TAGS.test(name));
  const languages = [...audio, ...subtitles].map((stream) => stream.tags?.['language'] ?? 'und');
  const numbers = (all: readonly unknown[]): readonly string[] => all.map((_, at) => `${at + 1}`);
  return {
    ...{ picture, tracks, seconds: Math.max(end, ...tracks.map((track) => track.end)) },
    lists: {
      ...{ tracks: numbers(tracks), subtitles: numbers(subtitles), chapters: numbers(chapters) },
      languages: languages.filter((language) => language !== 'und'),
      cover: filled.streams.some(({ disposition }) => disposition?.attached_pic === 1) ? ['a cover'] : [],
      attachments: numbers(ofKind({ streams }, 'attachment')),
      tags: tags.map(([name, value]) => `${name.toLowerCase()} ${value.trim()}`),
    },
  };
}

async function readPicture({ ffmpegPath }: Tools, file: string, stream: SeenStream, turns: number) {
  const { color_space: space = 'unknown', pix_fmt: format = '', codec_name: codec = '', height = 0 } = stream;
  // Players take BT.709 for untagged video in HD, and BT.601 for smaller video and VP8, which has no other colours.
  const isHd = height >= 720 && codec !== 'vp8';
  const matrix = space !== 'unknown' || format.startsWith('yuvj') ? 'auto' : isHd ? 'bt709' : 'bt601';
  const hasAlphaLayer = Object.keys(stream.tags ?? {}).some((name) => name.toLowerCase() === 'alpha_mode');
  const decoder = hasAlphaLayer ? { vp8: ['-c:v', 'libvpx'], vp9: ['-c:v', 'libvpx-vp9'] }[codec] : undefined;
  const filters = `scale=${GRID}:${GRID}:flags=area+accurate_rnd:in_color_matrix=${matrix},format=rgba`;
  const { stdout, stderr } = await runProgram(ffmpegPath, [
    ...['-nostdin', '-hide_banner', ...(decoder ?? []), '-i', `file:${file}`, '-map', `0:${stream.index}`, '-vf'],
    `${'transpose=cclock,'.repeat(turns)}showinfo=checksum=0,${filters}`,
    ...['-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
  ]);
  const times = [...stderr.matchAll(/ pts_time:(\S+)/g)].map(([, time]) => Number(time));
  const bytes = GRID * GRID * 4;
  const count = Math.min(times.length, Math.floor(stdout.length / bytes));
  if (count === 0) return undefined;
  const frames = times
    .slice(0, count)
    .map((time, at) => frameOf(Number.isNaN(time) ? at / 25 : time, stdout.subarray(at * bytes, (at + 1) * bytes)));
  const [num = 0, den = 0] = (stream.avg_frame_rate ?? '').split('/').map(Number);
  const [, x = 0, y = 1, width = 0, rows = 0] = (/ sar:(\d+)\/(\d+) s:(\d+)x(\d+)/.exec(stderr) ?? []).map(Number);
  const picture: Picture = {
    ...{ width: x > 0 ? (width * x) / y : width, height: rows, pixels: width * rows, frames },
    hdr: /^(?:smpte2084|arib-std-b67)$/.test(stream.color_transfer ?? ''),
    alpha: stdout.some((value, at) => at % 4 === 3 && value < 250),
  };
  const end = (frames.at(-1)?.time ?? 0) + (num * den > 0 ? den / num : 0.04);
  // A single frame has no length, and the last one of a GIF has its own.
  return { picture, end: count === 1 ? 0 : codec === 'gif' ? Number(stream.duration ?? end) : end };
}

/** `pixels`: `GRID` by `GRID` pixels of RGBA. */
export function frameOf(time: number, pixels: Uint8Array): Frame {
  const [luma, colours] = [new Float32Array(GRID * GRID), new Float32Array((GRID / WINDOW) ** 2 * 3)];
  for (let at = 0; at < luma.length; at += 1) {
    const opacity = (pixels[at * 4 + 3] ?? 0) / 255;
    const window = Math.floor(at / GRID / WINDOW) * (GRID / WINDOW) + Math.floor((at % GRID) / WINDOW);
    for (const [channel, weight] of [0.299, 0.587, 0.114].entries()) {
      const value = 255 + ((pixels[at * 4 + channel] ?? 0) - 255) * opacity;
      luma[at] = (luma[at] ?? 0) + weight * value;
      colours[window * 3 + channel] = (colours[window * 3 + channel] ?? 0) + value / WINDOW ** 2;
    }
  }
  return { time, luma, colours };
}

async function readTrack({ ffmpegPath }: Tools, file: string, stream: SeenStream): Promise<Track> {
  const { stdout, stderr } = await runProgram(ffmpegPath, [
    ...['-nostdin', '-hide_banner', '-i', `file:${file}`, '-map', `0:${stream.index}`, '-af'],
    // Some decoders clip what exceeds the full scale, and players do too.
    `ashowinfo,aresample=async=1,aformat=sample_fmts=s16,ebur128=peak=true:framelog=verbose,aresample=${RATE},aformat=channel_layouts=mono`,
    ...['-f', 'f32le', 'pipe:1'],
  ]);
  const samples = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + (stdout.length & ~3)));
  const size = RATE * STEP_SECONDS;
  const envelope = new Float32Array(Math.floor(samples.length / size)).map((_, step) => {
    const piece = samples.subarray(step * size, (step + 1) * size);
    return Math.sqrt(piece.reduce((sum, value) => sum + value * value, 0) / size);
  });
  // The first sample may be later than the first packet says.
  const start = Math.max(0, Number(/ pts_time:(\S+)/.exec(stderr)?.[1]) || 0);
  const measured = (name: RegExp): number => Number(name.exec(stderr)?.[1] ?? Number.NaN);
  return {
    ...{ channels: stream.channels ?? 0, envelope, start, end: start + samples.length / RATE },
    loudness: measured(/Integrated loudness:\s+I:\s+(\S+) LUFS/),
    peak: measured(/True peak:\s+Peak:\s+(\S+) dBFS/),
  };
}
