import type { SeededChoices } from '../../test/faults/soak/seeded-choices.ts';
import { type Expectation, LOSSES, type Loss } from './judge-result.ts';
import type { MediaFacts } from './media-facts.ts';

/** One thing that a person wants of a file, in the words of each tool. */
export interface ComparedRequest {
  readonly kind: string;
  /** The extension of the result. */
  readonly to: string;
  readonly preset?: { readonly name: string; readonly arguments?: Readonly<Record<string, string | number>> };
  /** The command of forums: the arguments before and after the input. */
  readonly before?: readonly string[];
  readonly ffmpeg: readonly string[];
  /** Absent: HandBrake does not do that. */
  readonly handbrake?: readonly string[];
  readonly expected: Expectation;
}

const without = (...losses: readonly Loss[]): ReadonlySet<Loss> =>
  new Set((Object.keys(LOSSES) as Loss[]).filter((loss) => !losses.includes(loss)));

/** An encoded video: the same film. Copies keep covers and attachments, which nobody expects of a new encoding. */
const FILM = { picture: 'video', keeps: without('cover', 'attachments') } as const;
const COPY = { picture: 'video', keeps: without('attachments') } as const;
const SOUND = { keeps: without('languages', 'subtitles', 'chapters', 'attachments', 'frames', 'rate') } as const;
const STILL = new Set(['frames', 'orientation', 'shape', 'colour', 'hdr'] as const);

/** The presets limit the size and the frame rate, which nobody asks for here. */
const UNBOUNDED = ['-X', '7680', '-Y', '4320', '-r', '60', '--pfr'];

type Make = (source: MediaFacts, chance: SeededChoices) => Omit<ComparedRequest, 'kind'>;

const hundredth = (value: number): number => Math.round(value * 100) / 100;

function drawPart({ seconds }: MediaFacts, chance: SeededChoices): readonly [number, number] {
  const from = hundredth(seconds * chance.between(0.05, 0.4));
  return [from, hundredth(from + Math.max(0.3, Math.min(8, seconds * chance.between(0.2, 0.5))))];
}

