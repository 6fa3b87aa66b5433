import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { samplePath } from '../../scripts/lib/samples.ts';
import { makeOnce, putClip, putSample } from '../support/media.ts';
import { writeUnknownFont } from '../support/unknown-font.ts';
import { ffmpeg } from './checks/ffmpeg.ts';
import * as texts from './texts.ts';

/** A fast encoder for the inputs, with which checks compare results. */
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const AAC = ['-c:a', 'aac', '-b:a', '96k'];

/** The folder of all inputs of the recipes, which is written once per run. Do not change its files. */
export const commonMedia = (): Promise<string> => makeOnce('common-media', writeMedia);

/** Writes real samples, and media that ffmpeg makes from them. */
async function writeMedia(root: string): Promise<void> {
  const at = (name: string): string => join(root, name);
  for (const folder of ['frames', 'slides', 'fonts']) await mkdir(at(folder));
  await Promise.all([
    // 854×480 at 24 frames a second, H.264, with 5.1 AAC; three seconds, streams copied.
    putClip(root, '480p', 3, 'movie.mp4'),
    // A voice: 12.27 s, mono, 44.1 kHz.
    putSample(root, 'flac', 'lena.flac'),
    ...(['mp3', 'm4a', 'opus', 'webm'] as const).map((sample) => putSample(root, sample)),
    ...Object.entries(texts.FILES).map(([name, text]) => writeFile(at(name), text)),
    writeUnknownFont(at('fonts/text.ttf')),
    writeFile(at('latin1.srt'), Buffer.from(texts.FILES['words.srt'], 'latin1')),
  ]);

  await Promise.all([clips(at), sounds(at)]);
  await pictures(at);
  await derived(at);
}

/** Two scenes of the movie, each 320×180, 48 frames at 24 per second, a key frame every half second, stereo. */
async function clips(at: (name: string) => string): Promise<void> {
  const scene = (from: string, to: string): Promise<unknown> =>
    ffmpeg([
      ...['-ss', from, '-t', '2', '-i', samplePath('480p'), '-vf', 'scale=320:180,setsar=1', ...H264, '-crf', '18'],
      ...['-g', '12', ...AAC, '-ac', '2', '-frames:v', '48', at(to)],
    ]);
  await Promise.all([scene('4', 'small.mp4'), scene('12', 'other.mp4')]);
}

async function sounds(at: (name: string) => string): Promise<void> {
  const lena = ['-t', '3', '-i', samplePath('flac')];
  const movie = ['-ss', '4', '-t', '3', '-i', samplePath('480p'), '-vn'];
  await Promise.all([
    ffmpeg([
      ...lena,
      // The voice alone; on the left channel only; with a second of silence before and after it; as raw samples; and first
      // quiet, then loud.
      '-filter_complex',
      '[0]asplit=5[a][b][c][d][e];[b]pan=stereo|c0=c0|c1=0*c0[left];' +
        '[c]atrim=1:3,asetpts=N/SR/TB,adelay=1000:all=1,apad=pad_dur=1[gaps];' +
        "[e]volume='if(lt(t,1.5),0.03,0.7)':eval=frame[uneven]",
      ...['-map', '[a]', at('voice.wav'), '-map', '[left]', at('left.wav'), '-map', '[gaps]', at('gaps.wav')],
      ...['-map', '[d]', '-ar', '16000', '-f', 's16le', at('voice.pcm'), '-map', '[uneven]', at('uneven.wav')],
    ]),
    // A soft second, then 2 s at -17 dB; it is mixed into silence.
    ffmpeg([
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='if(lt(t,1),0.01,0.2)*sin(2*PI*440*t)|if(lt(t,1),0.01,0.2)*sin(2*PI*440*t)':d=3:s=48000",
      at('tone.wav'),
    ]),
    ffmpeg([...movie, at('surround.flac'), '-ac', '2', '-ar', '48000', at('stereo.wav')]),
  ]);
}

async function pictures(at: (name: string) => string): Promise<void> {
  await ffmpeg([
    ...['-i', at('small.mp4'), '-i', at('other.mp4'), '-filter_complex'],
    '[0:v]split=4[a][b][c][d];[b]scale=64:36,format=rgba,lutrgb=r=255:g=0:b=0[red];' +
      '[c]crop=180:180[square];[1:v]split=2[e][f];[f]crop=100:178[tall];[d]scale=160:90[tiny]',
    ...['-map', '[a]', '-frames:v', '10', at('frames/img%03d.png')],
    ...['-map', '[red]', '-frames:v', '1', '-update', '1', at('logo.png')],
    ...['-map', '[square]', '-frames:v', '1', '-update', '1', '-q:v', '2', at('cover.jpg')],
    ...['-map', '[e]', '-frames:v', '1', '-update', '1', '-q:v', '2', at('slides/wide.jpg')],
    ...['-map', '[tall]', '-frames:v', '1', '-update', '1', at('slides/tall.png')],
    ...['-map', '[tiny]', '-frames:v', '12', '-r', '12', at('tiny.gif')],
  ]);
}

