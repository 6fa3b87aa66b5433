import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { SeededChoices } from '../../faults/soak/seeded-choices.ts';
import { drawFrame } from './coded-frames.ts';

/** The codecs of each container, with its extension. */
const CONTAINERS = {
  mp4: { video: ['libx264', 'libx265', 'mpeg4'], audio: ['aac', 'libmp3lame', 'alac'], text: 'mov_text' },
  mov: { video: ['libx264', 'prores_ks'], audio: ['aac', 'pcm_s16le'], text: 'mov_text' },
  mkv: { video: ['libx264', 'libvpx-vp9', 'ffv1'], audio: ['aac', 'flac', 'libopus', 'ac3'], text: 'srt' },
  webm: { video: ['libvpx-vp9', 'libvpx'], audio: ['libopus', 'libvorbis'], text: 'webvtt' },
  ts: { video: ['libx264', 'mpeg2video'], audio: ['aac', 'mp2'], text: undefined },
  avi: { video: ['mpeg4', 'libx264'], audio: ['libmp3lame', 'pcm_s16le'], text: undefined },
  m4a: { video: [], audio: ['aac', 'alac'], text: undefined },
  mp3: { video: [], audio: ['libmp3lame'], text: undefined },
  flac: { video: [], audio: ['flac'], text: undefined },
  ogg: { video: [], audio: ['libvorbis', 'libopus'], text: undefined },
  wav: { video: [], audio: ['pcm_s16le', 'pcm_s24le'], text: undefined },
  png: { video: ['png'], audio: [], text: undefined },
  jpg: { video: ['mjpeg'], audio: [], text: undefined },
  webp: { video: ['libwebp'], audio: [], text: undefined },
} as const;
export type Container = keyof typeof CONTAINERS;
/** What a source is: a film, an audio file or an image. */
export type SourceKind = 'film' | 'sound' | 'picture';
const OF_KIND: Readonly<Record<SourceKind, Readonly<Record<string, number>>>> = {
  film: { mp4: 4, mov: 2, mkv: 3, webm: 1, ts: 1, avi: 1 },
  sound: { m4a: 2, mp3: 2, flac: 1, ogg: 1, wav: 1 },
  picture: { png: 2, jpg: 1, webp: 1 },
};
const IMAGE_SECONDS = 0.04;

/** The rate of the frames. `gaps`: five frames at 25 per second, then a pause of ten frames. */
export const RATES = { '25': 25, '30000/1001': 30_000 / 1001, '50': 50, gaps: 25 } as const;
const GAP = { after: 5, frames: 10 } as const;
const SIZES = { '320x180': 4, '176x144': 1, '321x181': 1, '180x320': 1 } as const;
const COLOURS = { bt709: 4, smpte170m: 1, untagged: 2 } as const;
const LANGUAGES = ['eng', 'deu', 'fra'] as const;

/** The level of the sound: a sine of this amplitude. */
export const AMPLITUDE = 0.25;
/** How much the frequency of a track rises in a second. */
export const SLOPE_HZ = 100;
export const baseHz = (track: number): number => 400 + 500 * track;

export interface AudioTrack {
  readonly codec: string;
  readonly channels: 1 | 2 | 6;
  readonly language: string;
}

/** A film in which each frame shows its number, and the frequency of each moment of sound shows its time. */
export interface Source {
  readonly path: string;
  readonly kind: SourceKind;
  readonly container: Container;
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly rate: keyof typeof RATES;
  /** The degrees by which a player turns the frames. */
  readonly rotation: 0 | 90 | 180 | 270;
  readonly colour: keyof typeof COLOURS;
  readonly audio: readonly AudioTrack[];
  /** The languages of the text subtitles. */
  readonly subtitles: readonly string[];
  readonly chapters: number;
  readonly seconds: number;
  /** Where the times of the file begin, in seconds. */
  readonly start: number;
  readonly hasCover: boolean;
  readonly isTransparent: boolean;
}

const pickOne = <T extends string>(chance: SeededChoices, names: readonly T[]): T =>
  chance.pick(Object.fromEntries(names.map((name) => [name, 1])) as Record<T, number>);

