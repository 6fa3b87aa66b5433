import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../../scripts/setup/command.ts';
import { putClip, putSample } from '../../support/media.ts';
import { tools } from '../../support/tools.ts';

/** Writes the inputs of the requests. */
export async function brokenRequestMedia(root: string): Promise<void> {
  await putClip(root, '480p', 2, 'movie.mp4');
  await putClip(root, '480p', 2, 'movie2.mp4');
  await putSample(root, 'mp3', 'song.mp3');
  const make = async (...args: readonly string[]) => {
    const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', ...args]);
    if (!ok) throw new Error(text);
  };
  const silent = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=10:duration=2'];
  await make(...silent, '-c:v', 'libx264', join(root, 'small.mp4'));
  await make(...silent, '-c:v', 'mpeg4', join(root, 'mp4v.mp4'));
  await make('-i', join(root, 'song.mp3'), '-t', '1', '-c', 'copy', join(root, 'song.mkv'));
  await writeFile(join(root, 'subs.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
  await writeFile(join(root, 'text.txt'), 'hello\n'.repeat(50));
  await writeFile(join(root, 'raw.bin'), Buffer.alloc(100_000, 7));
  await writeFile(join(root, 'bad.cube'), 'hello\n'.repeat(20));
  const corners = [0, 1].flatMap((b) => [0, 1].flatMap((g) => [0, 1].map((r) => `${r} ${g} ${b}`)));
  await writeFile(join(root, 'good.cube'), `LUT_3D_SIZE 2\n${corners.join('\n')}\n`);
  const film = [...silent, '-f', 'lavfi', '-i', 'sine=duration=1'];
  await make(
    ...film,
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-c:a',
    'libopus',
    join(root, 'vp9.webm'),
  );
  await make(
    '-i',
    join(root, 'movie.mp4'),
    '-i',
    join(root, 'subs.srt'),
    '-c',
    'copy',
    '-c:s',
    'srt',
    join(root, 'subs.mkv'),
  );
  await make(...silent, '-c:v', 'libx264', '-timecode', '00:00:00:00', join(root, 'timecode.mov'));
  await make('-f', 'lavfi', '-i', 'testsrc=size=321x181', '-frames:v', '1', join(root, 'odd.png'));
  await make('-f', 'lavfi', '-i', 'haldclutsrc=level=4', '-frames:v', '1', join(root, 'clut.png'));
  const cover = ['-i', join(root, 'song.mp3'), '-i', join(root, 'odd.png'), '-map', '0:a', '-map', '1'];
  await make(...cover, '-t', '1', '-c', 'copy', '-disposition:v', 'attached_pic', join(root, 'cover.mp3'));
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=1', '-strict', '-2'];
  await make(...sound, '-c:a', 'pcm_alaw', join(root, 'alaw.wav'));
  await make(...sound, '-c:a', 'wmav2', join(root, 'old.wma'));
  await make(...sound, '-ac', '2', '-c:a', 'truehd', join(root, 'lossless.thd'));
  await make('-i', join(root, 'movie.mp4'), '-vn', '-t', '1', '-c:a', 'ac3', join(root, 'side.ac3'));
}
