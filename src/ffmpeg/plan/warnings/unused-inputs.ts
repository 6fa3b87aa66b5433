import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { quoted } from '../../values/value-error.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { isFilmExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Options whose values begin with the number of an input. */
const NUMBERED: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters', 'map_channel']);

/**
 * Warns about inputs that no `map` names, and about several films without a `map`: ffmpeg then takes one video and one
 * audio stream of all of them. What a filtergraph without labels reads is known only when ffmpeg runs.
 */
export function unusedInputs(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  if (inputs.length < 2 || options.some(({ name }) => name.name === 'filter_complex')) return [];
  if (options.some(({ name }) => name.name === 'map')) return notMapped(options, inputs);
  const [, ...others] = inputs.filter(({ source, duration }) => duration === undefined && isFilm(source));
  return others.map(({ source }) => ({
    field: source.field,
    code: 'UNUSED_INPUT',
    message: 'ffmpeg does not join several inputs by itself: it takes the best video and the best audio stream of all.',
    fix: 'Send "map" to choose streams, or "filter_complex" with the filter concat to join the inputs.',
  }));
}

const isFilm = ({ path }: ArgvInput['source']): boolean => isFilmExtension(extension(path));

function notMapped(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const texts = options.flatMap(({ name, values }) => (NUMBERED.has(name.name) ? values : []));
  // A map without a number, such as "v:0", reads input 0.
  const used = new Set(texts.map((text) => Number(/^-?(\d+)/.exec(text)?.[1] ?? 0)));
  return inputs.flatMap(({ source }, index) =>
    used.has(index)
      ? []
      : [
          {
            field: source.field,
            code: 'UNUSED_INPUT',
            message: `No "map" names the input ${quoted(source.path)}, so nothing of it gets into the output.`,
            fix: `Send a "map" that begins with "${index}:", or leave the input out.`,
          },
        ],
  );
}
