import { spawnSync } from 'node:child_process';
import { tools } from './tools.ts';

/**
 * Runs ffmpeg with one filter over a file, as a person would, and returns its log. It reads the packets of the other kind too: times
 * in some formats count from the first stream that ffmpeg reads.
 */
export function filterReport(file: string, stream: 'a' | 'v', filter: string): string {
  const [map, other] = stream === 'v' ? ['0:V:0', 'a'] : ['0:a:0', 'V'];
  const args = ['-nostdin', '-hide_banner', '-nostats', '-i', file, '-map', map];
  const { stderr, status } = spawnSync(
    tools().ffmpegPath,
    [
      ...args,
      '-map',
      `0:${other}:0?`,
      `-c:${other.toLowerCase()}`,
      'copy',
      `-${stream}f`,
      filter,
      ...(stream === 'v' ? ['-fps_mode', 'passthrough'] : []),
      '-f',
      'null',
      '-',
    ],
    { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(stderr);
  return stderr;
}

/** Compares the pictures of two files with one filter, as a person would, and returns the log of ffmpeg. */
export function comparisonReport(file: string, reference: string, filter: string): string {
  const args = ['-nostdin', '-hide_banner', '-nostats', '-i', file, '-i', reference, '-lavfi', filter];
  const { stderr, status } = spawnSync(tools().ffmpegPath, [...args, '-f', 'null', '-'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stderr;
}

/** All numbers that follow a name in a log. */
export const numbersOf = (report: string, name: string): readonly number[] =>
  [...report.matchAll(new RegExp(`${name.replaceAll('.', '\\.')} *[:=] *(-?(?:[\\d.]+(?:e[+-]?\\d+)?|inf))`, 'g'))].map(
    ([, value]) => Number(value?.replace('inf', 'Infinity')),
  );

/** The last number that follows a name in a log. */
export function lastNumber(report: string, name: string): number {
  const last = numbersOf(report, name).at(-1);
  if (last === undefined) throw new Error(`"${name}" is not in the log:\n${report}`);
  return last;
}

/** What ffprobe lists of a file. Times are seconds from its start. */
export interface ProbedPackets {
  /** Of the first film stream. */
  readonly keyFrames: readonly number[];
  /** Of all streams. */
  readonly packets: readonly { readonly at: number; readonly size: number }[];
  /** Where the last packet ends. */
  readonly end: number;
}

const PACKET_FIELDS = ['codec_type', 'pts_time', 'dts_time', 'duration_time', 'size', 'flags'] as const;

/** Runs ffprobe over all packets of a file. */
export function probedPackets(file: string): ProbedPackets {
  const entries = `packet=${PACKET_FIELDS.join(',')}:format=start_time`;
  const { stdout } = spawnSync(tools().ffprobePath, ['-v', 'error', '-of', 'json', '-show_entries', entries, file], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const { packets, format } = JSON.parse(stdout) as {
    packets: readonly Partial<Record<(typeof PACKET_FIELDS)[number], string>>[];
    format: { start_time?: string };
  };
  const startTime = Number(format.start_time ?? 0);
  const all = packets.map(({ pts_time, dts_time, duration_time, size, flags, codec_type }) => ({
    at: Number(pts_time ?? dts_time) - startTime,
    seconds: Number(duration_time ?? 0),
    size: Number(size),
    isKey: codec_type === 'video' && flags?.startsWith('K') === true,
  }));
  return {
    keyFrames: all.flatMap(({ at, isKey }) => (isKey && at >= -0.000_001 ? [at] : [])).toSorted((a, b) => a - b),
    packets: all,
    end: all.reduce((end, { at, seconds }) => Math.max(end, at + seconds), 0),
  };
}