/** Draws a source. The path names what is special, so that a report can be read. */
export function drawSource(chance: SeededChoices, number: number, kind: SourceKind): Source {
  const container = chance.pick(OF_KIND[kind]) as Container;
  const { video, audio, text } = CONTAINERS[container];
  const [width = 0, height = 0] = chance.pick(SIZES).split('x').map(Number);
  const codec = video.length === 0 ? '' : pickOne<string>(chance, video);
  // 4:2:0 needs even sides.
  const even = (side: number): number => (codec === 'ffv1' || kind === 'picture' ? side : side - (side % 2));
  const tracks = audio.length === 0 ? 0 : kind === 'sound' ? 1 : Number(chance.pick({ '0': 1, '1': 5, '2': 3 }));
  const rate =
    container === 'avi' || container === 'ts' || kind !== 'film'
      ? '25'
      : chance.pick({ '25': 4, '30000/1001': 2, '50': 1, gaps: 2 });
  const canTurn = container === 'mp4' || container === 'mov';
  const source: Omit<Source, 'path'> = {
    kind,
    container,
    codec,
    width: even(width),
    height: even(height),
    rate,
    rotation: canTurn ? (Number(chance.pick({ '0': 4, '90': 2, '180': 1, '270': 1 })) as Source['rotation']) : 0,
    colour: chance.pick(COLOURS),
    audio: Array.from({ length: tracks }, (_, track) => ({
      codec: pickOne<string>(chance, audio),
      channels: container === 'mp3' ? 2 : (Number(chance.pick({ '1': 1, '2': 4, '6': 1 })) as AudioTrack['channels']),
      language: LANGUAGES[track] ?? 'eng',
    })),
    subtitles: text === undefined ? [] : LANGUAGES.slice(0, Number(chance.pick({ '0': 3, '1': 2, '2': 1 }))),
    chapters: canTurn || container === 'mkv' || container === 'm4a' ? Number(chance.pick({ '0': 3, '3': 1 })) : 0,
    seconds: kind === 'picture' ? IMAGE_SECONDS : Number(chance.pick({ '2': 3, '3.2': 1 })),
    start: container === 'mkv' && chance.happens(0.2) ? 5 : 0,
    hasCover: ['m4a', 'mp3', 'flac'].includes(container) && chance.happens(0.5),
    isTransparent: container === 'png' && chance.happens(0.5),
  };
  return {
    ...source,
    path: `${number}-${source.codec || source.audio[0]?.codec}-${rate.replace('/', '_')}-r${source.rotation}.${container}`,
  };
}

/** The time of each frame in seconds from the first one. */
export function frameTimes({ rate, seconds }: Pick<Source, 'rate' | 'seconds'>): readonly number[] {
  const times: number[] = [];
  for (let frame = 0; ; frame += 1) {
    const gaps = rate === 'gaps' ? Math.floor(frame / GAP.after) * GAP.frames : 0;
    const time = (frame + gaps) / RATES[rate];
    if (time >= seconds - 0.001) return times;
    times.push(time);
  }
}

/** The number of the frame that is on the screen at a time. */
export const frameAt = (times: readonly number[], time: number): number =>
  Math.max(
    0,
    times.findLastIndex((one) => one <= time + 0.0005),
  );