async function derived(at: (name: string) => string): Promise<void> {
  const small = ['-i', at('small.mp4')];
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'];
  await Promise.all([
    ffmpeg([...small, '-c', 'copy', at('small.ts'), '-an', '-f', 'rawvideo', at('small.yuv')]),
    // Streams: 0 video, 1 audio, 2 a voice, 3 and 4 subtitles; with chapters and a title.
    ffmpeg([
      ...[...small, '-i', at('voice.wav'), '-i', at('words.srt'), '-i', at('worte.srt'), '-i', at('chapters.txt')],
      ...['-map', '0', '-map', '1', '-map', '2', '-map', '3', '-map_metadata', '4', '-t', '2', '-c', 'copy'],
      ...['-c:a:1', 'libopus', '-c:s', 'srt', ...languages],
      ...['-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=deu', at('multi.mkv')],
    ]),
    ffmpeg([...small, '-i', at('other.mp4'), '-filter_complex', SCENES, '-map', '[v]', ...H264, at('scenes.mp4')]),
    ffmpeg([...small, '-vf', 'noise=alls=24:allf=t:all_seed=1', '-an', ...H264, '-crf', '10', at('noisy.mp4')]),
    ffmpeg([...small, '-c:v', 'copy', '-af', "volume=0:enable='between(t,0.5,1.5)'", ...AAC, at('paused.mp4')]),
    ffmpeg([...small, '-c:v', 'copy', '-af', 'volume=0', ...AAC, at('quiet.mp4')]),
    // A tenth of it is lost, in its middle.
    readFile(at('small.mp4')).then((bytes) =>
      writeFile(at('damaged.mp4'), bytes.fill(0, Math.floor(bytes.length * 0.5), Math.floor(bytes.length * 0.6))),
    ),
    copyFile(at('small.mp4'), at('sideways.mp4')).then(() => setRotation(at('sideways.mp4'))),
    ffmpeg([
      ...['-ss', '4', '-t', '1', '-i', samplePath('1080p60'), '-an', '-vf', 'scale=320:180,tinterlace=interleave_top'],
      ...[...H264, '-crf', '15', '-flags', '+ilme+ildct', '-x264-params', 'tff=1', at('interlaced.mkv')],
    ]),
    ffmpeg([
      '-ss',
      '10',
      '-t',
      '1',
      '-i',
      samplePath('480p'),
      '-an',
      '-vf',
      SHAKE,
      ...H264,
      '-crf',
      '12',
      at('shaky.mp4'),
    ]),
    ffmpeg(['-ss', '4', '-t', '0.5', '-i', samplePath('480p'), '-an', '-vf', HDR, '-c:v', 'ffv1', at('hdr.mkv')]),
    // 24 frames per second as 30 in NTSC, by 2:3 pulldown.
    ffmpeg([...small, '-an', '-vf', 'telecine', ...H264, '-crf', '12', '-flags', '+ilme+ildct', at('telecined.mkv')]),
    // 10 bits, whose black is another number.
    ffmpeg([
      ...[...small, '-an', '-vf', 'pad=400:300:40:60', ...H264],
      ...['-crf', '12', '-pix_fmt', 'yuv420p10le', at('barred.mp4')],
    ]),
    // Pixels that are higher than wide: it is shown as 240×180.
    ffmpeg([
      ...[...small, '-an', '-c', 'copy', '-bsf:v', 'h264_metadata=sample_aspect_ratio=3/4'],
      ...['-aspect', '4:3', at('oblong.mp4')],
    ]),
    ffmpeg([...small, '-an', '-vf', GREEN, ...H264, '-crf', '12', at('green.mp4')]),
    ffmpeg(['-i', at('lena.mp3'), '-t', '3', '-c', 'copy', '-metadata', 'title=Lena', at('song.mp3')]).then(
      async () => {
        await ffmpeg(['-i', at('song.mp3'), '-c:a', 'libopus', at('tagged.ogg')]);
        const maps = ['-map', '0', '-map', '1'];
        await ffmpeg(['-i', at('song.mp3'), '-i', at('cover.jpg'), ...maps, '-c', 'copy', at('record.mp3')]);
      },
    ),
  ]);
}

/** A part of the movie that moves from frame to frame, as if the camera was held by hand. */
const SHAKE = 'crop=600:338:100+12*sin(n*2.1):25+9*cos(n*1.7),scale=320:180,setsar=1';
/** Filters that convert the movie to HDR10. */
const HDR =
  'scale=320:180,setsar=1,zscale=tin=709:min=709:pin=709:rin=tv:t=smpte2084:m=2020_ncl:p=2020:r=tv:npl=200,format=yuv420p10le';
/** A hard cut at one second. */
const SCENES = '[0:v]trim=0:1[a];[1:v]trim=0:1,setpts=PTS-STARTPTS[b];[a][b]concat[v]';
/** Green bars left and right of the movie. */
const GREEN = 'drawbox=x=0:y=0:w=80:h=180:color=0x00ff00:t=fill,drawbox=x=240:y=0:w=80:h=180:color=0x00ff00:t=fill';

/**
 * Writes the display matrix of a video from a phone in portrait orientation: rotate by 90 degrees clockwise. ffmpeg's
 * way to write it differs between releases.
 */
async function setRotation(file: string): Promise<void> {
  const bytes = await readFile(file);
  const matrix = bytes.indexOf('tkhd') + 4 + 40;
  const one = 0x10000;
  for (const [i, value] of [0, one, 0, -one, 0, 0, 180 * one, 0, 2 ** 30].entries())
    bytes.writeInt32BE(value, matrix + 4 * i);
  await writeFile(file, bytes);
}
