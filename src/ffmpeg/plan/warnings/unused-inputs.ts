import { sendOption } from '../../../domain/edit.ts';
import { JOIN_OR_MAP, joiningFix } from '../../../domain/join.ts';
import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { isFilmExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Options whose values begin with the number of an input. */
const NUMBERED: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters', 'map_channel']);

/**
 * Warns about inputs that no `map` names, and about several films without a `map`: ffmpeg then takes one video and one
 * audio stream of all of them. What a filtergraph without labels reads is known only when ffmpeg runs.
 */
export function unusedInputs(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const tags = unusedTags(options, inputs);
  return tags.length > 0 ? tags : unusedStreams(options, inputs);
}

function unusedStreams(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  if (inputs.length < 2 || options.some(({ name }) => name.name === 'filter_complex')) return [];
  if (options.some(({ name }) => name.name === 'map')) return notMapped(options, inputs);
  const films = inputs.filter(({ source, duration }) => duration === undefined && isFilm(source));
  const [, ...others] = films;
  const fix = films.length === inputs.length ? joinedInputs(options) : JOIN_OR_MAP;
  return others.map(({ source }) => ({
    field: source.field,
    code: 'UNUSED_INPUT',
    message: 'ffmpeg does not join several inputs by itself: it takes the best video and the best audio stream of all.',
    fix,
  }));
}

const joinedInputs = (options: readonly ArgvOption[]): string =>
  joiningFix({
    copies: options.some(({ name, values }) => name.name === 'c' && values.at(-1) === 'copy'),
    dropped: options.filter(({ key }) => key === 'shortest').map(sentName),
  });

const isFilm = ({ path }: ArgvInput['source']): boolean => isFilmExtension(extension(path));

function notMapped(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const texts = options.flatMap(({ name, values }) =>
    // "-1" of an option for tags or chapters is none, and "-1" of "map" takes the streams of input 1 away.
    NUMBERED.has(name.name) ? values.filter((value) => name.name === 'map' || !value.startsWith('-')) : [],
  );
  // A map without a number, such as "v:0", reads input 0.
  const used = new Set(texts.map((text) => Number(/^-?(\d+)/.exec(text)?.[1] ?? 0)));
  return inputs.flatMap((input, index) =>
    // Without an option for chapters, ffmpeg takes those of the first input that has any.
    used.has(index) || isTags(input)
      ? []
      : [
          {
            field: input.source.field,
            code: 'UNUSED_INPUT',
            message: `No "map" names the input ${quoted(input.source.path)}, so nothing of it gets into the output.`,
            fix: `Send a "map" that begins with "${index}:", or leave the input out${renumbered(options, index)}.`,
          },
        ],
  );
}

/** The options that name inputs after one that is left out: `, and send "map": "0:a"`. Empty if none does. */
function renumbered(options: readonly ArgvOption[], left: number): string {
  const sent = options.flatMap((option) => {
    const number = option.name.name === 'map' ? /^(-?)(\d+)/ : /^()(\d+)/;
    const meant = option.values.map((value) =>
      value.replace(number, (all, sign: string, text: string) =>
        Number(text) > left ? `${sign}${Number(text) - 1}` : all,
      ),
    );
    const isSame = !NUMBERED.has(option.name.name) || meant.every((value, at) => value === option.values[at]);
    return isSame ? [] : [`"${sentName(option)}": ${JSON.stringify(meant.length === 1 ? meant[0] : meant)}`];
  });
  return sent.length === 0 ? '' : `, and send ${sent.join(' and ')}`;
}

/** Options that choose an input for its tags or its chapters. */
const TAG_OPTIONS: ReadonlySet<string> = new Set(['map_metadata', 'map_chapters']);

/** Whether an input is a file of tags and chapters, which has no streams. */
const isTags = ({ source, format }: ArgvInput): boolean =>
  format === undefined ? /^(?:ffmeta|ffmetadata|txt)$/i.test(extension(source.path)) : format === 'ffmetadata';

/**
 * A file of tags and chapters beside an option that takes them from another input. No `map` can name it. Without such an
 * option, what ffmpeg takes of it depends on the other inputs, so only the run can tell.
 */
function unusedTags(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const chosen = options.filter(({ name }) => TAG_OPTIONS.has(name.name));
  const isNamed = (index: number): boolean =>
    chosen.some(({ values }) => values.some((value) => Number.parseInt(value, 10) === index));
  const [index, ...more] = inputs.flatMap((input, number) => (isTags(input) && !isNamed(number) ? [number] : []));
  const option = chosen.find(({ name }) => name.specifier === undefined);
  const value = option?.values.at(-1) ?? '';
  const path = inputs[index ?? -1]?.source.path;
  if (index === undefined || more.length > 0 || option === undefined || path === undefined) return [];
  const takes = value.startsWith('-')
    ? 'takes nothing'
    : `takes them from ${quoted(inputs[Number.parseInt(value, 10)]?.source.path ?? value)}`;
  return [
    {
      field: option.field,
      code: 'UNUSED_INPUT',
      message: `Nothing of ${quoted(path)} gets into the output: it is a file of tags and chapters, and "${option.key}": "${value}" ${takes}.`,
      fix: sendOption(sentName(option), String(index)),
    },
  ];
}
