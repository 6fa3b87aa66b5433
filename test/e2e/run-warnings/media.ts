import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../../scripts/setup/command.ts';
import { withEmptyPackets } from '../../support/ogg.ts';
import { tools } from '../../support/tools.ts';
import { writeUnknownFont } from '../../support/unknown-font.ts';

const FILM = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=4'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=duration=4:sample_rate=44100'];
const CODECS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
const pattern = (options: string) => ['-f', 'lavfi', '-i', `testsrc2=size=160x120:duration=2:${options}`];

/** Writes the inputs of the cases. */
export async function runWarningMedia(root: string): Promise<void> {
  const make = async (name: string, ...args: readonly string[]): Promise<void> => {
    const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-y', ...args, join(root, name)]);
    if (!ok) throw new Error(text);
  };
  await make('film.mp4', ...FILM, ...SOUND, '-ac', '2', ...CODECS, '-movflags', '+faststart');
  await make('tail.mp4', ...FILM, '-f', 'lavfi', '-i', 'sine=duration=6:sample_rate=44100', ...CODECS);
  await make('silent.mp4', ...FILM, ...CODECS);
  await make('keys.mp4', ...FILM, ...CODECS, '-g', '25', '-sc_threshold', '0');
  await make('gops.mp4', ...FILM, ...SOUND, ...CODECS, '-g', '25', '-sc_threshold', '0');
  await make('mono.mp3', ...SOUND, '-ac', '1');
  await make('sound.wav', ...SOUND);
  await make('six.wav', '-f', 'lavfi', '-i', 'aevalsrc=0|0|0|0|0|0:c=5.1:d=4');
  await make('deep.wav', ...SOUND, '-c:a', 'pcm_s24le');
  await make('deep.flac', ...SOUND, '-c:a', 'flac', '-sample_fmt', 's32');
  await make('float.wav', ...SOUND, '-c:a', 'pcm_f32le');
  await make('studio.wav', ...SOUND, '-ar', '96000');
  await make('picture.png', ...FILM, '-frames:v', '1', '-pix_fmt', 'rgb24');
  await make('picture.jpg', ...FILM, '-frames:v', '1');
  await make('picture.bmp', ...FILM, '-frames:v', '1');
  await make('wide.png', ...FILM, '-vf', 'scale=320:180', '-frames:v', '1', '-pix_fmt', 'rgb24');
  await make('alpha.mov', ...pattern('rate=25'), '-c:v', 'prores_ks', '-profile:v', '4444', '-pix_fmt', 'yuva444p10le');
  const maps = ['0', '1', '2'].flatMap((map) => ['-map', map]);
  await make('tracks.mkv', ...FILM, ...SOUND, ...SOUND, ...maps, ...CODECS);
  await make('uneven.mkv', ...FILM, '-vf', "select='lt(mod(n,25),5)'", '-fps_mode', 'vfr', ...CODECS);
  const held = ['-vf', "select='mod(n,10)'", '-fps_mode', 'vfr'];
  await make('held.mp4', ...pattern('rate=30'), ...held, ...CODECS);
  await make('28fps.mp4', ...pattern('rate=28'), ...CODECS);
  await make('120fps.mp4', ...pattern('rate=120'), ...CODECS);
  await make('mpeg4.avi', ...pattern('rate=25'), '-c:v', 'mpeg4');
  await make('alpha.webm', ...pattern('rate=25'), '-vf', 'format=yuva420p', '-c:v', 'libvpx-vp9', '-cpu-used', '8');
  await copyFile(join(root, 'silent.mp4'), join(root, 'nameless'));
  const cover = ['-i', join(root, 'mono.mp3'), '-i', join(root, 'picture.png'), '-map', '0', '-map', '1', '-c', 'copy'];
  await make('cover.mp3', ...cover, '-disposition:v', 'attached_pic');
  const hdr = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:log-level=error';
  await make('hdr.mkv', ...pattern('rate=25'), '-c:v', 'libx265', '-pix_fmt', 'yuv420p10le', '-x265-params', hdr);
  await make('phone.mov', '-display_rotation', '90', '-i', join(root, 'silent.mp4'), '-c', 'copy').catch(() =>
    // Releases before 6 have no such option; their muxer takes the tag "rotate".
    make('phone.mov', '-i', join(root, 'silent.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90'),
  );
  await make('hd.mp4', '-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=60:duration=1', ...CODECS);
  await writeFile(join(root, 'late.srt'), '1\n00:00:20,000 --> 00:00:24,000\nHello\n');
  const late = ['-i', join(root, 'film.mp4'), '-i', join(root, 'late.srt'), '-map', '0', '-map', '1', '-c', 'copy'];
  await make('late.mkv', ...late);
  const part = '[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=First part\n';
  await writeFile(join(root, 'parts.ffmeta'), `;FFMETADATA1\n${part}`);
  await writeFile(join(root, 'tags.ffmeta'), ';FFMETADATA1\ntitle=Our holiday\n');
  const parts = ['-i', join(root, 'film.mp4'), '-i', join(root, 'parts.ffmeta'), '-map_chapters', '1', '-c', 'copy'];
  await make('chapters.mkv', ...parts);
  await writeUnknownFont(join(root, 'text.ttf'));
  await writeFile(join(root, 'words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n');

  // Recordings whose picture size changes, like that of a video call: two streams, one after the other.
  const changing = async (name: string, ...sizes: readonly string[]): Promise<void> => {
    const parts = sizes.map((_size, index) => `${name}-${index}.h264`);
    for (const [index, size] of sizes.entries())
      await make(
        parts[index] ?? '',
        '-f',
        'lavfi',
        '-i',
        `testsrc2=size=${size}:rate=25:duration=3`,
        ...CODECS,
        '-g',
        '25',
      );
    const raw = await Promise.all(parts.map((part) => readFile(join(root, part))));
    await writeFile(join(root, `${name}.h264`), Buffer.concat(raw));
    await make(`${name}.ts`, '-framerate', '25', '-i', join(root, `${name}.h264`), '-c', 'copy');
    await make(`${name}.mp4`, '-i', join(root, `${name}.ts`), '-c', 'copy');
  };
  await changing('sizes', '320x240', '160x120');
  await changing('turns', '320x240', '240x320');

  // Pictures of one size, of several sizes, and of several sizes of one shape.
  await Promise.all(['slides', 'mixed', 'grown'].map((name) => mkdir(join(root, name))));
  const still = (size: string, name: string) =>
    make(name, '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=1`, '-frames:v', '1');
  for (const n of [1, 2, 3]) {
    await still('160x120', `slides/${n}.png`);
    await still(n === 2 ? '120x160' : '160x120', `mixed/${n}.png`);
    await still(n === 2 ? '320x240' : '160x120', `grown/${n}.png`);
  }
  const fields = ['-vf', 'tinterlace=interleave_top', '-flags', '+ildct+ilme', '-x264-params', 'interlaced=1:tff=1'];
  await make('fields.mp4', ...pattern('rate=50'), ...fields, ...CODECS, '-pix_fmt', 'yuv420p');
  await make('30fps.mp4', ...pattern('rate=30'), ...CODECS);
  await make('anamorphic.mkv', ...pattern('rate=25'), '-vf', 'setsar=4/3', ...CODECS);
  await make('deep.mov', ...pattern('rate=25'), '-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le');

  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=duration=4:sample_rate=48000:seed=1', '-ac', '2'];
  await make('whole.ogv', ...FILM, ...noise, '-c:v', 'libtheora', '-c:a', 'libvorbis');
  await writeFile(join(root, 'empty.ogv'), withEmptyPackets(await readFile(join(root, 'whole.ogv'))));

  const whole = await readFile(join(root, 'film.mp4'));
  await writeFile(join(root, 'cut.mp4'), whole.subarray(0, whole.length / 2));
  const damaged = Buffer.from(whole);
  for (let at = damaged.indexOf('mdat') + 3000; at < damaged.length * 0.8; at += 997) damaged[at] = 0xff;
  await writeFile(join(root, 'damaged.mp4'), damaged);
}
