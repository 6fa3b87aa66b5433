import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { type CommandFile, commandWords, type FfmpegCommand } from './ffmpeg-command.ts';

/** How much of each output to write, in seconds. */
const LENGTH = '0.2';

/** After this processor time ffmpeg has configured any graph: one that still runs is endless. */
const CPU_SECONDS = '4';
/** For a command that waits. */
const TIMEOUT_MS = 120_000;

/** Media by the extensions of the names that examples use. Other names are films. */
const MEDIA: readonly (readonly [file: string, extensions: string])[] = [
  ['sound.wav', 'wav flac mp3 ogg m4a aac opus ac3 mp2 wma eac3 thd dts'],
  ['gray.pgm', 'pgm'],
  ['picture.png', 'png bmp ppm tga tif tiff webp gif svg'],
  ['picture.jpg', 'jpg jpeg'],
  ['words.srt', 'srt vtt'],
  ['words.ass', 'ass ssa'],
  ['text.txt', 'txt'],
];

const mediumOf = (name: string, film: string): string => {
  if (/palette/.test(name)) return 'palette.png';
  if (/pattern$/.test(name)) return 'text.txt';
  if (/^(?:IMAGE|LOGO)$/.test(name)) return 'picture.png';
  const extension = extname(name).slice(1).toLowerCase();
  const known = MEDIA.find(([, extensions]) => extensions.split(' ').includes(extension))?.[0];
  return known ?? (/audio|sound/i.test(name) ? 'sound.wav' : film);
};

/** Films to try: one with a video and a sound, and one with many sounds and with subtitles. */
export const FILMS = ['film.mkv', 'streams.mkv'];

/** A file name without a protocol or a device. */
const FILE = /^(?!-)[\w./ -]+$/;
const DEVICES = new Set(
  'x11grab alsa pulse v4l2 video4linux2 dshow avfoundation gdigrab oss jack sndio kmsgrab fbdev decklink sdl sdl2 xv opengl caca openal iec61883 dv1394 libcdio android_camera qtkit bktr rtp rtsp sap'.split(
    ' ',
  ),
);

/** Why not to run a command: it would use the network, a device or a process. undefined: it uses files only. */
function outside({ inputs, outputs }: FfmpegCommand): string | undefined {
  for (const { name, options } of [...inputs, ...outputs]) {
    const format = options.findLast(({ key }) => key === 'f')?.value ?? '';
    if (format === 'lavfi') continue;
    if (DEVICES.has(format)) return format;
    if (!FILE.test(name.replaceAll(/%\d*[A-Za-z]/g, '').replace('*', '')) && name !== '-') return name;
  }
  return undefined;
}

/**
 * Runs a command on media of the names that it uses. Returns undefined if ffmpeg accepts it, also if it does not end, and
 * else what it says. Commands that reach out of files are not run.
 */
export async function runFfmpeg(
  ffmpeg: string,
  media: string,
  command: FfmpegCommand,
  files: readonly string[],
): Promise<string | undefined> {
  const reached = outside(command);
  if (reached !== undefined) return `Not run, as it uses ${reached}.`;
  let said: string | undefined;
  for (const film of FILMS) {
    const says = await runWith(film, ffmpeg, media, command, files);
    if (says === undefined) return undefined;
    said ??= says;
  }
  return said;
}

async function runWith(
  film: string,
  ffmpeg: string,
  media: string,
  command: FfmpegCommand,
  files: readonly string[],
): Promise<string | undefined> {
  const folder = await mkdtemp(join(media, 'run-'));
  try {
    const relative = (file: CommandFile): CommandFile => ({ ...file, name: file.name.replace(/^\/+/, '') });
    const inputs = command.inputs.map((input) => (isLavfi(input) ? input : relative(input)));
    const opened = inputs.filter((one) => !isLavfi(one)).map(({ name }) => name);
    for (const name of [...opened, ...files, ...moviesIn(command)]) await putInput(media, folder, name, film);
    const outputs = command.outputs.map((output) => {
      const { name } = relative(output);
      const named = name.includes('.') || name === '-' || output.options.some(({ key }) => key === 'f');
      return {
        name: named ? name : `${name}.mkv`,
        options: [...output.options, { key: 't', value: LENGTH }],
      };
    });
    for (const { name } of outputs) if (name !== '-') await mkdir(join(folder, dirname(name)), { recursive: true });
    return await run(
      ffmpeg,
      ['-nostdin', '-v', 'error', '-timelimit', CPU_SECONDS, '-y', ...commandWords({ inputs, outputs })],
      folder,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isLavfi = ({ options }: CommandFile): boolean =>
  options.some(({ key, value }) => key === 'f' && value === 'lavfi');

/** The files that the filters movie and amovie of a command open. */
const moviesIn = (command: FfmpegCommand): readonly string[] =>
  commandWords(command).flatMap((word) => [...word.matchAll(/movie=([\w.-]+)/g)].map(([, name = '']) => name));

/** Puts a medium under the name that a command uses; several under a name with a counter or a wildcard. */
export async function putInput(media: string, folder: string, name: string, film: string): Promise<void> {
  const isPattern = /%\d*d|\*/.test(name);
  const names = isPattern ? PATTERN_NUMBERS.map((number) => withNumber(name, number)) : [name];
  for (const one of names) {
    await mkdir(join(folder, dirname(one)), { recursive: true });
    // Not a name that ends with a slash, a dot or a bracket: those are no files of ours.
    if (/\w$/.test(one)) await copyFile(join(media, mediumOf(one, film)), join(folder, one));
  }
}

/** Files from 0, and those of an example that starts at 100. */
const PATTERN_NUMBERS: readonly number[] = [0, 1, 2, 3, 4, 5, 100, 101, 102];

const withNumber = (name: string, number: number): string =>
  name.replace(/%0?(\d*)d|\*/, (_all, width = '') => String(number).padStart(Number(width), '0'));

function run(ffmpeg: string, words: readonly string[], cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile(
      ffmpeg,
      words,
      { cwd, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 1 << 24, env: { HOME: cwd, LANG: 'C.UTF-8' } },
      (error, _stdout, stderr) => {
        // The signal of a limit: ffmpeg accepted the command, and still computes. It ends with 255 and without a word.
        const isStopped =
          error?.killed === true || error?.signal === 'SIGKILL' || (error?.code === 255 && stderr === '');
        resolve(error === null || isStopped ? undefined : firstLine(stderr));
      },
    );
    child.stdin?.end();
  });
}

/** The first line of a log without addresses of memory, which differ each time. */
const firstLine = (log: string): string =>
  (log.split('\n').find((line) => line.trim() !== '') ?? 'It failed without a word.').replaceAll(/ @ 0x[\da-f]+/g, '');
