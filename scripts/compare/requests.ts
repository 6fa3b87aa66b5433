import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import type { SeededChoices } from '../../test/faults/soak/seeded-choices.ts';
import { type Expectation, LOSSES, type Loss } from './judge-result.ts';
import type { MediaFacts } from './media-facts.ts';

/** One thing that a person wants of a file, in the words of each tool. */
export interface ComparedRequest {
  readonly kind: string;
  /** The extension of the result. */
  readonly to: string;
  readonly preset?: { readonly name: string; readonly arguments: Readonly<Record<string, string | number>> };
  /** The command of forums: the arguments before and after the input. */
  readonly before: readonly string[];
  readonly ffmpeg: readonly string[];
  /** Absent: HandBrake does not do that. */
  readonly handbrake?: readonly string[];
  readonly expected: Expectation;
}

/** A row of the list. In commands, `{from}` is a time that is drawn, and `~` is a space inside of a word. */
interface Row extends Omit<Expectation, 'keeps' | 'part'> {
  readonly to: string;
  /** A recipe with its arguments: `resize height=240`. Absent: a request without a recipe. */
  readonly recipe?: string;
  readonly before?: string;
  readonly ffmpeg?: string;
  readonly handbrake?: string;
  readonly part?: 'drawn' | 'moment' | 'start';
  /** What the result need not keep, or all that it keeps. */
  readonly drops?: string;
  readonly only?: string;
  readonly needs?: 'tracks' | 'subtitles';
}

/** The presets limit the size and the frame rate, which nobody asks for here. */
const UNBOUNDED = '-X 7680 -Y 4320 -r 60 --pfr';
const LOUDNESS = 'loudnorm=I=-16:TP=-1.5:LRA=11';
const PART = '-ss {from} -to {to}';

/** Copies keep covers and attachments, which nobody expects of a new encoding. */
const FILM = { picture: 'video', drops: 'cover attachments' } as const;
const COPY = { picture: 'video', drops: 'attachments', ffmpeg: '-c copy' } as const;
const SOUND = { drops: 'languages subtitles chapters attachments frames rate', ffmpeg: '-vn' } as const;
/** Images have ordinary colours. */
const IMAGE = { picture: 'image', only: 'frames orientation shape colour' } as const;

const ROWS: Readonly<Record<'film' | 'sound' | 'picture' | 'text', Readonly<Record<string, Row>>>> = {
  film: {
    'MP4 for the web': { ...FILM, to: 'mp4', recipe: 'web-h264', handbrake: `-Z Fast~1080p30 ${UNBOUNDED}` },
    'MP4, plain': { ...FILM, to: 'mp4', handbrake: '-e x264 -q 22' },
    'MKV, plain': { ...FILM, to: 'mkv', handbrake: `-Z H.264~MKV~1080p30 ${UNBOUNDED}` },
    WebM: { ...FILM, to: 'webm', recipe: 'web-vp9', handbrake: '-f av_webm -e vp9 -q 31 -E opus' },
    'smaller file': {
      ...{ ...FILM, to: 'mp4', recipe: 'compress' },
      ...{ ffmpeg: '-c:v libx264 -crf 28', handbrake: '-e x264 -q 28' },
    },
    'resize to 240 lines': {
      ...{ ...FILM, drops: 'cover attachments size', to: 'mp4', recipe: 'resize height=240' },
      ...{ ffmpeg: '-vf scale=-2:240', handbrake: '-l 240' },
    },
    rotate: {
      ...{ ...FILM, turns: 1, to: 'mp4', recipe: 'rotate by=right' },
      ...{ ffmpeg: '-vf transpose=1', handbrake: '--rotate=angle=90:hflip=0' },
    },
    'twice as fast': {
      ...{ picture: 'video', speed: 2, drops: 'cover attachments rate chapters subtitles level' },
      ...{ to: 'mp4', recipe: 'speed factor=2', ffmpeg: '-filter:v setpts=0.5*PTS -filter:a atempo=2' },
    },
    'trim, to the frame': {
      ...{ picture: 'video', part: 'drawn', drops: 'cover attachments chapters subtitles level' },
      ...{ to: 'mp4', recipe: 'trim start={from} end={to}', before: PART },
      handbrake: '--start-at seconds:{from} --stop-at seconds:{length}',
    },
    'cut, copied': {
      ...{ ...COPY, part: 'drawn', early: 12, drops: 'chapters subtitles level attachments' },
      ...{ to: 'mkv', recipe: 'cut-without-encoding start={from} end={to}', before: PART },
    },
    'to MKV, copied': { ...COPY, drops: '', to: 'mkv', recipe: 'change-container' },
    'to MP4, copied': { ...COPY, to: 'mp4', recipe: 'change-container' },
    mute: {
      ...{ picture: 'video', drops: 'attachments sound level tracks length', needs: 'tracks' },
      ...{ to: 'mp4', recipe: 'remove-audio', ffmpeg: '-c copy -an', handbrake: '-a none -e x264 -q 20' },
    },
    GIF: {
      ...{ picture: 'video', part: 'start', only: 'length frames orientation shape hdr' },
      ...{ to: 'gif', recipe: 'gif', ffmpeg: '-t 5 -vf fps=10,scale=320:-1' },
    },
    poster: {
      ...{ ...IMAGE, part: 'moment', to: 'jpg', recipe: 'poster at={from}', before: '-ss {from}' },
      ffmpeg: '-frames:v 1',
    },
    'sheet of images': {
      ...{ picture: 'other', only: 'hdr', to: 'jpg', recipe: 'contact-sheet' },
      ffmpeg: '-vf fps={pace},scale=160:-1,tile=4x4 -frames:v 1',
    },
    'first subtitles': {
      ...{ only: '', needs: 'subtitles', to: 'srt', recipe: 'extract-subtitles', ffmpeg: '-map 0:s:0' },
    },
    'even loudness of a film': {
      ...{ picture: 'video', loudness: -16, drops: 'attachments', needs: 'tracks' },
      ...{ to: 'mp4', recipe: 'video-loudness', ffmpeg: `-c:v copy -af ${LOUDNESS}` },
    },
  },
  sound: {
    MP3: { ...SOUND, to: 'mp3', recipe: 'mp3' },
    'MP3, plain': { ...SOUND, to: 'mp3', ffmpeg: '' },
    M4A: { ...SOUND, to: 'm4a', recipe: 'm4a', ffmpeg: '-vn -c:a aac' },
    Opus: { ...SOUND, to: 'opus', recipe: 'opus', ffmpeg: '-vn -c:a libopus' },
    FLAC: { ...SOUND, to: 'flac', recipe: 'flac' },
    WAV: { ...SOUND, drops: `cover ${SOUND.drops}`, to: 'wav', recipe: 'wav' },
    'even loudness': { ...SOUND, loudness: -16, to: 'mp3', recipe: 'loudness', ffmpeg: `-vn -af ${LOUDNESS}` },
  },
  picture: {
    JPG: { ...IMAGE, to: 'jpg', recipe: 'resize-picture' },
    'WebP, 200 wide': {
      ...{ ...IMAGE, only: `${IMAGE.only} alpha`, to: 'webp', recipe: 'resize-picture width=200' },
      ffmpeg: '-vf scale=200:-1',
    },
    'PNG, plain': { ...IMAGE, only: `${IMAGE.only} alpha size`, to: 'png' },
  },
  text: { WebVTT: { only: 'subtitles', to: 'vtt' }, SRT: { only: 'subtitles', to: 'srt' } },
};

