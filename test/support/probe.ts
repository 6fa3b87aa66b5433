import { decodeFault, type Probe, probe as probeWith } from '../../scripts/lib/probe.ts';
import { tools } from './tools.ts';

/** What ffprobe says of a file. Throws when it is no media. */
export const probe = (file: string): Promise<Probe> => probeWith(tools().ffprobePath, file);

/** Decodes the whole file; true when ffmpeg had nothing to complain of. */
export async function decodesClean(file: string): Promise<boolean> {
  return (await decodeFault(tools().ffmpegPath, file)) === undefined;
}
