import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tools } from './tools.ts';

const run = promisify(execFile);
const MAX_BUFFER = 2 ** 28;

/** Runs ffmpeg in a folder, to make an input. */
export const makeMedia = (folder: string, ...args: readonly string[]) =>
  run(tools().ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args], { cwd: folder });

/** Decodes the first audio of a file, without a change. `frames`: the samples of one channel. */
export async function decodeSound(file: string) {
  const { streams } = await showMedia(file);
  const { sample_rate: rate = '0', channels = 1 } = streams.find(({ codec_type: type }) => type === 'audio') ?? {};
  const args = ['-v', 'error', '-i', file, '-map', '0:a:0', '-f', 'f32le', '-'];
  const { stdout } = await run(tools().ffmpegPath, args, { encoding: 'buffer', maxBuffer: MAX_BUFFER });
  const samples = new Float32Array(stdout.buffer, stdout.byteOffset, stdout.length >> 2);
  return { samples, channels, rate: Number(rate), frames: samples.length / channels };
}

/** The loudness in LUFS and the true peak in dBTP of the first audio of a file. */
export async function measureLoudness(file: string): Promise<{ readonly loudness: number; readonly peak: number }> {
  const args = [
    '-nostats',
    '-i',
    file,
    '-map',
    '0:a:0',
    '-af',
    'ebur128=peak=true:framelog=verbose',
    '-f',
    'null',
    '-',
  ];
  const { stderr } = await run(tools().ffmpegPath, args);
  const read = (name: RegExp): number => Number(name.exec(stderr.slice(stderr.lastIndexOf('Summary')))?.[1]);
  return { loudness: read(/ I: +(-?[\d.]+|-inf)/), peak: read(/Peak: +(-?[\d.]+)/) };
}

export interface ShownMedia {
  readonly streams: readonly {
    readonly codec_type: string;
    readonly codec_name?: string;
    readonly channels?: number;
    readonly channel_layout?: string;
    readonly sample_rate?: string;
    readonly sample_fmt?: string;
    readonly bits_per_raw_sample?: string;
    readonly start_time?: string;
    readonly duration?: string;
    readonly bit_rate?: string;
    readonly disposition: Readonly<Record<string, number>>;
    readonly tags?: Readonly<Record<string, string>>;
  }[];
  readonly format: { readonly duration?: string; readonly tags?: Readonly<Record<string, string>> };
  readonly chapters: readonly { readonly start_time: string; readonly end_time: string }[];
}

/** What ffprobe shows about the streams, the tags and the chapters of a file. */
export async function showMedia(file: string): Promise<ShownMedia> {
  const args = ['-v', 'error', '-show_streams', '-show_format', '-show_chapters', '-of', 'json', file];
  const { stdout } = await run(tools().ffprobePath, args, { maxBuffer: MAX_BUFFER });
  return JSON.parse(stdout) as ShownMedia;
}
