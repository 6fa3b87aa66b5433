import { decodeError, type ProbedFile, runFfprobe } from '../../scripts/lib/probe.ts';
import { tools } from './tools.ts';

/** Probes a file. Throws if ffprobe cannot read it. */
export const probe = (file: string): Promise<ProbedFile> => runFfprobe(tools().ffprobePath, file);

/** Decodes the whole file. true: ffmpeg printed no error. */
export async function decodesWithoutErrors(file: string): Promise<boolean> {
  return (await decodeError(tools().ffmpegPath, file)) === undefined;
}
