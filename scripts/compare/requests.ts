import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import type { SeededChoices } from '../../test/faults/soak/seeded-choices.ts';
import { type Expectation, LOSSES, type Loss } from './judge-result.ts';
import type { MediaFacts } from './media-facts.ts';

/**
 * One thing that a person wants of a file, in the words of each tool. Words have spaces between them, and `~` is a space in a word.
 *
 * - The extension of the result.
 * - A recipe with its arguments: `resize height=240`. Empty: a request without a recipe.
 * - The command of forums: the arguments of ffmpeg. `INPUT` is the file.
 * - The arguments of HandBrake. Empty: it does not do that.
 * - What is expected.
 */
type Row = readonly [to: string, recipe: string, ffmpeg: string, handbrake: string, expected: Wanted];

interface Wanted extends Omit<Expectation, 'keeps'> {
  /** What the result need not keep, or all that it keeps. */
  readonly drops?: string;
  readonly only?: string;
}

export interface ComparedRequest {
  readonly kind: string;
  readonly to: string;
  readonly recipe: readonly string[];
  readonly ffmpeg: readonly string[];
  readonly handbrake: readonly string[];
  readonly expected: Expectation;
}

/** The presets limit the size and the frame rate, which nobody asks for here. */
const UNBOUNDED = '-X 7680 -Y 4320 -r 60 --pfr';
const LOUDNESS = 'loudnorm=I=-16:TP=-1.5:LRA=11';

/** Copies keep covers and attachments, which nobody expects of a new encoding. */
const FILM = { picture: 'video', drops: 'cover attachments' } as const;
const RESIZED = { ...FILM, drops: 'cover attachments size' } as const;
const FAST = { ...FILM, speed: 2, drops: 'cover attachments rate chapters subtitles level' } as const;
const MUTE = { ...FILM, drops: 'attachments sound level tracks languages length' } as const;
const COPY = { picture: 'video', drops: 'attachments' } as const;
const SOUND = { drops: 'languages subtitles chapters attachments frames rate' } as const;
const EVEN = { loudness: -16 } as const;
const GIF = { picture: 'video', part: [0, 5], only: 'length frames shape' } as const;
/** Images have ordinary colours. */
const IMAGE = { picture: 'image', only: 'frames shape colour' } as const;
const CLEAR_IMAGE = { picture: 'image', only: 'frames shape colour alpha' } as const;
const TEXT = { only: 'subtitles' } as const;

type Rows = Readonly<Record<string, Row>>;

