import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clip, makeOnce } from './media.ts';
import { tools } from './tools.ts';

const run = promisify(execFile);

const WORDS = (text: string) => `1\n00:00:00,200 --> 00:00:01,000\n${text}\n`;

const TAGS = `;FFMETADATA1
title=All tracks
artist=Nobody
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1000
title=First
[CHAPTER]
TIMEBASE=1/1000
START=1000
END=2000
title=Second
`;

/**
 * Writes two seconds of media whose streams are all different: `tracks.mkv` with H.264, English AAC, German AC-3, English
 * and German subtitles and two chapters, and `tracks.ts` with the first three streams, ids 0x100 to 0x102.
 */
export async function putTracks(root: string): Promise<void> {
  await cp(await makeOnce('tracks', makeTracks), root, { recursive: true });
}

async function makeTracks(root: string): Promise<void> {
  const at = (name: string): string => join(root, name);
  await Promise.all([
    writeFile(at('eng.srt'), WORDS('Good day')),
    writeFile(at('deu.srt'), WORDS('Guten Tag')),
    writeFile(at('tags.txt'), TAGS),
  ]);
  const ffmpeg = (...args: readonly string[]) => run(tools().ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args]);
  const movie = await clip('480p', 3);
  const inputs = [movie, at('eng.srt'), at('deu.srt')].flatMap((file) => ['-i', file]);
  const audio = ['-c:a:0', 'aac', '-c:a:1', 'ac3', '-ac', '2'];
  const languages = ['a:0=eng', 'a:1=deu', 's:0=eng', 's:1=deu'].flatMap((row) => {
    const [stream, language] = row.split('=');
    return [`-metadata:s:${stream}`, `language=${language}`];
  });
  await ffmpeg(
    ...[...inputs, '-f', 'ffmetadata', '-i', at('tags.txt'), '-map_metadata', '3', '-map_chapters', '3', '-t', '2'],
    ...[
      '-map',
      '0:v',
      '-map',
      '0:a',
      '-map',
      '0:a',
      '-map',
      '1',
      '-map',
      '2',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
    ],
    ...['-s', '320x180', ...audio, '-c:s', 'srt', ...languages, '-disposition:a:0', 'default', at('tracks.mkv')],
  );
  await ffmpeg('-i', at('tracks.mkv'), '-map', '0:v', '-map', '0:a', '-c', 'copy', at('tracks.ts'));
}

export interface Tracks {
  /** `h264`, `aac eng`, … */
  readonly streams: readonly string[];
  /** One per stream, such as `default+forced`. */
  readonly dispositions: readonly string[];
  readonly chapters: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly level: number | undefined;
}

interface Probed {
  readonly streams: readonly {
    readonly codec_name: string;
    readonly level?: number;
    readonly disposition: Readonly<Record<string, number>>;
    readonly tags?: Readonly<Record<string, string>>;
  }[];
  readonly chapters: readonly { readonly tags?: { readonly title?: string } }[];
  readonly format: { readonly tags?: Readonly<Record<string, string>> };
}

/** Summarises the streams, chapters and tags of a file. */
export async function tracksOf(file: string): Promise<Tracks> {
  const show = ['-show_streams', '-show_chapters', '-show_format', '-of', 'json'];
  const { stdout } = await run(tools().ffprobePath, ['-v', 'error', ...show, `file:${file}`]);
  const { streams, chapters, format } = JSON.parse(stdout) as Probed;
  return {
    streams: streams.map(({ codec_name: codec, tags }) => {
      const language = tags?.['language'] ?? 'und';
      return language === 'und' ? codec : `${codec} ${language}`;
    }),
    dispositions: streams.map(({ disposition }) =>
      Object.keys(disposition)
        .filter((name) => disposition[name] === 1)
        .join('+'),
    ),
    chapters: chapters.map(({ tags }) => tags?.title ?? ''),
    tags: format.tags ?? {},
    level: streams.find((stream) => stream.level !== undefined)?.level,
  };
}
