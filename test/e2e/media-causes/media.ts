import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../../scripts/setup/command.ts';
import { pgsFile } from '../../support/pgs.ts';
import { tools } from '../../support/tools.ts';

/** Writes the inputs of the cases. */
export async function mediaOfCauses(root: string): Promise<void> {
  const make = async (name: string, ...args: readonly string[]): Promise<void> => {
    const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-y', ...args, join(root, name)]);
    if (!ok) throw new Error(text);
  };
  const film = (options: string) => ['-f', 'lavfi', '-i', `testsrc2=${options}`];
  const sound = (options: string) => ['-f', 'lavfi', '-i', `sine=${options}:sample_rate=48000`];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await make('talk.mp4', ...film('size=320x180:rate=25:duration=4'), ...sound('duration=4'), '-ac', '2', ...codecs);
  await make('talk.ts', '-i', join(root, 'talk.mp4'), '-c', 'copy');
  await make('silent.mp4', ...film('size=320x180:rate=25:duration=3'), ...codecs);
  const shaped = (aspect: string) => ['-vf', `setsar=${aspect}:max=1000`, '-ac', '2', ...codecs];
  await make('nearly.mp4', ...film('size=320x180:rate=30:duration=2'), ...sound('duration=2'), ...shaped('427/426'));
  await make('wide.mp4', ...film('size=320x180:rate=25:duration=2'), ...sound('duration=2'), ...shaped('4/3'));
  await make('tall.mp4', ...film('size=320x240:rate=24000/1001:duration=4'), ...codecs);
  await make('upright.mp4', ...film('size=320x180:rate=25:duration=2'), ...codecs);
  await make('phone.mov', '-display_rotation', '90', '-i', join(root, 'upright.mp4'), '-c', 'copy').catch(() =>
    // Releases before 6 have no such option; their muxer takes the tag "rotate".
    make('phone.mov', '-i', join(root, 'upright.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90'),
  );
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-c:a', 'aac'];
  await make('hevc.mp4', ...film('size=320x180:rate=25:duration=1'), ...sound('duration=1'), ...hevc);
  await make('short.wav', ...sound('duration=1.4'));
  await make('music.ogg', ...sound('duration=4'), '-c:a', 'libvorbis');
  await make('side.mkv', ...sound('duration=2'), '-af', 'aformat=channel_layouts=5.1(side)', '-c:a', 'ac3');
  await make('german.mka', ...sound('duration=1'), '-metadata:s:a', 'language=ger', '-c:a', 'aac');
  await make('photo.jpg', ...film('size=320x240'), '-frames:v', '1');
  await make('clip.avi', ...film('size=320x240:rate=25:duration=2'), '-c:v', 'mpeg4', '-bf', '2');
  const subtitles =
    '1\n00:00:00,000 --> 00:00:01,000\nGr\u00fc\u00dfe\n\n2\n00:00:01,000 --> 00:00:02,000\nSch\u00f6n\n';
  await writeFile(join(root, 'german.srt'), Buffer.from(subtitles, 'latin1'));
  await writeFile(join(root, 'english.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
  await make('subs.mkv', '-i', join(root, 'talk.mp4'), '-i', join(root, 'english.srt'), '-c', 'copy', '-c:s', 'srt');
  // "ş" and "ı" in WINDOWS-1254.
  const turkish = '1\n00:00:00,000 --> 00:00:01,000\nBa\u00fe \u00fd\u00fe\u00fdk\n';
  await writeFile(join(root, 'words.srt'), Buffer.from(turkish, 'latin1'));
  await writeFile(join(root, 'chapters.txt'), 'CHAPTER01=00:00:00.000\nCHAPTER01NAME=Intro\n');
  const chapter = '[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=4000\ntitle=Intro\n';
  await writeFile(join(root, 'chapters.ffmeta'), `;FFMETADATA1\n${chapter}`);
  await make('floats.raw', ...sound('duration=2'), '-ar', '16000', '-f', 'f32le');
  const odd = ['-vf', 'format=yuv444p,scale=161:121', '-c:v', 'ffv1'];
  await make('odd.mkv', ...film('size=160x120:rate=25:duration=1'), ...odd);
  await writeFile(join(root, 'download.mp4'), '<!DOCTYPE html>\n<html><body>403 Forbidden</body></html>\n');
  await writeFile(join(root, 'archive.mp4'), Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(400, 9)]));
  await make('voice.pcm', ...sound('duration=1'), '-ar', '16000', '-f', 's16le');
  await make(
    'other.mp4',
    ...film('size=640x360:rate=30000/1001:duration=2'),
    ...sound('duration=2'),
    ...codecs,
    '-pix_fmt',
    'yuv422p',
  );
  await writeFile(
    join(root, 'disc.sup'),
    pgsFile(
      [
        [0.5, 1.5],
        [2, 3],
      ],
      { width: 320, height: 180 },
    ),
  );
  const both = ['-map', '0', '-map', '1', '-c', 'copy'];
  await make('disc.mkv', '-i', join(root, 'talk.mp4'), '-i', join(root, 'disc.sup'), ...both);
  await make('whole.mp4', '-i', join(root, 'talk.mp4'), '-c', 'copy', '-movflags', '+faststart');
  const whole = await readFile(join(root, 'whole.mp4'));
  await writeFile(join(root, 'cut.mp4'), whole.subarray(0, whole.length / 2));
  // Few pictures, because ffmpeg 5.1 compares all packets that it cannot decode with all of the input.
  await make('few.mkv', ...film('size=160x120:rate=5:duration=4'), ...sound('duration=4'), ...codecs);
  await make('noise.mkv', '-i', join(root, 'few.mkv'), '-c', 'copy', '-bsf:a', 'noise=amount=1');
  await mkdir(join(root, 'photos'), { recursive: true });
  await make('photos/p%02d.png', ...film('size=64x48:rate=10:duration=1'));
  await make('photos/q%02d.png', ...film('size=64x48:rate=10:duration=1'));
  const { ok } = await command('rm', [join(root, 'photos', 'q05.png')]);
  if (!ok) throw new Error('q05.png was not written.');
}
