import { mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import { putSample, putSmallMovie } from '../support/media.ts';
import { tools } from '../support/tools.ts';

/** The length of the film in seconds. */
export const FILM_SECONDS = 12;

const CODECS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const SUBTITLES = `1
00:00:00,000 --> 00:00:02,000
THESE WORDS ARE SEEN
`;

/** Writes the files of the tasks into a media root. Pictures are of one colour, so that a pixel tells which is shown. */
export async function putTaskMedia(root: string): Promise<void> {
  await mkdir(join(root, 'broken'), { recursive: true });
  const write = async (name: string, ...args: readonly string[]): Promise<void> => {
    const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-y', ...args, join(root, name)]);
    if (!ok) throw new Error(`ffmpeg could not write ${name}: ${text}`);
  };
  const picture = (source: string) => ['-f', 'lavfi', '-i', source];
  const tone = (options: string) => ['-f', 'lavfi', '-i', `sine=${options}`];
  const parts = ['red', 'lime', 'blue'].map((colour, i) => `color=${colour}:s=320x180:r=25:d=2[c${i}]`).join(';');

  await putSmallMovie(root, FILM_SECONDS, 'film.mp4');
  await putSample(root, 'flac', 'talk.flac');
  await Promise.all([
    write('song.mp3', ...tone('frequency=300:duration=8')),
    write('colours.mp4', ...picture(`${parts};[c0][c1][c2]concat=n=3`), ...CODECS),
    write('night.mp4', ...picture('color=black:s=320x180:r=25:d=2'), ...CODECS),
    writeFile(join(root, 'words.srt'), SUBTITLES),
    write('clip-wide.mp4', ...picture('color=red:s=320x180:r=25:d=1'), ...tone('duration=1'), ...CODECS),
    write('clip-tall.mp4', ...picture('color=lime:s=120x214:r=30:d=1'), ...CODECS),
    write(
      'clip-square.mp4',
      ...picture('color=blue:s=160x160:r=25:d=1'),
      ...tone('duration=1:sample_rate=22050'),
      ...CODECS,
    ),
    write('screen.mp4', ...picture('color=red:s=320x180:r=25:d=2'), ...tone('duration=2'), ...CODECS),
    write('camera.mp4', ...picture('color=blue:s=160x90:r=25:d=2'), ...CODECS),
    ...['red', 'lime', 'blue'].map((colour, i) =>
      write(`photo-${i + 1}.png`, ...picture(`color=${colour}:s=320x180`), '-frames:v', '1'),
    ),
    putBrokenFiles(root, write),
  ]);
}

type Write = (name: string, ...args: readonly string[]) => Promise<void>;

/** One file for each of `BROKEN_FILES`. */
async function putBrokenFiles(root: string, write: Write): Promise<void> {
  const at = (name: string): string => join(root, 'broken', name);
  const film = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=5:duration=4'];
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=4:sample_rate=48000'];
  await writeFile(at('download.mp4'), '<!DOCTYPE html>\n<html><body>403 Forbidden</body></html>\n');
  await writeFile(at('empty.mp4'), '');
  await write('broken/unfinished.mp4', ...film, ...sound, ...CODECS);
  // Its index is at its end.
  await truncate(at('unfinished.mp4'), 20_000);
  await write('broken/cut.mp4', ...film, ...sound, ...CODECS, '-movflags', '+faststart');
  const { size } = await stat(at('cut.mp4'));
  await truncate(at('cut.mp4'), Math.floor(size / 2));
  await write('broken/whole.mkv', ...film, ...sound, ...CODECS);
  await write('broken/noise.mkv', '-i', at('whole.mkv'), '-c', 'copy', '-bsf:a', 'noise=amount=1');
  await write('broken/voice.pcm', ...sound, '-ar', '16000', '-f', 's16le');
}
