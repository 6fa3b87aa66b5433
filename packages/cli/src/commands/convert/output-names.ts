import { basename, extname, posix } from 'node:path';
import { FILE_NAME_OPTIONS, type PlannedName, type PlannedNamePart } from '@telecine/contract/domain/planned-names.ts';
import type { CommandParameters } from '../../session/parameters.ts';

const NUMBER = { any: 'number' } as const;
/** A part of a date, or the name of a variant. */
const WORD = { any: 'date' } as const;

/** Matches what ffmpeg expands in names: `%03d`, `%v`, `%Y`, `%%03d` after a date, and in names of DASH `$Number%05d$` and `$ext$`. */
const MARKS = /%%\d+[dst]|%%|%\d*[A-Za-z]|\$\w*(?:%\d*d)?\$/g;

function partOf(mark: string, variants: PlannedNamePart): PlannedNamePart {
  if (mark === '%v') return variants;
  if (mark === '%%' || mark === '$$') return { oneOf: [mark, mark.charAt(0)] };
  if (mark === '$ext$') return { oneOf: ['m4s', 'mp4', 'webm'] };
  return /^\$|^%%|d$/.test(mark) ? NUMBER : WORD;
}

/** The names of further files that formats give by default. `stem`: the output without its extension. `single`: whether one file has all segments. */
const DEFAULTS: readonly (readonly [format: RegExp, names: (stem: string, single: boolean) => readonly string[]])[] = [
  [
    /^(?:hls|m3u8)$/,
    (stem, single) => [
      ...['%d', '-%s', '_%s%d', ...(single ? [''] : [])].flatMap((mark) => [`${stem}${mark}.ts`, `${stem}${mark}.m4s`]),
      ...[`${stem}%d.vtt`, `${stem}_%s.m3u8`, 'init.mp4', 'init_%s.mp4', 'master.m3u8'],
      ...(single ? [`${stem}.vtt`] : []),
    ],
  ],
  [
    /^(?:dash|mpd)$/,
    (stem) => [
      ...['init-stream%d.$ext$', 'chunk-stream%d-%d.$ext$', `${stem}-stream%d.$ext$`],
      ...['master.m3u8', 'media_%d.m3u8'],
    ],
  ],
  // The planes of raw images.
  [/^y$/, (stem) => ['U', 'V', 'A', 'x'].map((plane) => `${stem}.${plane}`)],
];

/** The parts of a name in which ffmpeg expands patterns. */
function partsOf(name: string, variants: PlannedNamePart = WORD): PlannedName {
  const plain = posix.normalize(name);
  const marks = [...plain.matchAll(MARKS)].map(([mark]) => partOf(mark, variants));
  return plain.split(MARKS).flatMap((part, at) => [part, ...marks.slice(at, at + 1)]);
}

const PICTURES = ['avif', 'gif', 'jpeg', 'jpg', 'png', 'webp'];
const VIDEOS = ['m4v', 'mkv', 'mov', 'mp4', 'webm'];
const SOUNDS = ['aac', 'flac', 'm4a', 'mka', 'mp3', 'ogg', 'opus', 'wav'];
const LISTS = ['ass', 'csv', 'm3u8', 'mpd', 'srt', 'vtt'];
const OF_RECIPES = [...PICTURES, ...VIDEOS, ...SOUNDS, ...LISTS];

/** The names of further files that a recipe may write beside the output: its name without extension, a word or a number, and an extension of media. */
export function siblingsOf(path: string): readonly PlannedName[] {
  const stem = path.slice(0, path.length - extname(path).length);
  const marked = ['%d', '-%s', '_%s'].map((mark) => [
    ...partsOf(`${stem}${mark}.`),
    { oneOf: [...OF_RECIPES, 'ts', 'm4s'] },
  ]);
  return [[...partsOf(`${stem}.`), { oneOf: OF_RECIPES }], ...marked];
}

/** What an order says about the format of its output. */
interface OrderedFormat {
  readonly format?: string | undefined;
  readonly parameters: CommandParameters;
  readonly preset?: unknown;
}

/**
 * The names of all files that an order allows its service to write, below the local folder. Only the order decides: a hostile service could
 * plan files such as `Makefile`. `path`: the output below this folder, with its patterns. `preset`: a recipe, which may choose a single file for HLS.
 */
export function namesOfOutput(path: string, { format, parameters, preset }: OrderedFormat): readonly PlannedName[] {
  const text = (name: string): string | undefined => [parameters[name] ?? []].flat().at(-1);
  const extension = extname(path);
  const muxer = (format ?? text('f') ?? extension.slice(1)).toLowerCase();
  const [, defaults] = DEFAULTS.find(([formats]) => formats.test(muxer)) ?? [];
  const single = preset !== undefined || text('hls_flags')?.includes('single_file') === true;
  const others = [
    ...[...FILE_NAME_OPTIONS.keys()].flatMap((option) => text(option) ?? []),
    ...(defaults?.(basename(path, extension), single) ?? []),
  ];
  const map = text('var_stream_map')?.split(/[\s,]+/);
  const variants = map ? { oneOf: map.flatMap((one, index) => [one.replace('name:', ''), `${index}`]) } : WORD;
  return [path, ...others, ...others.map((name) => posix.join(posix.dirname(path), name))].map((name) =>
    partsOf(name, variants),
  );
}
