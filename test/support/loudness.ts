import { command } from '../../scripts/setup/command.ts';
import { tools } from './tools.ts';

/** Integrated loudness by EBU R 128, in LUFS. */
export async function loudnessOf(file: string): Promise<number> {
  const args = ['-nostdin', '-i', `file:${file}`, '-vn', '-af', 'ebur128', '-f', 'null', '-'];
  const { text } = await command(tools().ffmpegPath, args);
  const [, lufs] = /Integrated loudness:\s+I:\s+(\S+) LUFS/.exec(text) ?? [];
  return Number(lufs);
}
