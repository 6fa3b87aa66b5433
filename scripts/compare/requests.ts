import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import type { SeededChoices } from '../../test/faults/soak/seeded-choices.ts';
import { type Expectation, LOSSES } from './judge-result.ts';
import type { MediaFacts } from './media-facts.ts';

/**
 * What people want of a file, in the words of each tool, a row each:
 *
 * - The files that it suits, by what they have. `any`: also a file that cannot be read.
 * - Its name, and the extension of the result.
 * - A recipe with its arguments. Empty: a request without a recipe.
 * - The command of forums: the arguments of ffmpeg. `INPUT` is the file.
 * - The arguments of HandBrake. Empty: it does not do that.
 * - The members of `Expectation`, with what the result need not keep (`drops`), or all that it keeps (`only`).
 */
const REQUESTS = `
any | MP4, plain | mp4 | | INPUT | -e x264 -q 22 | FILM
any | MKV, plain | mkv | | INPUT | -Z H.264~MKV~1080p30 UNBOUNDED | FILM
film | MP4 for the web | mp4 | web-h264 | INPUT | -Z Fast~1080p30 UNBOUNDED | FILM
film | WebM | webm | web-vp9 | INPUT | -f av_webm -e vp9 -q 31 -E opus | FILM
film | smaller file | mp4 | compress | INPUT -c:v libx264 -crf 28 | -e x264 -q 28 | FILM
film | resize to 240 lines | mp4 | resize height=240 | INPUT -vf scale=-2:240 | -l 240 | FILM,size
film | rotate | mp4 | rotate by=right | INPUT -vf transpose=1 | --rotate=angle=90:hflip=0 | turns=1 FILM
film | twice as fast | mp4 | speed factor=2 | INPUT -vf setpts=0.5*PTS -af atempo=2 | | speed=2 FILM,rate,TIMED
film | trim, to the frame | mp4 | trim PART | SEEK INPUT | SEEK_HANDBRAKE | part=START,END FILM,TIMED
film | cut, copied | mkv | cut-without-encoding PART | SEEK INPUT -c copy | | early=12 part=START,END FILM,TIMED
film | to MKV, copied | mkv | change-container | INPUT -c copy | | picture=video
film | to MP4, copied | mp4 | change-container | INPUT -c copy | | picture=video drops=attachments
film | GIF | gif | gif | INPUT -t 5 -vf fps=10,scale=320:-1 | | picture=video part=0,5 only=length,frames,shape
film | poster | jpg | poster at=START | -ss START INPUT -frames:v 1 | | part=START,START IMAGE
film | sheet of images | jpg | contact-sheet | INPUT -vf SHEET -frames:v 1 | | picture=other only=
audible | mute | mp4 | remove-audio | INPUT -c copy -an | -a none -e x264 -q 20 | MUTE
audible | even loudness of a film | mp4 | video-loudness | INPUT -c:v copy EVEN | | loudness=-16 picture=video drops=attachments
subtitled | first subtitles | srt | extract-subtitles | INPUT -map 0:s:0 | | only=
sound | MP3 | mp3 | mp3 | INPUT -vn | | SOUND
sound | MP3, plain | mp3 | | INPUT | | SOUND
sound | M4A | m4a | m4a | INPUT -vn -c:a aac | | SOUND
sound | Opus | opus | opus | INPUT -vn -c:a libopus | | SOUND
sound | FLAC | flac | flac | INPUT -vn | | SOUND
sound | WAV | wav | wav | INPUT -vn | | SOUND,cover
sound | even loudness | mp3 | loudness | INPUT -vn EVEN | | loudness=-16 SOUND
image | JPG | jpg | resize-picture | INPUT | | IMAGE
image | WebP, 200 wide | webp | resize-picture width=200 | INPUT -vf scale=200:-1 | | IMAGE,alpha
image | PNG, plain | png | | INPUT | | IMAGE,alpha,size
text | WebVTT | vtt | | INPUT | | only=subtitles
text | SRT | srt | | INPUT | | only=subtitles
`;

