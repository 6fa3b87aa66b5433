import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SUBTITLES = '1\n00:00:00,000 --> 00:00:02,000\nHello\n';

/** Filters convert from the colours of television only if a film says that it has them. */
const TELEVISION = '-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709';

/** Writes the media that stand for those of the examples, into a folder. */
export async function writeManualMedia(ffmpeg: string, folder: string): Promise<void> {
  /** @param words Joined by spaces. */
  const make = (words: string) =>
    promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', ...words.split(' ')], { cwd: folder });
  await writeFile(join(folder, 'words.srt'), SUBTITLES);
  await writeFile(join(folder, 'text.txt'), 'Text of a file\n');
  await make(
    `-f lavfi -i testsrc2=s=320x180:d=3 -f lavfi -i sine=d=3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p ` +
      `${TELEVISION} -c:a aac -ac 2 -metadata:s language=eng film.mkv`,
  );
  const sounds = Array.from({ length: 8 }, (_, at) => `-map 0:a -ac:a:${at} ${at === 0 ? 2 : 1}`).join(' ');
  await make(`-i film.mkv -i words.srt -map 0:v ${sounds} -map 1 -map 1 -c:v copy -c:a pcm_s16le -c:s srt streams.mkv`);
  await make('-i film.mkv -map 0:a -c:a pcm_s16le sound.wav');
  await make('-i film.mkv -frames:v 1 -update 1 picture.png');
  await make('-i film.mkv -frames:v 1 -update 1 -pix_fmt yuvj420p picture.jpg');
  await make('-i picture.png -pix_fmt gray -update 1 gray.pgm');
  await make('-i picture.png -vf palettegen -update 1 palette.png');
  await make('-i words.srt words.ass');
}
