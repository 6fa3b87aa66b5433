import type { ConversionRequest } from '@telecine/client';
import { hasCues } from '../cues/cue-files.ts';
import { isStored } from '../media/media-address.ts';
import { secondsOf } from '../trim/trim-time.ts';

/** The options that hold the filters of a video. */
const GRAPH = /^(?:vf|filter|filter:v(?::0)?|filter_complex|lavfi)$/;

/** Whether a preview gives the filters of an option the times of the whole video: those of one video, because a graph has labels. */
export const isShifted = (name: string): boolean => /^(?:vf|filter|filter:v(?::0)?)$/.test(name);

const DRAWS_WORDS = /(?:^|[,;\]])\s*(?:subtitles|ass|drawtext)\s*=/;
/** Matches a filter that draws subtitles, by their times. */
const DRAWS_SUBTITLES = /(?:^|[,;\]])\s*(?:subtitles|ass)\s*=\s*(?:f(?:ilename)?\s*=\s*)?'?([^'\\:,;[\]]*)/;
/** Matches a filter that gives the frames of a part their times in the film. */
const TIMES_OF_FILM = /(?:^|[,;\]])\s*setpts\s*=\s*PTS\+/;

type Filtered = Pick<ConversionRequest, 'parameters' | 'outputs'>;

/** The filters of the first output. */
function graphsOf({ parameters, outputs }: Filtered, isWanted = (name: string) => GRAPH.test(name)): readonly string[] {
  const all = Object.entries({ ...parameters, ...outputs?.[0]?.parameters });
  return all.flatMap(([name, value]) => (isWanted(name) ? [value].flat().map(String) : []));
}

/** Whether a filtergraph draws subtitles. */
export const drawsSubtitles = (graph: string): boolean => DRAWS_SUBTITLES.test(graph);

/** Whether a request without a recipe burns words into the picture: subtitles or other text. */
export const burnsWords = (request: Filtered): boolean => graphsOf(request).some((graph) => DRAWS_WORDS.test(graph));

/** The subtitle file of a request. */
export interface Subtitles {
  readonly path: string;
  /** The time in the film at which the words of its time 0 are shown, in seconds. */
  readonly offset: number;
}

/** The stored subtitle file that a request without a recipe reads and whose cues can be read. undefined: there is none. */
export function subtitlesOf(request: ConversionRequest): Subtitles | undefined {
  const [first, ...others] = request.inputs ?? [];
  const drawing = graphsOf(request, isShifted).find(drawsSubtitles);
  if (drawing === undefined && graphsOf(request).some(drawsSubtitles)) return undefined;
  const drawn = DRAWS_SUBTITLES.exec(drawing ?? '')?.[1];
  const paths = [drawn, ...others.map((one) => (typeof one === 'string' ? one : one.input))];
  const path = paths.find((one) => one !== undefined && hasCues(one) && isStored(one));
  if (path === undefined) return undefined;
  // The frames of a part count from its start.
  const start = typeof first === 'string' ? undefined : first?.parameters?.['ss'];
  const isInTimesOfFilm = drawing !== undefined && isBefore(drawing, TIMES_OF_FILM, DRAWS_SUBTITLES);
  return { path, offset: isInTimesOfFilm ? 0 : (secondsOf(String(start ?? ''), 0) ?? 0) };
}

function isBefore(text: string, first: RegExp, second: RegExp): boolean {
  const at = text.search(first);
  return at >= 0 && at < text.search(second);
}