/** Writes the file of a source into a folder. */
export async function makeSource(ffmpegPath: string, folder: string, source: Source): Promise<void> {
  const { width, height, rate, rotation, audio, subtitles, chapters, seconds, isTransparent } = source;
  const inputs: string[] = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${width}x${height}`];
  inputs.push('-framerate', rate === 'gaps' ? '25' : rate, '-i', 'pipe:0');
  for (const [track, { channels }] of audio.entries()) {
    const sine = `${AMPLITUDE}*sin(2*PI*(${baseHz(track)}*t+${SLOPE_HZ / 2}*t*t))`;
    const layout = channels === 6 ? '5.1' : channels === 2 ? 'stereo' : 'mono';
    inputs.push(
      '-f',
      'lavfi',
      '-i',
      `aevalsrc=${Array(channels).fill(sine).join('|')}:s=48000:c=${layout}:d=${seconds}`,
    );
  }
  for (const language of subtitles) {
    const name = join(folder, `${source.path}.${language}.srt`);
    await writeFile(name, `1\n00:00:00,200 --> 00:00:01,500\n${language} cue\n`);
    inputs.push('-i', name);
  }
  if (chapters > 0) inputs.push('-i', await writeChapters(folder, source));
  const child = spawn(
    ffmpegPath,
    ['-nostdin', '-v', 'error', '-y', ...inputs, ...outputArgs(source), `file:${join(folder, source.path)}`],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const complaints = readText(child.stderr);
  const turns = (4 - rotation / 90) % 4;
  // A cover has one frame: with a limit of frames, ffmpeg 5.1 would end the sound too.
  const times = source.kind === 'film' ? frameTimes(source) : [0];
  const frames = times.map((_, frame) => () => drawFrame(frame, width, height, turns, isTransparent));
  // ffmpeg may end before it has read all frames.
  await pipeline(Readable.from(drawn(frames)), child.stdin).catch(() => {});
  if (child.exitCode === null) await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`The source ${source.path} was not made: ${await complaints}`);
  if (rotation !== 0) await addRotation(ffmpegPath, folder, source);
}

function* drawn(frames: readonly (() => Buffer)[]): Generator<Buffer> {
  for (const draw of frames) yield draw();
}

function outputArgs(source: Source): string[] {
  const { codec, rate, colour, audio, subtitles, chapters, container, kind, start, hasCover } = source;
  if (kind === 'picture') return ['-pix_fmt', PICTURE_FORMATS[codec] ?? 'rgba', '-update', '1'];
  const args = [
    ...(kind === 'film' || hasCover ? ['-map', '0:v'] : []),
    ...audio.flatMap((_, track) => ['-map', `${track + 1}:a`]),
  ];
  args.push(...subtitles.flatMap((_, track) => ['-map', `${audio.length + track + 1}:s`]));
  const isRgb = codec === 'ffv1' && colour === 'untagged';
  const matrix = colour === 'untagged' ? 'smpte170m' : colour;
  const filters = [
    isRgb
      ? 'format=gbrp'
      : `scale=out_color_matrix=${matrix === 'bt709' ? 'bt709' : 'bt601'}:out_range=tv,format=${codec === 'prores_ks' ? 'yuv422p10le' : 'yuv420p'}`,
  ];
  if (rate === 'gaps') filters.push(`setpts=(N+floor(N/${GAP.after})*${GAP.frames})/25/TB`);
  if (kind === 'film') args.push('-vf', filters.join(','), '-fps_mode', rate === 'gaps' ? 'vfr' : 'cfr', '-c:v', codec);
  else if (hasCover) args.push('-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-disposition:v', 'attached_pic');
  if (codec === 'libx264' || codec === 'libx265') args.push('-preset', 'ultrafast', '-crf', '12', '-g', '40');
  if (codec === 'libx265') args.push('-x265-params', 'log-level=none', '-tag:v', container === 'mp4' ? 'hvc1' : 'hev1');
  if (codec.startsWith('libvpx')) args.push('-deadline', 'realtime', '-cpu-used', '8', '-b:v', '2M');
  if (codec === 'mpeg4' || codec === 'mpeg2video') args.push('-q:v', '2');
  if (kind === 'film' && colour !== 'untagged')
    args.push('-colorspace', colour, '-color_primaries', colour, '-color_trc', colour);
  for (const [track, { codec: encoder, language }] of audio.entries())
    args.push(`-c:a:${track}`, encoder, `-metadata:s:a:${track}`, `language=${language}`);
  const text = CONTAINERS[container].text;
  for (const [track, language] of subtitles.entries())
    args.push(`-c:s:${track}`, text ?? 'srt', `-metadata:s:s:${track}`, `language=${language}`);
  if (chapters > 0) args.push('-map_chapters', `${1 + audio.length + subtitles.length}`);
  // An MPEG-TS begins after 1.4 s.
  if (container !== 'ts') args.push('-muxdelay', '0');
  if (start > 0) args.push('-output_ts_offset', `${start}`);
  return [...args, '-metadata', 'title=A title'];
}

/** The pixels of images. */
const PICTURE_FORMATS: Readonly<Record<string, string>> = { mjpeg: 'yuvj420p', libwebp: 'yuv420p' };

async function writeChapters(folder: string, { path, chapters, seconds, start: begin }: Source): Promise<string> {
  const parts = Array.from({ length: chapters }, (_, part) => {
    const [start, end] = [part, part + 1].map((at) => Math.round((begin + (at * seconds) / chapters) * 1000));
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=Part ${part + 1}\n`;
  });
  const name = join(folder, `${path}.ffmeta`);
  await writeFile(name, `;FFMETADATA1\n${parts.join('')}`);
  return name;
}

/** Copies the file with a display matrix. ffmpeg before 6 sets the matrix by a tag, and later releases by an option. */
async function addRotation(ffmpegPath: string, folder: string, { path, rotation, container }: Source): Promise<void> {
  const [plain, turned] = [join(folder, path), join(folder, `turned-${path}`)];
  // The text track of the chapters of a MOV is written anew.
  const copy = ['-map', '0', '-map', '-0:d', '-c', 'copy', '-f', container, `file:${turned}`];
  const release = await runText(ffmpegPath, ['-version']);
  const isOld = Number(/version \D{0,3}(\d+)/.exec(release)?.[1] ?? '7') < 6;
  await runText(ffmpegPath, [
    ...['-nostdin', '-v', 'error', '-y'],
    ...(isOld
      ? ['-i', `file:${plain}`, '-metadata:s:v:0', `rotate=${rotation}`]
      : ['-display_rotation:v:0', `${rotation}`, '-i', `file:${plain}`]),
    ...copy,
  ]);
  await rename(turned, plain);
}

/** More than the frames of a film of some minutes. */
const MAX_BUFFER = 2 ** 30;
const LIMIT_SECONDS = 180;

export interface ProgramRun {
  readonly ok: boolean;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a program to its end, whatever its exit code is. Kills it after three minutes. */
export const runProgram = (program: string, args: readonly string[]): Promise<ProgramRun> =>
  new Promise((resolve) => {
    const options = { maxBuffer: MAX_BUFFER, timeout: LIMIT_SECONDS * 1000, killSignal: 'SIGKILL' } as const;
    execFile(program, args, { ...options, encoding: 'buffer' }, (error, stdout, stderr) =>
      resolve({ ok: error === null, stdout, stderr: stderr.toString() || (error?.message ?? '') }),
    );
  });

/** Runs a program, and returns its standard output. Throws an error with its standard error if it fails. */
export async function runBytes(program: string, args: readonly string[]): Promise<Buffer> {
  const { ok, stdout, stderr } = await runProgram(program, args);
  if (!ok) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

export const runText = async (program: string, args: readonly string[]): Promise<string> =>
  (await runBytes(program, args)).toString();
