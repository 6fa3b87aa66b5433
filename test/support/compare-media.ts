import { ffmpegIn, ffprobeIn } from './run-chunks.ts';

/** What two files must have in common to be the same film, apart from the bits of the video. */
export interface FilmFacts {
  /** The time of each frame, in ticks, in the order in which they are shown. */
  readonly frames: readonly string[];
  /** Each packet of each other stream: its time, duration, side data and a hash of its data. */
  readonly packets: readonly string[];
  /** The side data of frames that is about the picture, such as that of HDR10, without repetition. */
  readonly sideData: readonly string[];
  readonly streams: unknown;
  readonly format: unknown;
  readonly chapters: unknown;
}

/** Properties of streams that depend on the bits of the video, or on the position of packets in the file. */
const NOT_COMPARED = new Set(['bit_rate', 'extradata_hash', 'extradata_size', 'id', 'nb_read_packets', 'max_bit_rate']);

export async function filmFacts(dir: string, file: string): Promise<FilmFacts> {
  const show = async (args: readonly string[]) =>
    JSON.parse(await ffprobeIn(dir, ['-v', 'error', ...args, '-of', 'json', file])) as Record<string, unknown[]>;
  const frames = await show([
    ...['-select_streams', 'V', '-show_entries'],
    'frame=pts,interlaced_frame,top_field_first,width,height,pix_fmt,color_range,color_space,color_primaries,color_transfer,sample_aspect_ratio:frame_side_data',
  ]);
  const all = await show(['-show_streams', '-show_format', '-show_chapters']);
  const packets = await show(['-show_packets', '-show_data_hash', 'md5']);
  const streams = (all['streams'] ?? []) as Record<string, unknown>[];
  const videos = new Set(streams.filter((stream) => stream['codec_type'] === 'video').map((stream) => stream['index']));
  const {
    filename: _,
    size: __,
    bit_rate: ___,
    probe_score: ____,
    ...format
  } = all['format'] as unknown as Record<string, unknown>;
  return {
    frames: (frames['frames'] ?? []).map((frame) =>
      JSON.stringify({ ...(frame as object), side_data_list: undefined }),
    ),
    sideData: [...new Set((frames['frames'] ?? []).flatMap(sideDataOf))].toSorted(),
    packets: ((packets['packets'] ?? []) as Record<string, unknown>[])
      .filter((packet) => !videos.has(packet['stream_index']))
      .map(({ pos: _pos, ...packet }) => JSON.stringify(packet))
      .toSorted(),
    streams: streams.map((stream) =>
      Object.fromEntries(Object.entries(stream).filter(([name]) => !NOT_COMPARED.has(name))),
    ),
    format,
    chapters: all['chapters'],
  };
}

/** The bit rates in a manifest that a muxer measures: those of DASH, and of ffmpeg 7 those of a master playlist, which then has averages. */
const MEASURED = / bandwidth="(\d+)"|BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+)/g;

export const withoutMeasuredRates = (manifest: string): string => manifest.replace(MEASURED, '');

export const measuredRates = (manifest: string): readonly number[] =>
  [...manifest.matchAll(MEASURED)].flatMap(([, ...rates]) => rates.filter((rate) => rate !== undefined).map(Number));

/**
 * The similarity of two films, frame by frame by number: 1 is equal. `filters`: what the first still needs. `pixelFormat`: in which both are
 * compared. A chroma with fewer lines looks more alike.
 */
export async function similarity(
  dir: string,
  reference: string,
  file: string,
  filters = 'null',
  pixelFormat = 'yuv420p',
): Promise<number> {
  const numbered = `settb=1/25,setpts=N,format=${pixelFormat}`;
  const graph = `[0:V]${filters},${numbered}[a];[1:V]${numbered}[b];[b][a]ssim`;
  const log = await ffmpegIn(dir, [
    ...['-hide_banner', '-nostdin', '-i', reference, '-i', file, '-lavfi', graph, '-fps_mode', 'passthrough'],
    ...['-f', 'null', '-'],
  ]);
  const all = /SSIM .*All:([\d.]+)/.exec(log)?.[1];
  if (all === undefined) throw new Error(log);
  return Number(all);
}

/** Encoders write their own parameters and buffers as data of the first frame. */
const OF_ENCODERS = /User Data Unregistered|CPB properties/;

const sideDataOf = (frame: unknown): readonly string[] =>
  ((frame as { side_data_list?: readonly Record<string, unknown>[] }).side_data_list ?? [])
    .map((data) => JSON.stringify(data))
    .filter((text) => !OF_ENCODERS.test(text));

