import type { ConversionRequest } from '@telecine/client';
import { convertedPart } from '../../packages/contract/src/domain/converted-part.ts';
import { hasCues } from '../cues/cue-files.ts';
import { isStored } from '../media/media-address.ts';
import { filtersIn, type WrittenFilter } from '../workbench/filters-in.ts';
import { isSimpleGraph, isVideoGraph } from './graph-options.ts';

type Filtered = { readonly [Name in 'parameters' | 'outputs']?: ConversionRequest[Name] | undefined };

const DRAW_SUBTITLES: ReadonlySet<string> = new Set(['subtitles', 'ass']);
const DRAW_WORDS: ReadonlySet<string> = new Set([...DRAW_SUBTITLES, 'drawtext']);
/** Filters that act by the times of frames. Others do if they have `enable`. */
const READ_TIMES: ReadonlySet<string> = new Set([...DRAW_SUBTITLES, 'fade']);

const drawsSubtitles = ({ name }: WrittenFilter): boolean => DRAW_SUBTITLES.has(name);

/** The options of the first output. */
const optionsOf = ({ parameters, outputs }: Filtered) => ({ ...parameters, ...outputs?.[0]?.parameters });

/** The filtergraphs of the first output that are in options of this kind. */
const graphsOf = (request: Filtered, isWanted: (name: string) => boolean): readonly string[] =>
  Object.entries(optionsOf(request)).flatMap(([name, value]) => (isWanted(name) ? [value].flat().map(String) : []));

const hasFilter = (graph: string, isWanted: (filter: WrittenFilter) => boolean): boolean =>
  filtersIn(graph)?.some(isWanted) === true;

/** Whether a filtergraph draws, fades or changes frames by their times, so that a part needs the times of the whole video. */
export const readsTimes = (graph: string): boolean =>
  hasFilter(graph, ({ name, settings }) => READ_TIMES.has(name) || settings.some((one) => one.name === 'enable'));

/** Whether a request without a recipe burns words into the picture: subtitles or other text. */
export const burnsWords = (request: Filtered): boolean =>
  graphsOf(request, isVideoGraph).some((graph) => hasFilter(graph, ({ name }) => DRAW_WORDS.has(name)));

/** The subtitle file of a request. */
export interface Subtitles {
  readonly path: string;
  /** The time in the film at which the words of its time 0 are shown, in seconds. */
  readonly offset: number;
}

/**
 * The stored subtitle file that a request without a recipe draws into the picture and whose cues can be read. undefined: there is none, or a
 * preview does not show it at the right times, because its graph has labels.
 *
 * @param sourceSeconds The length of the first source. undefined: unknown.
 */
export function subtitlesOf(request: ConversionRequest, sourceSeconds?: number): Subtitles | undefined {
  const [first] = request.inputs ?? [];
  const graph = graphsOf(request, isSimpleGraph).find((one) => hasFilter(one, drawsSubtitles)) ?? '';
  const filters = filtersIn(graph) ?? [];
  const at = filters.findIndex(drawsSubtitles);
  const drawing = filters[at];
  if (drawing === undefined) return undefined;
  const path = settingOf(graph, drawing, ['filename', 'f']) ?? '';
  if (!hasCues(path) || !isStored(path)) return undefined;
  const { filterStart } = convertedPart({
    input: typeof first === 'string' ? undefined : first?.parameters,
    output: optionsOf(request),
    duration: sourceSeconds,
  });
  const added = filters.slice(0, at).map((filter) => secondsAdded(graph, filter));
  // With an expression that is not known here, the frames are assumed to have the times of the film.
  if (added.includes(undefined)) return { path, offset: 0 };
  const offset = added.reduce((rest: number, seconds = 0) => rest - seconds, filterStart);
  return { path, offset: Number(offset.toFixed(6)) };
}

/** The value of a setting of a filter: by its name, otherwise the first one. */
function settingOf(graph: string, { settings }: WrittenFilter, names: readonly string[]): string | undefined {
  const [first] = settings;
  const named = settings.find(({ name }) => name !== undefined && names.includes(name));
  const found = named ?? (first?.name === undefined ? first : undefined);
  // The graph and the filter each take off quotes and backslashes.
  return found && unquoted(unquoted(graph.slice(found.from, found.to)));
}

const unquoted = (text: string): string =>
  text.trim().replace(/'([^']*)'|\\(.)/gs, (_all, quoted?: string, escaped?: string) => quoted ?? escaped ?? '');

/** What a filter adds to the times of frames, in seconds. undefined: not known. */
function secondsAdded(graph: string, filter: WrittenFilter): number | undefined {
  if (filter.name !== 'setpts') return 0;
  const sum = /^PTS\+(.*)$/.exec(settingOf(graph, filter, ['expr']) ?? '')?.[1];
  if (sum === undefined) return 0;
  const [, seconds] = /^(?:round)?\(?(\d+(?:\.\d+)?)\)?\/TB\)?$/.exec(sum) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
