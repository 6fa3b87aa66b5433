import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import { testFolder } from './folders.ts';
import { tools } from './tools.ts';

/** Copies a film to another file, with a chapter of a second for each title. */
export async function copyWithChapters(from: string, to: string, titles: readonly string[]): Promise<void> {
  const metadata = join(await testFolder('chapters'), 'chapters.txt');
  const chapters = titles.map((title, i) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${i}\nEND=${i + 1}\ntitle=${title}\n`);
  await writeFile(metadata, `;FFMETADATA1\n${chapters.join('')}`);
  const args = ['-v', 'error', '-i', from, '-f', 'ffmetadata', '-i', metadata, '-map_chapters', '1', '-c', 'copy', to];
  const { ok, text } = await command(tools().ffmpegPath, args);
  if (!ok) throw new Error(text);
}
