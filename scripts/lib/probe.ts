import { command } from '../setup/command.ts';

/** One stream as ffprobe reports it. */
interface ProbedStream {
  readonly codec_type: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';
  readonly codec_name: string;
  readonly width?: number;
  readonly height?: number;
  readonly pix_fmt?: string;
  /** A fraction such as `30000/1001`. */
  readonly avg_frame_rate?: string;
  readonly sample_rate?: string;
  readonly channels?: number;
  /** The number of frames. Only some containers say it, such as MP4. */
  readonly nb_frames?: string;
}

/** The report of ffprobe about a file, with parsed numbers. */
export interface ProbedFile {
  /** All names of the demuxer, such as `mov`, `mp4`, `m4a`. */
  readonly formats: readonly string[];
  /** The duration; undefined if the container has none, as for an image. */
  readonly durationSeconds: number | undefined;
  readonly sizeBytes: number;
  /** The number of frames of the first video stream; undefined if there is none, or if the container does not say it. */
  readonly videoFrames: number | undefined;
  readonly streams: readonly ProbedStream[];
  readonly tags: Readonly<Record<string, string>>;
}

interface FfprobeOutput {
  readonly format: {
    readonly format_name: string;
    readonly duration?: string;
    readonly size: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
  readonly streams: readonly ProbedStream[];
}

/** Runs ffprobe. Throws if it cannot read the file. */
export async function runFfprobe(ffprobePath: string, file: string): Promise<ProbedFile> {
  const args = ['-v', 'error', '-print_format', 'json', '-show_format', '-show_streams', `file:${file}`];
  const { ok, text } = await command(ffprobePath, args);
  if (!ok) throw new Error(`ffprobe cannot read ${file}: ${text.trim()}`);
  const { format, streams } = JSON.parse(text.slice(text.indexOf('{'))) as FfprobeOutput;
  const frames = streams.find(({ codec_type }) => codec_type === 'video')?.nb_frames;
  return {
    formats: format.format_name.split(','),
    durationSeconds: format.duration === undefined ? undefined : Number(format.duration),
    sizeBytes: Number(format.size),
    videoFrames: frames === undefined ? undefined : Number(frames),
    streams,
    tags: format.tags ?? {},
  };
}

/** A warning of the null muxer about frames that are closer than its frame rate. The file is correct. */
const HARMLESS = /^\[null @ [^\]]+\] Application provided invalid, non monotonically increasing dts.*\n?/gm;

/** Decodes every packet. Returns the errors of ffmpeg, or undefined if there are none. */
export async function decodeError(ffmpegPath: string, file: string): Promise<string | undefined> {
  const strict = ['-xerror', '-err_detect', 'crccheck+bitstream+buffer+explode'];
  // Use the time base of the input: in whole frames, Matroska's milliseconds would collide.
  const ticks = ['-enc_time_base', '-1'];
  const args = ['-v', 'error', '-nostdin', ...strict, '-i', `file:${file}`, ...ticks, '-f', 'null', '-'];
  const { ok, text } = await command(ffmpegPath, args);
  const complaint = text.replace(HARMLESS, '').trim();
  return ok && complaint === '' ? undefined : complaint || 'ffmpeg failed without a message';
}