/** The requests that suit a file, by their kinds. Parts and moments are drawn. */
function rowsFor(source: MediaFacts | undefined, chance: SeededChoices): Rows {
  const { seconds = 0, picture, tracks = [], lists } = source ?? {};
  const start = Number((seconds * chance.between(0.05, 0.4)).toFixed(2));
  const length = Number(Math.max(0.3, Math.min(8, seconds * chance.between(0.2, 0.5))).toFixed(2));
  const end = Number((start + length).toFixed(2));
  const seek = `-ss ${start} -to ${end} INPUT`;
  const part = { ...FILM, part: [start, end], drops: 'cover attachments chapters subtitles level' } as const;
  const still = { ...IMAGE, part: [start, start] } as const;
  const sheet = `-vf fps=${(16 / Math.max(0.1, seconds)).toFixed(3)},scale=160:-1,tile=4x4 -frames:v 1`;
  const plain: Rows = {
    'MP4, plain': ['mp4', '', 'INPUT', '-e x264 -q 22', FILM],
    'MKV, plain': ['mkv', '', 'INPUT', `-Z H.264~MKV~1080p30 ${UNBOUNDED}`, FILM],
  };
  const film: Rows = {
    ...plain,
    'MP4 for the web': ['mp4', 'web-h264', 'INPUT', `-Z Fast~1080p30 ${UNBOUNDED}`, FILM],
    WebM: ['webm', 'web-vp9', 'INPUT', '-f av_webm -e vp9 -q 31 -E opus', FILM],
    'smaller file': ['mp4', 'compress', 'INPUT -c:v libx264 -crf 28', '-e x264 -q 28', FILM],
    'resize to 240 lines': ['mp4', 'resize height=240', 'INPUT -vf scale=-2:240', '-l 240', RESIZED],
    rotate: [
      'mp4',
      'rotate by=right',
      'INPUT -vf transpose=1',
      '--rotate=angle=90:hflip=0',
      { ...FILM, isTurned: true },
    ],
    'twice as fast': ['mp4', 'speed factor=2', 'INPUT -filter:v setpts=0.5*PTS -filter:a atempo=2', '', FAST],
    'trim, to the frame': [
      ...(['mp4', `trim start=${start} end=${end}`, seek] as const),
      ...([`--start-at seconds:${start} --stop-at seconds:${length}`, part] as const),
    ],
    'cut, copied': [
      ...(['mkv', `cut-without-encoding start=${start} end=${end}`, `${seek} -c copy`] as const),
      ...(['', { ...part, early: 12 }] as const),
    ],
    'to MKV, copied': ['mkv', 'change-container', 'INPUT -c copy', '', { ...COPY, drops: '' }],
    'to MP4, copied': ['mp4', 'change-container', 'INPUT -c copy', '', COPY],
    GIF: ['gif', 'gif', 'INPUT -t 5 -vf fps=10,scale=320:-1', '', GIF],
    poster: ['jpg', `poster at=${start}`, `-ss ${start} INPUT -frames:v 1`, '', still],
    'sheet of images': ['jpg', 'contact-sheet', `INPUT ${sheet}`, '', { picture: 'other', only: '' }],
  };
  const subtitles: Rows = { 'first subtitles': ['srt', 'extract-subtitles', 'INPUT -map 0:s:0', '', { only: '' }] };
  const audible: Rows = {
    mute: ['mp4', 'remove-audio', 'INPUT -c copy -an', '-a none -e x264 -q 20', MUTE],
    'even loudness of a film': ['mp4', 'video-loudness', `INPUT -c:v copy -af ${LOUDNESS}`, '', { ...COPY, ...EVEN }],
  };
  const audio: Rows = {
    MP3: ['mp3', 'mp3', 'INPUT -vn', '', SOUND],
    'MP3, plain': ['mp3', '', 'INPUT', '', SOUND],
    M4A: ['m4a', 'm4a', 'INPUT -vn -c:a aac', '', SOUND],
    Opus: ['opus', 'opus', 'INPUT -vn -c:a libopus', '', SOUND],
    FLAC: ['flac', 'flac', 'INPUT -vn', '', SOUND],
    WAV: ['wav', 'wav', 'INPUT -vn', '', { drops: `cover ${SOUND.drops}` }],
    'even loudness': ['mp3', 'loudness', `INPUT -vn -af ${LOUDNESS}`, '', { ...SOUND, ...EVEN }],
  };
  const image: Rows = {
    JPG: ['jpg', 'resize-picture', 'INPUT', '', IMAGE],
    'WebP, 200 wide': ['webp', 'resize-picture width=200', 'INPUT -vf scale=200:-1', '', CLEAR_IMAGE],
    'PNG, plain': ['png', '', 'INPUT', '', { ...CLEAR_IMAGE, only: `${CLEAR_IMAGE.only} size` }],
  };
  if (source === undefined) return plain;
  if (tracks.length === 0 && picture === undefined)
    return { WebVTT: ['vtt', '', 'INPUT', '', TEXT], SRT: ['srt', '', 'INPUT', '', TEXT] };
  if (tracks.length === 0 && picture?.frames.length === 1) return image;
  const isFilm = (picture?.frames.length ?? 0) > 1;
  return {
    ...(isFilm && { ...film, ...(tracks.length > 0 && audible), ...(lists?.subtitles.length && subtitles) }),
    ...(tracks.length > 0 && audio),
  };
}

const wordsOf = (text = ''): readonly string[] =>
  text.split(' ').flatMap((word) => (word === '' ? [] : [word.replaceAll('~', ' ')]));

/** Draws requests of different kinds that suit a file. A file that cannot be read gets those that suit any video. */
export function drawRequests(
  source: MediaFacts | undefined,
  chance: SeededChoices,
  count: number,
): readonly ComparedRequest[] {
  const ranked = Object.entries(rowsFor(source, chance)).map((row) => ({ row, rank: chance.between(0, 1) }));
  const drawn = ranked.toSorted((one, other) => one.rank - other.rank).slice(0, count);
  return drawn.map(({ row: [kind, [to, recipe, ffmpeg, handbrake, { only, drops, ...expected }]] }) => {
    // Recipes for the web say that they map HDR to ordinary colours.
    const { keeps = ['hdr'] } = BUILT_IN.find(({ name }) => name === wordsOf(recipe)[0])?.result ?? {};
    const dropped = [...wordsOf(drops), ...(keeps.includes('hdr') ? [] : ['hdr'])];
    const isKept = (loss: string): boolean =>
      only === undefined ? !dropped.includes(loss) : wordsOf(only).includes(loss);
    return {
      ...{ kind, to, recipe: wordsOf(recipe), ffmpeg: wordsOf(ffmpeg), handbrake: wordsOf(handbrake) },
      expected: { ...expected, keeps: new Set((Object.keys(LOSSES) as Loss[]).filter(isKept)) },
    };
  });
}
