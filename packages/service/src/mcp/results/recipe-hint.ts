import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import type { HasTool } from '../tool-names.ts';

/** The parts of a call that show what it does without a recipe. */
interface ByHand {
  /** The names of its options. */
  readonly options: string;
  /** The texts of its filtergraphs. */
  readonly filters: string;
  /** The paths of its outputs. */
  readonly outputs: string;
}

/**
 * Recipes, and how to recognise a call that does the same without a recipe. The first row that matches applies, so more
 * special recipes come first.
 */
const RECIPES: readonly (readonly [recipe: string, does: (call: ByHand) => boolean])[] = [
  ['hls', ({ options, outputs }) => /\b(?:var_stream_map|master_pl_name)\b/.test(options) || /\.m3u8$/m.test(outputs)],
  ['dash', ({ options, outputs }) => /\badaptation_sets\b/.test(options) || /\.mpd$/m.test(outputs)],
  ['split', ({ options }) => /^segment_times?$/m.test(options)],
  ['target-size', ({ options }) => /^(?:pass|passlogfile|fs)$/m.test(options)],
  ['burn-subtitles', ({ filters }) => /\bsubtitles=/.test(filters)],
  ['soft-subtitles', ({ options }) => /^(?:c:s|scodec|subtitles?)$/m.test(options)],
  ['background-music', ({ filters }) => /\b(?:amix|amerge|sidechaincompress)\b/.test(filters)],
  ['add-silent-sound', ({ filters }) => /\banullsrc\b/.test(filters)],
  ['join', ({ filters }) => /\b(?:xfade|acrossfade|concat)\b/.test(filters)],
  ['remove-silence', ({ filters }) => /\bsilenceremove\b/.test(filters)],
  ['gif', ({ filters, outputs }) => /\bpalette(?:gen|use)\b/.test(filters) || /\.gif$/m.test(outputs)],
  ['side-by-side', ({ filters }) => /\b[hvx]stack\b/.test(filters)],
  ['contact-sheet', ({ filters }) => /\btile\b/.test(filters)],
  ['picture-in-picture', ({ filters }) => /\boverlay\b/.test(filters)],
  ['stabilise', ({ filters }) => /\b(?:vidstab\w+|deshake)\b/.test(filters)],
  ['waveform', ({ filters }) => /\bshowwaves/.test(filters)],
  ['speed', ({ filters }) => /\batempo\b/.test(filters)],
  ['text-overlay', ({ filters }) => /\bdrawtext\b/.test(filters)],
  ['loudness', ({ filters }) => /\b(?:loudnorm|dynaudnorm)\b/.test(filters)],
];

/** The recipes that `recipeHint` can name. */
export const RECIPES_BY_HAND: readonly string[] = RECIPES.map(([name]) => name);

/** The maximum length of a part that is searched, in characters. */
const MAX_LENGTH = 4000;

/**
 * Returns a sentence that names a recipe for what a failed call does without a recipe. undefined: there is no such
 * recipe, or the call names one.
 */
export function recipeHint(call: unknown, has: HasTool): string | undefined {
  if (!isMembers(call) || call['preset'] !== undefined || call['join'] !== undefined) return undefined;
  const parts = partsOf(call);
  const [name] = RECIPES.find(([, does]) => does(parts)) ?? [];
  if (name === undefined) return undefined;
  return `Or let a recipe do it: "preset": {"name": "${name}"} instead of "parameters"${has('find_recipe') ? `; find_recipe with {"name": "${name}"} shows its arguments` : ''}.`;
}

function partsOf({ output, outputs, parameters, inputs }: Readonly<Record<string, unknown>>): ByHand {
  const all = [outputs, inputs].flat().filter(isMembers);
  const options = [parameters, ...all.map((one) => one['parameters'])].filter(isMembers).flatMap(Object.entries);
  const graphs = options.flatMap(([name, value]) => (/^(?:vf|af|lavfi|filter)/.test(name) ? [value] : []));
  const text = (parts: readonly unknown[]): string =>
    parts
      .flat()
      .filter((one) => typeof one === 'string')
      .join('\n')
      .slice(0, MAX_LENGTH);
  return {
    options: text(options.map(([name]) => name)),
    filters: text([...graphs, ...all.map((one) => one['source'])]),
    outputs: text([output, ...all.map((one) => one['output'])]),
  };
}
