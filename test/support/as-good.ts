import { readFile } from 'node:fs/promises';
import { ffmpegIn, ffprobeIn } from './run-chunks.ts';

interface Stream {
  readonly codec_type?: string;
  readonly start_time?: string;
  readonly duration?: string;
  readonly [name: string]: unknown;
}

/** What a viewer and a player notice of a file. */
interface FileFacts {
  readonly streams: readonly Stream[];
  readonly seconds: number;
  readonly tags: unknown;
  readonly chapters: unknown;
  /** The number of frames of each video. */
  readonly frames: readonly number[];
  /** When the first video begins, and the seconds by which each stream begins after it. */
  readonly start: number;
  readonly offsets: readonly number[];
}

const SAME_IN_STREAMS = [
  ...['codec_type', 'codec_name', 'width', 'height', 'pix_fmt', 'sample_aspect_ratio', 'field_order'],
  ...['color_range', 'color_space', 'color_primaries', 'color_transfer', 'channels', 'sample_rate', 'disposition'],
] as const;

async function factsOf(dir: string, file: string): Promise<FileFacts> {
  const show = async (...args: readonly string[]) =>
    JSON.parse(await ffprobeIn(dir, ['-v', 'error', ...args, '-of', 'json', file])) as {
      readonly streams: readonly (Stream & { readonly nb_read_packets?: string })[];
      readonly format?: { readonly duration?: string; readonly tags?: object };
      readonly chapters?: unknown;
    };
  const { streams, format, chapters } = await show('-show_streams', '-show_format', '-show_chapters', '-count_packets');
  const first = streams.find(({ codec_type: type }) => type === 'video');
  const startOf = ({ start_time: start = '0' }: Stream): number => Number(start);
  return {
    streams,
    seconds: Number(format?.duration),
    tags: Object.fromEntries(Object.entries(format?.tags ?? {}).filter(([name]) => !/^encoder$/i.test(name))),
    chapters,
    frames: streams.flatMap(({ codec_type: type, nb_read_packets: packets }) =>
      type === 'video' ? [Number(packets)] : [],
    ),
    start: first === undefined ? 0 : startOf(first),
    offsets: streams.map((stream) => startOf(stream) - (first === undefined ? 0 : startOf(first))),
  };
}

/** Players take a limited range for granted. */
const seenValue = (value: unknown): string | undefined => (value === 'tv' ? undefined : JSON.stringify(value));

/** How far a file in chunks may be from the whole one. */
const MOST = { seconds: 0.06, offset: 0.02, ssim: 0.003, decibels: 3 };

/** How long before and after a seam no frame may be much worse: about ten frames. */
const SEAM_SECONDS = 0.4;

/** Frames per second at which files are compared, so that the frames of each are those that are shown at these times. */
const RATE = 50;

/** The longest delay of audio, in seconds. */
const SHIFT_SECONDS = 0.04;

/** Above this, in decibels, nobody sees a difference. */
const INVISIBLE = 50;

export interface Compared {
  /** The file of the input, the whole conversion and the conversion in chunks, in the folder. */
  readonly source: string;
  readonly whole: string;
  readonly inChunks: string;
  /** The filters that the output has and the source lacks. */
  readonly filters: string;
  /** The number of chunks. */
  readonly chunks: number;
  /** The seconds at which chunks begin, without the first. */
  readonly seams: readonly number[];
  /** How much lower the mean SSIM may be. Default: 0.003. */
  readonly ssim?: number;
  /** How much worse than in the whole conversion a frame near a seam may be. Default: 3. */
  readonly decibels?: number;
}