/** Draws requests of different kinds that suit a file. A file that cannot be read gets those of its name. */
export function drawRequests(
  source: MediaFacts | undefined,
  chance: SeededChoices,
  count: number,
): readonly ComparedRequest[] {
  const rows = new Map(suitable(source));
  const left = Object.fromEntries([...rows.keys()].map((kind) => [kind, 1]));
  return Array.from({ length: Math.min(count, rows.size) }, () => {
    const kind = chance.pick(left);
    delete left[kind];
    return requestOf(kind, rows.get(kind) as Row, source?.seconds ?? 0, chance);
  });
}

const hundredth = (value: number): number => Math.round(value * 100) / 100;

function requestOf(kind: string, row: Row, seconds: number, chance: SeededChoices): ComparedRequest {
  const { to, recipe, before, ffmpeg, handbrake, part, drops = '', only, needs: _, ...expected } = row;
  const from = hundredth(seconds * chance.between(0.05, 0.4));
  const end = hundredth(from + Math.max(0.3, Math.min(8, seconds * chance.between(0.2, 0.5))));
  const drawn = { from, to: end, length: hundredth(end - from), pace: (16 / Math.max(0.1, seconds)).toFixed(3) };
  const wordsOf = (text = ''): readonly string[] =>
    text
      .replaceAll(/\{(\w+)\}/g, (_all, name) => `${drawn[name as keyof typeof drawn]}`)
      .split(' ')
      .flatMap((word) => (word === '' ? [] : [word.replaceAll('~', ' ')]));
  const [name, ...given] = wordsOf(recipe);
  const values = given.map((word) => word.split('=')).map(([key = '', value]) => [key, Number(value) || value]);
  // Recipes for the web say that they map HDR to ordinary colours.
  const keeps = BUILT_IN.find((one) => one.name === name)?.result?.keeps ?? ['hdr'];
  const dropped = [...wordsOf(drops), ...(keeps.includes('hdr') ? [] : ['hdr'])];
  return {
    ...{ kind, to, before: wordsOf(before), ffmpeg: wordsOf(ffmpeg) },
    ...(name !== undefined && { preset: { name, arguments: Object.fromEntries(values) } }),
    ...(handbrake !== undefined && { handbrake: wordsOf(handbrake) }),
    expected: {
      ...expected,
      ...(part !== undefined && { part: ({ drawn: [from, end], moment: [from, from], start: [0, 5] } as const)[part] }),
      keeps: new Set(
        (Object.keys(LOSSES) as Loss[]).filter(
          (one) => wordsOf(only).includes(one) || !(only !== undefined || dropped.includes(one)),
        ),
      ),
    },
  };
}

function suitable(source: MediaFacts | undefined): readonly (readonly [string, Row])[] {
  const rowsOf = (kind: keyof typeof ROWS) => Object.entries(ROWS[kind]);
  if (source === undefined) return [...rowsOf('film'), ...rowsOf('sound')].filter(([kind]) => kind.includes('plain'));
  const { picture, tracks } = source;
  const hasFilm = (picture?.frames.length ?? 0) > 1;
  if (picture !== undefined && !hasFilm && tracks.length === 0) return rowsOf('picture');
  if (picture === undefined && tracks.length === 0) return rowsOf('text');
  const film = rowsOf('film').filter(([, { needs }]) => needs === undefined || source[needs].length > 0);
  return [...(hasFilm ? film : []), ...(tracks.length > 0 ? rowsOf('sound') : [])];
}
