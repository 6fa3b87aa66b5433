import { orElse, sendOption } from '../../../domain/edit.ts';
import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { holdsNoSound, holdsNoVideo } from '../../allowlist/containers.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import { type GraphFilter, walkOf } from '../../filtergraph/graph.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { fileKind } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { kindOf } from './absent-streams.ts';

/** Formats in which people expect a picture. */
const FILMS = /^(?:mp4|mov|matroska|webm|avi|mpegts|flv)$/;

type Letter = 'v' | 'a' | 's';
const NAMES = { v: 'picture', a: 'sound', s: 'subtitles' } as const;
const ALONE = { v: 'sound alone', a: 'a silent film', s: 'a film without subtitles' } as const;

/**
 * Warns about options for a kind of stream that no `map` selects: `c:a` beside `"map": "[v]"`. With a map, ffmpeg takes
 * nothing else, so the sound is lost. `isOwn`: whether an option is for this output alone; another may use the others.
 */
export function unmappedKinds(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  muxer: string,
  catalogue: Catalogue,
  isOwn: (option: ArgvOption) => boolean,
): readonly Warning[] {
  const maps = options.filter(({ name }) => name.name === 'map');
  const [map] = maps;
  const values = maps.flatMap((option) => option.values);
  const kindOfLabel = labelKinds(options, catalogue);
  const kinds = values.flatMap((value) => (value.startsWith('-') ? [] : [mappedKind(value, kindOfLabel)]));
  if (map === undefined || kinds.length === 0 || kinds.includes(undefined)) return [];
  const isFilm = (): boolean => inputs.some(({ source }) => fileKind(extension(source.path)) === 'video');
  const sendsPicture = (): boolean => options.some((option) => letterOf(option) === 'v' || option.key === 'vn');
  const isSoundOfGraph = kinds.every((kind) => kind === 'a') && values.every((value) => value.startsWith('['));
  if (isSoundOfGraph && FILMS.test(muxer) && isFilm() && !sendsPicture())
    return [
      {
        field: map.field,
        code: 'PICTURE_LEFT_OUT',
        message: 'The output has no picture: "map" selects only sound, and ffmpeg takes only what a map selects.',
        fix: orElse(
          sendOption(sentName(map), [`${inputWith('v', inputs)}:v`, ...values]),
          '"vn": "" as well for sound alone',
        ),
      },
    ];
  return (['v', 'a', 's'] as const).flatMap((letter) => {
    if (kinds.includes(letter)) return [];
    const isHeld = letter === 'v' ? !holdsNoVideo(muxer) : letter === 'a' ? !holdsNoSound(muxer) : true;
    const sent = options.filter((option) => letterOf(option) === letter && isOwn(option));
    if (!isHeld || sent.length === 0 || options.some(({ key }) => key === `${letter}n`)) return [];
    const names = [...new Set(sent.map(sentName))];
    const added = `${inputWith(letter, inputs)}:${letter}?`;
    const maps = letter === 'v' ? [added, ...values] : [...values, added];
    return [
      {
        field: map.field,
        code: 'NO_EFFECT',
        message: `${names.map((name) => `"${name}"`).join(' and ')} ${sent.length === 1 ? 'has' : 'have'} no effect: "map" selects no ${NAMES[letter]}, and ffmpeg takes only what a map selects.`,
        // The sound that a film loses is seldom meant; a picture that a song does not get may be.
        fix:
          letter === 'a'
            ? sendOption(sentName(map), maps)
            : {
                edits: names.map((name) => ({ do: 'remove', name })),
                why: `the output is then ${ALONE[letter]}`,
                or: sendOption(sentName(map), maps),
              },
        options: sent.map(({ field }) => field),
      },
    ];
  });
}

const letterOf = (option: ArgvOption): Letter | undefined =>
  option.name.name === 'c' && /^s(?=:|$)/.test(option.name.specifier ?? '') ? 's' : kindOf(option);

/** The kind of streams that a map selects: `v` for `0:v:0` and `[v]`. undefined if it is not clear, or all kinds. */
function mappedKind(map: string, kindOfLabel: (label: string) => string | undefined): string | undefined {
  const label = /^\[(.+)\]$/.exec(map)?.[1];
  return label === undefined ? /^(?:\d+:)?([vVasdt])(?=[:?]|$)/.exec(map)?.[1]?.toLowerCase() : kindOfLabel(label);
}

/** Finds the kind of stream that the first filter with a label as its output makes. */
function labelKinds(options: readonly ArgvOption[], catalogue: Catalogue): (label: string) => string | undefined {
  let producers: ReadonlyMap<string, GraphFilter> | undefined;
  return (label) => {
    producers ??= producersIn(options);
    const producer = producers.get(label);
    const pads = producer && componentOf(catalogue, 'filter', producer.name)?.outputs;
    if (producer === undefined || pads === undefined || pads === 'dynamic') return undefined;
    return pads[producer.outputs.indexOf(label)]?.media.charAt(0);
  };
}

/** The filters that produce the labels of all graphs. */
function producersIn(options: readonly ArgvOption[]): ReadonlyMap<string, GraphFilter> {
  const [first, ...others] = options.flatMap(({ checkedGraphs = [] }) => checkedGraphs);
  if (first === undefined || others.length === 0) return first === undefined ? new Map() : walkOf(first).producers;
  // Of several, the first stays.
  return new Map([first, ...others].reverse().flatMap((graph) => [...walkOf(graph).producers]));
}

/** The number of the input that a stream of this kind comes from, as far as the names of the files tell. */
function inputWith(letter: Letter, inputs: readonly ArgvInput[]): number {
  const kinds = inputs.map(({ source }) => fileKind(extension(source.path)) ?? 'video');
  return Math.max(0, kinds.indexOf(({ v: 'video', a: 'sound', s: 'subtitles' } as const)[letter]));
}