/** Words of the rows that stand for others. */
const WORDS = {
  // Copies keep covers and attachments, which nobody expects of a new encoding.
  FILM: 'picture=video drops=cover,attachments',
  MUTE: 'picture=video drops=cover,attachments,sound,level,tracks,languages,length',
  SOUND: 'drops=languages,subtitles,chapters,attachments,frames,rate',
  // Images have ordinary colours.
  IMAGE: 'picture=image only=frames,shape,colour',
  TIMED: 'chapters,subtitles,level',
  // The presets limit the size and the frame rate, which nobody asks for here.
  UNBOUNDED: '-X 7680 -Y 4320 -r 60 --pfr',
  EVEN: '-af loudnorm=I=-16:TP=-1.5:LRA=11',
  SHEET: 'fps=16/WHOLE,scale=160:-1,tile=4x4',
  PART: 'start=START end=END',
  SEEK: '-ss START -to END',
  SEEK_HANDBRAKE: '--start-at seconds:START --stop-at seconds:LENGTH',
};

/** What a file has, in the words of `REQUESTS`. */
function traitsOf(source: MediaFacts | undefined): readonly string[] {
  if (source === undefined) return ['any'];
  const { picture, tracks, lists } = source;
  const isAudible = tracks.length > 0;
  const isFilm = (picture?.frames.length ?? 0) > 1;
  if (!isAudible && !isFilm) return [picture === undefined ? 'text' : 'image'];
  const ofFilm = [
    'any',
    'film',
    ...(isAudible ? ['audible'] : []),
    ...(lists.subtitles.length > 0 ? ['subtitled'] : []),
  ];
  return [...(isFilm ? ofFilm : []), ...(isAudible ? ['sound'] : [])];
}

export const shuffled = <T>(all: readonly T[], chance: SeededChoices): readonly T[] =>
  all
    .map((one) => ({ one, rank: chance.between(0, 1) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ one }) => one);

/** Draws requests of different kinds that suit a file, with a part of it. */
export function drawRequests(
  source: MediaFacts | undefined,
  chance: SeededChoices,
  count: number,
): readonly ComparedRequest[] {
  const seconds = Math.max(0.1, source?.seconds ?? 0);
  const start = seconds * chance.between(0.05, 0.4);
  const length = Math.max(0.3, Math.min(8, seconds * chance.between(0.2, 0.5)));
  const times = Object.entries({ START: start, END: start + length, LENGTH: length, WHOLE: seconds });
  const words = [...Object.entries(WORDS), ...times.map(([name, value]) => [name, value.toFixed(2)] as const)];
  const written = (row: string): string =>
    words.reduce((text, [name, value]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value), row);
  const traits = traitsOf(source);
  const rows = REQUESTS.trim()
    .split('\n')
    .filter((row) => traits.includes(row.slice(0, row.indexOf(' '))));
  return shuffled(rows, chance)
    .slice(0, count)
    .map((row) => readRow(written(row)));
}

const wordsOf = (text = ''): readonly string[] => text.split(' ').filter((word) => word !== '');

export type ComparedRequest = ReturnType<typeof readRow>;

function readRow(row: string) {
  const [, kind = '', to = '', ...cells] = row.split('|').map((cell) => cell.trim());
  const [recipe = [], ffmpeg = [], handbrake = [], expected = []] = cells.map(wordsOf);
  const { picture, part, drops, only, ...numbers } = Object.fromEntries(expected.map((word) => word.split('=')));
  // Recipes for the web say that they map HDR to ordinary colours.
  const { keeps = ['hdr'] } = BUILT_IN.find(({ name }) => name === recipe[0])?.result ?? {};
  const isKept = (loss: string): boolean =>
    only === undefined
      ? drops?.split(',').includes(loss) !== true && (loss !== 'hdr' || keeps.includes('hdr'))
      : only.split(',').includes(loss);
  return {
    ...{ kind, to, recipe, ffmpeg },
    handbrake: handbrake.map((word) => word.replaceAll('~', ' ')),
    expected: {
      ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
      ...(picture && { picture }),
      ...(part && { part: part.split(',').map(Number) }),
      keeps: new Set(Object.keys(LOSSES).filter(isKept)),
    } as Expectation,
  };
}
