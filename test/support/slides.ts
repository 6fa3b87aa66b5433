import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import { tools } from './tools.ts';

const COLOURS = {
  'wide.png': 'color=red:s=321x181,format=rgb24',
  'tall.jpg': 'color=lime:s=90x270,format=yuvj444p',
  'half.png': 'color=blue@0.5:s=320x180,format=rgba',
  'square.webp': 'color=white:s=200x200,format=yuv420p',
  'grey.png': 'color=0x808080:s=320x180,format=gray',
  'oblong.png': 'color=aqua:s=100x180,setsar=2,format=rgb24',
  'deep.png': 'color=yellow:s=640x360,format=rgb48',
} as const;

/**
 * Writes pictures of one colour each: with odd sizes, half transparent, with wide pixels, in several formats. `turned.jpg`
 * has an EXIF orientation.
 */
export async function putSlides(root: string): Promise<void> {
  await Promise.all(
    Object.entries(COLOURS).map(async ([name, source]) => {
      const args = ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', source, '-frames:v', '1', '-update', '1'];
      const { ok, text } = await command(tools().ffmpegPath, [...args, join(root, name)]);
      if (!ok) throw new Error(`ffmpeg could not make ${name}: ${text}`);
    }),
  );
  await writeFile(join(root, 'turned.jpg'), withOrientation(await readFile(join(root, 'tall.jpg')), 6));
}

/** Adds the EXIF orientation tag to a JPEG. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tag = [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0];
  const exif = Buffer.from([...Buffer.from('Exif\0\0II*\0'), 8, 0, 0, 0, 1, 0, ...tag, 0, 0, 0, 0]);
  const size = exif.length + 2;
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xe1, size >> 8, size & 0xff]),
    exif,
    jpeg.subarray(2),
  ]);
}