const KINDS: Readonly<Record<'film' | 'sound' | 'picture' | 'text', Readonly<Record<string, Make>>>> = {
  film: {
    'MP4 for the web': () => ({
      ...{ to: 'mp4', preset: { name: 'web-h264' }, ffmpeg: [], expected: FILM },
      handbrake: ['-Z', 'Fast 1080p30', ...UNBOUNDED],
    }),
    'MP4, plain': () => ({ to: 'mp4', ffmpeg: [], expected: FILM, handbrake: ['-e', 'x264', '-q', '22'] }),
    'MKV, plain': () => ({
      to: 'mkv',
      ffmpeg: [],
      expected: FILM,
      handbrake: ['-Z', 'H.264 MKV 1080p30', ...UNBOUNDED],
    }),
    WebM: () => ({
      ...{ to: 'webm', preset: { name: 'web-vp9' }, ffmpeg: [], expected: FILM },
      handbrake: ['-f', 'av_webm', '-e', 'vp9', '-q', '31', '-E', 'opus'],
    }),
    'smaller file': () => ({
      ...{ to: 'mp4', preset: { name: 'compress' }, ffmpeg: ['-c:v', 'libx264', '-crf', '28'] },
      ...{ expected: FILM, handbrake: ['-e', 'x264', '-q', '28'] },
    }),
    'resize to 240 lines': () => ({
      ...{ to: 'mp4', preset: { name: 'resize', arguments: { height: 240 } }, ffmpeg: ['-vf', 'scale=-2:240'] },
      expected: { ...FILM, keeps: without('cover', 'attachments', 'size') },
      handbrake: ['-l', '240'],
    }),
    rotate: () => ({
      ...{ to: 'mp4', preset: { name: 'rotate', arguments: { by: 'right' } }, ffmpeg: ['-vf', 'transpose=1'] },
      ...{ expected: { ...FILM, turns: 1 }, handbrake: ['--rotate=angle=90:hflip=0'] },
    }),
    'twice as fast': () => ({
      ...{ to: 'mp4', preset: { name: 'speed', arguments: { factor: 2 } } },
      ffmpeg: ['-filter:v', 'setpts=0.5*PTS', '-filter:a', 'atempo=2'],
      expected: {
        picture: 'video',
        speed: 2,
        keeps: without('cover', 'attachments', 'rate', 'chapters', 'subtitles', 'level'),
      },
    }),
    'trim, to the frame': (source, chance) => {
      const [from, to] = drawPart(source, chance);
      return {
        ...{ to: 'mp4', preset: { name: 'trim', arguments: { start: from, end: to } } },
        ...{ before: ['-ss', `${from}`, '-to', `${to}`], ffmpeg: [] },
        expected: {
          picture: 'video',
          part: [from, to],
          keeps: without('cover', 'attachments', 'chapters', 'subtitles', 'level'),
        },
        handbrake: ['--start-at', `seconds:${from}`, '--stop-at', `seconds:${hundredth(to - from)}`],
      };
    },
    'cut, copied': (source, chance) => {
      const [from, to] = drawPart(source, chance);
      return {
        ...{ to: 'mkv', preset: { name: 'cut-without-encoding', arguments: { start: from, end: to } } },
        ...{ before: ['-ss', `${from}`, '-to', `${to}`], ffmpeg: ['-c', 'copy'] },
        expected: {
          picture: 'video',
          part: [from, to],
          early: 12,
          keeps: without('chapters', 'subtitles', 'level', 'attachments'),
        },
      };
    },
    'to MKV, copied': () => ({
      ...{ to: 'mkv', preset: { name: 'change-container' }, ffmpeg: ['-c', 'copy'] },
      expected: { ...COPY, keeps: without() },
    }),
    'to MP4, copied': () => ({
      to: 'mp4',
      preset: { name: 'change-container' },
      ffmpeg: ['-c', 'copy'],
      expected: COPY,
    }),
    mute: () => ({
      ...{ to: 'mp4', preset: { name: 'remove-audio' }, ffmpeg: ['-c', 'copy', '-an'] },
      expected: { picture: 'video', keeps: without('attachments', 'sound', 'level', 'tracks', 'length') },
      handbrake: ['-a', 'none', '-e', 'x264', '-q', '20'],
    }),
    GIF: (source) => ({
      ...{ to: 'gif', preset: { name: 'gif' }, ffmpeg: ['-t', '5', '-vf', 'fps=10,scale=320:-1'] },
      expected: {
        ...{ picture: 'video', part: [0, Math.min(5, source.seconds)] },
        keeps: new Set(['length', 'frames', 'orientation', 'shape', 'hdr'] as const),
        // GIFs have 10 or 12 frames a second.
        speed: 1,
      },
    }),
    poster: ({ seconds }, chance) => {
      const at = hundredth(seconds * chance.between(0, 0.8));
      return {
        ...{
          to: 'jpg',
          preset: { name: 'poster', arguments: { at } },
          before: ['-ss', `${at}`],
          ffmpeg: ['-frames:v', '1'],
        },
        expected: { picture: 'image', part: [at, at], keeps: STILL },
      };
    },
    'sheet of images': ({ seconds }) => ({
      ...{ to: 'jpg', preset: { name: 'contact-sheet' } },
      ffmpeg: ['-vf', `fps=${(16 / Math.max(0.1, seconds)).toFixed(3)},scale=160:-1,tile=4x4`, '-frames:v', '1'],
      expected: { picture: 'other', keeps: new Set(['hdr'] as const) },
    }),
    'first subtitles': () => ({
      ...{ to: 'srt', preset: { name: 'extract-subtitles' }, ffmpeg: ['-map', '0:s:0'] },
      expected: { keeps: new Set() },
    }),
    'even loudness of a film': () => ({
      ...{ to: 'mp4', preset: { name: 'video-loudness' } },
      ffmpeg: ['-c:v', 'copy', '-af', 'loudnorm=I=-16:TP=-1.5:LRA=11'],
      expected: { picture: 'video', loudness: -16, keeps: without('attachments') },
    }),
  },
  sound: {
    MP3: () => ({ to: 'mp3', preset: { name: 'mp3' }, ffmpeg: ['-vn'], expected: SOUND }),
    'MP3, plain': () => ({ to: 'mp3', ffmpeg: [], expected: SOUND }),
    M4A: () => ({ to: 'm4a', preset: { name: 'm4a' }, ffmpeg: ['-vn', '-c:a', 'aac'], expected: SOUND }),
    Opus: () => ({ to: 'opus', preset: { name: 'opus' }, ffmpeg: ['-vn', '-c:a', 'libopus'], expected: SOUND }),
    FLAC: () => ({ to: 'flac', preset: { name: 'flac' }, ffmpeg: ['-vn'], expected: SOUND }),
    WAV: () => ({
      to: 'wav',
      preset: { name: 'wav' },
      ffmpeg: ['-vn'],
      expected: { keeps: without('cover', 'languages', 'subtitles', 'chapters', 'attachments', 'frames', 'rate') },
    }),
    'even loudness': () => ({
      ...{ to: 'mp3', preset: { name: 'loudness' }, ffmpeg: ['-vn', '-af', 'loudnorm=I=-16:TP=-1.5:LRA=11'] },
      expected: { ...SOUND, loudness: -16 },
    }),
  },
  picture: {
    JPG: () => ({
      to: 'jpg',
      preset: { name: 'resize-picture' },
      ffmpeg: [],
      expected: { picture: 'image', keeps: STILL },
    }),
    'WebP, 200 wide': () => ({
      ...{ to: 'webp', preset: { name: 'resize-picture', arguments: { width: 200 } }, ffmpeg: ['-vf', 'scale=200:-1'] },
      expected: { picture: 'image', keeps: new Set([...STILL, 'alpha'] as const) },
    }),
    'PNG, plain': () => ({
      ...{ to: 'png', ffmpeg: [] },
      expected: { picture: 'image', keeps: new Set([...STILL, 'alpha', 'size'] as const) },
    }),
  },
  text: {
    WebVTT: () => ({ to: 'vtt', ffmpeg: [], expected: { keeps: new Set(['subtitles'] as const) } }),
    SRT: () => ({ to: 'srt', ffmpeg: [], expected: { keeps: new Set(['subtitles'] as const) } }),
  },
};