/** The closed captions in the frames of a film: the time and a hash of each. */
export async function closedCaptions(dir: string, file: string): Promise<readonly string[]> {
  const source = ['-f', 'lavfi', `movie=${file}[out0+subcc]`];
  const args = ['-v', 'error', '-select_streams', 's', '-show_packets', '-show_data_hash', 'md5', '-of', 'json'];
  const { packets = [] } = JSON.parse(await ffprobeIn(dir, [...args, ...source])) as {
    readonly packets?: readonly { readonly pts_time?: string; readonly data_hash?: string }[];
  };
  return packets.map(({ pts_time: time = '', data_hash: hash = '' }) => `${time} ${hash}`);
}

/** The sizes of the frames of a video in the order of decoding, and the times at which they are decoded, up to a constant. */
async function framesOf(
  dir: string,
  file: string,
): Promise<readonly { readonly bits: number; readonly time: number }[]> {
  const listed = await ffprobeIn(dir, [
    ...['-v', 'error', '-select_streams', 'V:0', '-show_entries', 'packet=pts_time,size', '-of', 'csv=p=0', file],
  ]);
  const packets = listed.split('\n').flatMap((line) => {
    const [, time, size] = /^([\d.-]+),(\d+)/.exec(line) ?? [];
    return size === undefined ? [] : [{ time: Number(time), bits: Number(size) * 8 }];
  });
  const times = packets.map(({ time }) => time).toSorted((a, b) => a - b);
  return packets.map(({ bits }, at) => ({ bits, time: times[at] ?? 0 }));
}

/** The average bits per second of a video. The last frame counts as long as the others. */
export async function averageRate(dir: string, file: string): Promise<number> {
  const frames = await framesOf(dir, file);
  const seconds = ((frames.at(-1)?.time ?? 0) - (frames[0]?.time ?? 0)) * (frames.length / (frames.length - 1));
  return frames.reduce((sum, { bits }) => sum + bits, 0) / seconds;
}

/**
 * The fewest bits that a decoder has in its buffer after it has taken a frame of a video. Below zero: the buffer lacks bits.
 *
 * @param first The bits in the buffer at the start.
 */
export async function emptiestBuffer(
  dir: string,
  file: string,
  { rate, buffer, first }: { readonly rate: number; readonly buffer: number; readonly first: number },
): Promise<number> {
  const frames = await framesOf(dir, file);
  let [fill, least] = [first, first];
  for (const [at, { bits, time }] of frames.entries()) {
    const before = frames[at - 1]?.time ?? time;
    fill = Math.min(buffer, fill + rate * (time - before)) - bits;
    least = Math.min(least, fill);
  }
  return least;
}

/** The most differences of a kind that are reported. */
const MAX_DIFFERENCES = 6;

/** How two films differ, in words. Empty: they do not. `seconds`: by how much the lengths that a file states may differ. */
export function differences(expected: FilmFacts, found: FilmFacts, seconds = 0.0011): readonly string[] {
  return [
    ...inList('frame', expected.frames, found.frames),
    ...inList('packet', expected.packets, found.packets),
    ...inList('side datum', expected.sideData, found.sideData),
    ...inValue('streams', expected.streams, found.streams, seconds),
    ...inValue('format', expected.format, found.format, seconds),
    ...inValue('chapters', expected.chapters, found.chapters, 0),
  ];
}

function inList(what: string, expected: readonly string[], found: readonly string[]): readonly string[] {
  const differing = Array.from({ length: Math.max(expected.length, found.length) }, (_, at) => at).filter(
    (at) => expected[at] !== found[at],
  );
  return [
    ...(expected.length === found.length ? [] : [`${found.length} instead of ${expected.length} ${what}s`]),
    ...differing.slice(0, MAX_DIFFERENCES).map((at) => `${what} ${at}: ${found[at]} instead of ${expected[at]}`),
  ];
}

function inValue(path: string, expected: unknown, found: unknown, seconds: number): readonly string[] {
  if (typeof expected === 'object' && expected !== null && typeof found === 'object' && found !== null) {
    const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
    return [...names].flatMap((name) =>
      inValue(
        `${path}.${name}`,
        (expected as Record<string, unknown>)[name],
        (found as Record<string, unknown>)[name],
        seconds,
      ),
    );
  }
  if (expected === found || areNear(path, expected, found, seconds)) return [];
  return [`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
}

/** Matroska states lengths in milliseconds, and the length of a last frame that is copied is rounded down once more. */
function areNear(path: string, expected: unknown, found: unknown, limit: number): boolean {
  if (path.endsWith('.duration_ts')) return [1, 90].includes(Math.abs(Number(expected) - Number(found)));
  if (typeof expected !== 'string' || typeof found !== 'string' || !/\.(?:DURATION|duration)$/.test(path)) return false;
  const seconds = (text: string): number => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.abs(seconds(expected) - seconds(found)) < limit;
}
