import { resolve } from 'node:path';
import { isSupported } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { command, onPath } from './command.ts';

/** An installed ffmpeg with its ffprobe. Both run. */
export interface FfmpegBuild {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** The version as ffmpeg prints it, such as `5.1.9-0+deb12u1`. Builds from a source checkout have no number. */
  readonly version: string;
  /** Whether the service accepts the build. */
  readonly supported: boolean;
}

/** Runs both programs with -version. Returns undefined if one of them does not run. */
export async function askBuild(ffmpegPath: string, ffprobePath: string): Promise<FfmpegBuild | undefined> {
  const [ffmpeg, ffprobe] = await Promise.all([command(ffmpegPath, ['-version']), command(ffprobePath, ['-version'])]);
  const version = /^ffmpeg version (\S+)/m.exec(ffmpeg.text)?.[1];
  if (!ffmpeg.ok || !ffprobe.ok || version === undefined) return undefined;
  return {
    ffmpegPath,
    ffprobePath,
    version,
    supported: isSupported(ffmpeg.text),
  };
}

/** The build at FFMPEG_PATH and FFPROBE_PATH, or, if these are not set, the build on PATH. */
export async function namedBuild(): Promise<(FfmpegBuild & { from: 'environment' | 'path' }) | undefined> {
  const named = { ffmpeg: process.env['FFMPEG_PATH'], ffprobe: process.env['FFPROBE_PATH'] };
  const ffmpegPath = named.ffmpeg ? resolve(named.ffmpeg) : onPath('ffmpeg');
  const ffprobePath = named.ffprobe ? resolve(named.ffprobe) : onPath('ffprobe');
  if (ffmpegPath === undefined || ffprobePath === undefined) return undefined;
  const build = await askBuild(ffmpegPath, ffprobePath);
  if (build === undefined && (named.ffmpeg || named.ffprobe))
    throw new Error(`FFMPEG_PATH or FFPROBE_PATH names a program that does not run: ${ffmpegPath}, ${ffprobePath}`);
  return build && { ...build, from: named.ffmpeg ? 'environment' : 'path' };
}
