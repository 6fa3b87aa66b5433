import { basename, extname, posix } from 'node:path';
import { FILE_NAME_OPTIONS, type PlannedName, type PlannedNamePart } from '@telecine/contract/domain/planned-names.ts';
import type { CommandParameters } from '../../session/parameters.ts';

/** What an order says about the names of its files. */
interface OrderedOutput {
  /** The output below the local folder, with its patterns. */
  readonly path: string;
  readonly format?: string | undefined;
  readonly parameters: CommandParameters;
}

const NUMBER = { any: 'number' } as const;
/** A part of a date, or the name of a variant. */
const WORD = { any: 'date' } as const;
/** The extensions of DASH segments. */
const DASH = { oneOf: ['m4s', 'mp4', 'webm'] } as const;

/** Matches what ffmpeg expands in names: `%03d`, `%v`, `%Y`, `%%03d` after a date, and in those of DASH `$Number%05d$` and `$ext$`. */
const MARKS = /%%\d+[dst]|%%|%\d*[A-Za-z]|\$\w*(?:%\d*d)?\$/g;

function partOf(mark: string, variants: PlannedNamePart): PlannedNamePart {
  if (mark === '%v') return variants;
  if (mark === '%%' || mark === '$$') return { oneOf: [mark, mark.charAt(0)] };
  if (mark === '$ext$') return DASH;
  return /^\$|^%%|d$/.test(mark) ? NUMBER : WORD;
}

/**
 * The names of all files that an order allows its service to write, below the local folder. Only the order decides: the service may be hostile
 * and plan files such as `Makefile`. They are the output, files that an option names, and those that its format names after the output.
 */
export function namesOfOutput({ path, format, parameters }: OrderedOutput): readonly PlannedName[] {
  const text = (name: string): string | undefined => [parameters[name] ?? []].flat().at(-1);
  const map = text('var_stream_map');
  const variants =
    map === undefined ? WORD : { oneOf: map.split(/[\s,]+/).flatMap((one, at) => [one.replace('name:', ''), `${at}`]) };
  const read = (name: string): PlannedName => {
    const marks = [...name.matchAll(MARKS)].map(([mark]) => partOf(mark, variants));
    return name.split(MARKS).flatMap((plain, at) => [plain, ...marks.slice(at, at + 1)]);
  };
  const dir = posix.dirname(path);
  const folders =
    dir === '.' ? [''] : ['', ...dir.split('/').map((_, at, all) => `${all.slice(0, at + 1).join('/')}/`)];
  const inFolders = (...names: readonly PlannedName[]) =>
    folders.flatMap((folder) => names.map((name) => [...read(folder), ...name]));
  const named = [...FILE_NAME_OPTIONS.keys()]
    .flatMap((option) => text(option) ?? [])
    .map((name) => read(posix.normalize(name)));
  const extension = extname(path);
  const stem = read(basename(path, extension));
  const muxer = (format ?? text('f') ?? extension.slice(1)).toLowerCase();
  const others = muxer === 'hls' || muxer === 'm3u8' ? hlsNames : muxer === 'dash' || muxer === 'mpd' ? dashNames : [];
  const ofStem = others.map((name) => name.flatMap((part) => (part === STEM ? stem : [part])));
  const single = /single_file/.test(text('hls_flags') ?? '') ? ['', '-%s'].map((mark) => [...stem, mark, SEGMENT]) : [];
  // The planes of raw images.
  const planes = extension === '.y' ? [[...read(path.slice(0, -1)), { oneOf: ['U', 'V', 'A', 'x'] }]] : [];
  return [read(path), ...inFolders(...named, ...ofStem, ...single), ...planes];
}

/** Stands for the name of the output without its extension. */
const STEM = '/';

const SEGMENT = { oneOf: ['.ts', '.m4s', '.vtt'] } as const;

/** The names that HLS gives by default, also with variants whose mark the service has added to the name. */
const hlsNames: readonly PlannedName[] = [
  [STEM, NUMBER, SEGMENT],
  [STEM, '-', NUMBER, SEGMENT],
  [STEM, '_', WORD, NUMBER, SEGMENT],
  [STEM, '_', WORD, '.m3u8'],
  ['init.mp4'],
  ['init_', WORD, '.mp4'],
  ['master.m3u8'],
];

/** The names that DASH gives by default. */
const dashNames: readonly PlannedName[] = [
  ['init-stream', NUMBER, '.', DASH],
  ['chunk-stream', NUMBER, '-', NUMBER, '.', DASH],
  [STEM, '-stream', NUMBER, '.', DASH],
  ['master.m3u8'],
  ['media_', NUMBER, '.m3u8'],
];
