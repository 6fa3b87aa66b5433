import { decodeError, type ProbedFile, probe as probeWith } from '../../scripts/lib/probe.ts';
import { tools } from './tools.ts';

/** What ffprobe says of a file. Throws when it is no media. */
export const probe = (file: string): Promise<ProbedFile> => probeWith(tools().ffprobePath, file);

/** Decodes the whole file; true when ffmpeg had nothing to complain of. */
export async function decodesWithoutErrors(file: string): Promise<boolean> {
  return (await decodeError(tools().ffmpegPath, file)) === undefined;
}