/** Draws requests of different kinds that suit a file. A file that cannot be read gets those of its name. */
export function drawRequests(
  source: MediaFacts | undefined,
  chance: SeededChoices,
  count: number,
): readonly ComparedRequest[] {
  const left = Object.fromEntries(suitable(source).map(([kind]) => [kind, 1]));
  const makes = new Map(suitable(source));
  return Array.from({ length: Math.min(count, makes.size) }, () => {
    const kind = chance.pick(left);
    delete left[kind];
    return { kind, ...(makes.get(kind) as Make)(source ?? NOTHING, chance) };
  });
}

const NOTHING: MediaFacts = { seconds: 0, tracks: [], subtitles: [], covers: 0, attachments: 0, chapters: 0, tags: {} };

function suitable(source: MediaFacts | undefined): readonly (readonly [string, Make])[] {
  if (source === undefined)
    return [...Object.entries(KINDS.film), ...Object.entries(KINDS.sound)].filter(([kind]) => kind.includes('plain'));
  const { picture, tracks, subtitles } = source;
  const hasFilm = (picture?.frames.length ?? 0) > 1;
  if (picture !== undefined && !hasFilm && tracks.length === 0) return Object.entries(KINDS.picture);
  const film = Object.entries(KINDS.film).filter(
    ([kind]) =>
      (kind !== 'first subtitles' || subtitles.length > 0) &&
      (tracks.length > 0 || !['mute', 'even loudness of a film'].includes(kind)),
  );
  return [
    ...(hasFilm ? film : []),
    ...(tracks.length > 0 ? Object.entries(KINDS.sound) : []),
    ...(picture === undefined && tracks.length === 0 ? Object.entries(KINDS.text) : []),
  ];
}