/** In what a conversion in chunks falls short of the whole one, in words. Empty: it is as good. */
export async function shortfalls(
  dir: string,
  { source, whole, inChunks, filters, chunks, seams, ssim: mostSsim = MOST.ssim, decibels = MOST.decibels }: Compared,
): Promise<readonly string[]> {
  const [expected, found] = [await factsOf(dir, whole), await factsOf(dir, inChunks)];
  const kinds = ({ streams }: FileFacts): string =>
    streams
      .map((one) => one.codec_type)
      .toSorted()
      .join();
  if (kinds(expected) !== kinds(found)) return [`streams ${kinds(found)} instead of ${kinds(expected)}`];
  const differing = expected.streams.flatMap((stream, at) =>
    SAME_IN_STREAMS.flatMap((name) =>
      seenValue(stream[name]) === seenValue(found.streams[at]?.[name])
        ? []
        : [
            `stream ${at}: ${name} ${JSON.stringify(found.streams[at]?.[name])} instead of ${JSON.stringify(stream[name])}`,
          ],
    ),
  );
  const ofSource = await factsOf(dir, source);
  /** A delay of the audio moves a whole file by some milliseconds. */
  const shiftOf = ({ start }: FileFacts): number =>
    Math.abs(start - ofSource.start) < SHIFT_SECONDS ? start - ofSource.start : 0;
  const ssim = [
    await similarityOf(dir, source, whole, { filters, shift: shiftOf(expected) }),
    await similarityOf(dir, source, inChunks, { filters, shift: shiftOf(found) }),
  ];
  const [before = [], after = []] = ssim.map((one) => one.decibels);
  const lowerBy = (at: number): number => (before[at] ?? 0) - (after[at] ?? 99);
  const frameAt = (seconds: number): number => Math.round(seconds * RATE);
  const worse = seams.flatMap((seam) =>
    Array.from({ length: 2 * frameAt(SEAM_SECONDS) }, (_, at) => frameAt(seam - SEAM_SECONDS) + at).filter((frame) => {
      const isWorse = (at: number): boolean => lowerBy(at) > decibels && (after[at] ?? 99) < INVISIBLE;
      // A single one is a frame that is shown a little later.
      return isWorse(frame) && (isWorse(frame - 1) || isWorse(frame + 1));
    }),
  );
  const [input = 0] = ofSource.frames;
  return [
    ...differing,
    ...(JSON.stringify(expected.tags) === JSON.stringify(found.tags)
      ? []
      : [`tags ${JSON.stringify(found.tags)} instead of ${JSON.stringify(expected.tags)}`]),
    ...(JSON.stringify(expected.chapters) === JSON.stringify(found.chapters) ? [] : ['other chapters']),
    ...(Math.abs(expected.seconds - found.seconds) <= MOST.seconds
      ? []
      : [`${found.seconds} s instead of ${expected.seconds}`]),
    // A whole conversion may repeat frames to keep a constant rate, which chunks need not.
    ...expected.frames.flatMap((count, at) => {
      const is = found.frames[at] ?? 0;
      const fits = is > Math.min(count, input) - chunks && is < Math.max(count, input) + chunks;
      return fits ? [] : [`${is} frames instead of ${count}`];
    }),
    ...expected.offsets.flatMap((offset, at) => {
      const is = found.offsets[at] ?? 0;
      const far = Math.min(Math.abs(is - offset), ...ofSource.offsets.map((one) => Math.abs(is - one)));
      return far <= MOST.offset ? [] : [`stream ${at} begins ${is} s after the video instead of ${offset}`];
    }),
    ...((ssim[0]?.mean ?? 0) - (ssim[1]?.mean ?? 0) <= mostSsim
      ? []
      : [`SSIM ${ssim[1]?.mean} instead of ${ssim[0]?.mean}`]),
    ...(worse.length === 0
      ? []
      : [`frames are much worse: ${worse.map((at) => `${at} (${lowerBy(at).toFixed(1)} dB)`).join(', ')}`]),
  ];
}

/** How alike a file and its source are, as a mean and by frame in decibels. */
async function similarityOf(
  dir: string,
  source: string,
  file: string,
  { filters, shift }: { readonly filters: string; readonly shift: number },
): Promise<{ readonly mean: number; readonly decibels: readonly number[] }> {
  // Containers round times by less than 5 ms.
  const sampled = (by: number): string =>
    `setpts=PTS+${0.005 - by}/TB,fps=${RATE}:start_time=0:round=down,settb=1/${RATE},setpts=N,format=yuv420p`;
  const graph = `[0:V]${filters},${sampled(0)},split[a][b];[1:V]${sampled(shift)},split[c][d];[c][a]ssim;[d][b]psnr=stats_file=pass/psnr.log`;
  const log = await ffmpegIn(dir, [
    ...['-hide_banner', '-nostdin', '-i', source, '-i', file, '-lavfi', graph, '-fps_mode', 'passthrough'],
    ...['-f', 'null', '-'],
  ]);
  const mean = /SSIM .*All:([\d.]+)/.exec(log)?.[1];
  if (mean === undefined) throw new Error(log);
  const lines = (await readFile(`${dir}/pass/psnr.log`, 'utf8')).split('\n');
  const decibels = lines.flatMap((line) => {
    const value = /psnr_avg:(\S+)/.exec(line)?.[1];
    return value === undefined ? [] : [value === 'inf' ? 99 : Number(value)];
  });
  return { mean: Number(mean), decibels };
}
