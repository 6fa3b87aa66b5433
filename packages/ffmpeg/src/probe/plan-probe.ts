import type { ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { PathScope } from '@telecine/contract/domain/media-root.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { parseInputPath } from '@telecine/contract/domain/url-input.ts';
import { drawingError, INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { readProbeOptions } from './probe-options.ts';

export interface ProbePlan {
  readonly path: MediaPath;
  /** The whole URL with its secrets, if the file is at a URL. */
  readonly url?: string;
  /** The name in the argv: `in/0.mp4`. */
  readonly logical: string;
  /** The arguments of ffprobe, without the name of the program. */
  readonly argv: readonly string[];
  /** The arguments with which ffprobe can read the file. */
  readonly options?: readonly string[];
  /** Present if the file is measured if its header states no length. */
  readonly measuresLength?: true;
  /** Present if the request asks for the key frames near this time, in seconds from the start of the file. */
  readonly keyFramesNear?: number;
}

type PlannedProbe =
  | { readonly ok: true; readonly plan: ProbePlan }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const HEAD = ['-hide_banner', '-loglevel', 'level+error', '-of', 'json'];
const SECTIONS = ['-show_format', '-show_streams', '-show_chapters'];
const STREAMS = ['-show_format', '-show_streams', '-show_data_hash', 'md5'];
/** Shows the first packet, which is missing in a file that ends after its header. */
const FIRST_PACKET = ['-show_packets', '-show_entries', 'packet=stream_index', '-read_intervals', '%+#1'];
/** Arguments that restrict ffprobe in the same way as inputs of conversions. */
const RESTRICTIONS = ['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS];

/** Plans a probe, or returns all errors of the request. Pure. */
export function planProbe(request: ProbeRequest, scope: PathScope): PlannedProbe {
  const errors: FieldError[] = [];
  const { path, url } = parseInputPath(request.input, scope);
  if (typeof path !== 'string') errors.push({ field: '/input', ...path });
  const drawing = typeof path === 'string' ? drawingError(extension(path)) : undefined;
  if (drawing !== undefined) errors.push({ field: '/input', ...drawing });
  const options = readProbeOptions(request.parameters, errors);
  if (typeof path !== 'string' || errors.length > 0) return { ok: false, errors };
  const { keyFramesNear: near } = request;
  const plan = {
    ...probePlanFor(path, options),
    ...(url === undefined ? {} : { url }),
    ...(near !== undefined && { keyFramesNear: near }),
  };
  return { ok: true, plan };
}

/** A file, and the arguments with which ffprobe can read it. */
export type ProbedFile = Pick<ProbePlan, 'path' | 'logical' | 'options'>;

const planFor = ({ path, logical, options = [] }: ProbedFile, ...args: readonly string[]): ProbePlan => ({
  path,
  logical,
  options,
  argv: [...HEAD, ...args, ...options, ...RESTRICTIONS, '-i', `file:${logical}`],
});

/** How far before and after the requested time key frames are listed, in seconds. */
const KEY_FRAME_SECONDS = 10;

/**
 * Plans a probe that lists the packets of a video near a time, and from the key frame before them. It reads only this part of the file.
 *
 * @param near In seconds from the start of the file.
 * @param video.start The first timestamp of the file in seconds.
 */
export function keyFramesPlan(
  file: ProbedFile,
  near: number,
  { stream, start }: { readonly stream: number; readonly start: number },
): ProbePlan {
  const from = near <= KEY_FRAME_SECONDS ? '' : (near - KEY_FRAME_SECONDS + start).toFixed(6);
  const to = (near + KEY_FRAME_SECONDS + start).toFixed(6);
  return planFor(
    file,
    ...[...STREAMS, '-select_streams', String(stream)],
    ...['-show_packets', '-show_entries', 'packet=stream_index,pts_time,flags', '-read_intervals', `${from}%${to}`],
  );
}

/**
 * Plans a probe that lists where packets of a video are in the file: from the key frame before each of these intervals to its end, and last
 * the key frame before `end`. It reads only these parts of the file.
 *
 * @param intervals In seconds, in the timestamps of the file, like `end`.
 */
export const packetPositionsPlan = (
  { path, logical }: ProbedFile,
  stream: number,
  intervals: readonly (readonly [from: number, to: number])[],
  end: number,
): ProbePlan =>
  planFor(
    { path, logical },
    ...[...STREAMS, '-select_streams', String(stream)],
    ...['-show_packets', '-show_entries', 'packet=stream_index,pts_time,pos,size', '-read_intervals'],
    [...intervals.map(([from, to]) => `${from.toFixed(6)}%${to.toFixed(6)}`), `${end.toFixed(6)}%+#1`].join(','),
  );

/** How many packets to list: enough to find the first video packet. */
const FIRST_PACKETS = 200;

/** How many seconds of packets after a seek to list: packets are not in the order of their times. */
const AFTER_SEEK = 10;

/**
 * Plans a probe of an input of a job, under its name in the job's argv. It lists the first packets, or the packets from the key frame before
 * a time on.
 *
 * @param seconds Where to seek, in the timestamps of the file. Default: the first packet.
 * @param lead How much earlier to begin, in a stream without an index, in which a seek finds no key frame. The times are then those at which
 * packets are decoded: a seek looks for these.
 */
export function clipProbePlan(file: ProbedFile, seconds?: number, lead = 0): ProbePlan {
  const from = seconds === undefined || seconds <= lead ? '' : seconds - lead;
  return planFor(
    file,
    ...[...SECTIONS, '-show_data_hash', 'md5', '-show_packets', '-show_entries'],
    `packet=stream_index,${lead === 0 ? 'pts_time' : 'dts_time'},duration_time,flags`,
    ...['-read_intervals', seconds === undefined ? `%+#${FIRST_PACKETS}` : `${from}%${seconds + AFTER_SEEK}`],
  );
}

/** Plans a probe that reads the whole file to count the packets of its first audio stream. */
export const countingPlan = (file: ProbedFile): ProbePlan =>
  planFor(file, ...STREAMS, '-count_packets', '-select_streams', 'a:0');

/** In seconds. A seek to this time ends at the last key frame of any file. */
const BEYOND_END = 9_999_999;

/** Plans a probe that lists the times and lengths of packets: of all, for which it reads the whole file, or of those from the last key frame on. */
export const packetTimesPlan = (file: ProbedFile, which: 'all' | 'last'): ProbePlan =>
  planFor(
    file,
    ...[...STREAMS, '-show_packets', '-show_entries', 'packet=stream_index,pts_time,duration_time'],
    ...(which === 'last' ? ['-read_intervals', `${BEYOND_END}%`] : []),
  );

/** Plans a probe that lists what the first frame of a video says about itself besides its picture, such as the light of its brightest pixel. */
export const frameDataPlan = (file: ProbedFile, stream: number): ProbePlan =>
  planFor(
    file,
    ...[...STREAMS, '-select_streams', String(stream), '-show_frames', '-read_intervals', '%+#1'],
    ...['-show_entries', 'frame_side_data=side_data_type'],
  );

/** Plans a probe of the header of a file. */
export const headerPlan = (file: ProbedFile): ProbePlan => ({
  ...planFor(file, ...SECTIONS, ...FIRST_PACKET),
  measuresLength: true,
});

/** A file that needs no check, such as an output of the service. */
export function probedFile(path: MediaPath): ProbedFile {
  const kind = extension(path);
  // Keep the extension, because ffprobe chooses some demuxers by it.
  return { path, logical: `in/0${/^[a-z0-9]{1,10}$/.test(kind) ? `.${kind}` : ''}` };
}

/** Plans a probe of the header of a file that needs no check. */
export const probePlanFor = (path: MediaPath, options: readonly string[] = []): ProbePlan =>
  headerPlan({ ...probedFile(path), options });
