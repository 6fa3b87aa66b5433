import { command, onPath } from './command.ts';

/** An ffmpeg with its ffprobe, both of which answered. */
export interface FfmpegBuild {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** As ffmpeg prints it: `5.1.9-0+deb12u1`; builds from a git checkout have no number: `N-47683-g0e8eb07980`. */
  readonly version: string;
  /** Older than ffmpeg 5.1, the oldest that the service takes without being told so. */
  readonly old: boolean;
}

/** libavutil of ffmpeg 5.1: the one version that every build prints as a number. */
const OLDEST = { major: 57, minor: 28 };

/** Asks both programs for their version; undefined when one of them does not run. */
export async function askBuild(ffmpegPath: string, ffprobePath: string): Promise<FfmpegBuild | undefined> {
  const [ffmpeg, ffprobe] = await Promise.all([
    command(ffmpegPath, ['-version']),
    command(ffprobePath, ['-version']),
  ]);
  if (!ffmpeg.ok || !ffprobe.ok) return undefined;
  return { ffmpegPath, ffprobePath, ...readVersion(ffmpeg.text) };
}

/** Reads the answer to `ffmpeg -version`. */
export function readVersion(text: string): Pick<FfmpegBuild, 'version' | 'old'> {
  const version = /^ffmpeg version (\S+)/m.exec(text)?.[1] ?? 'unknown';
  const util = /^libavutil\s+(\d+)\.\s*(\d+)/m.exec(text);
  const [major, minor] = [Number(util?.[1] ?? 0), Number(util?.[2] ?? 0)];
  return { version, old: major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor) };
}

/** The build that FFMPEG_PATH and FFPROBE_PATH name, each falling back on PATH. */
export async function namedBuild(): Promise<(FfmpegBuild & { from: 'environment' | 'path' }) | undefined> {
  const named = { ffmpeg: process.env['FFMPEG_PATH'], ffprobe: process.env['FFPROBE_PATH'] };
  const ffmpegPath = named.ffmpeg || onPath('ffmpeg');
  const ffprobePath = named.ffprobe || onPath('ffprobe');
  if (ffmpegPath === undefined || ffprobePath === undefined) return undefined;
  const build = await askBuild(ffmpegPath, ffprobePath);
  if (build === undefined && (named.ffmpeg || named.ffprobe))
    throw new Error(`FFMPEG_PATH or FFPROBE_PATH names a program that does not run: ${ffmpegPath}, ${ffprobePath}`);
  return build && { ...build, from: named.ffmpeg ? 'environment' : 'path' };
}
