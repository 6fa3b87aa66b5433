import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { type Catalogue, componentKey } from './catalogue.ts';
import type { AvOption, Component, ComponentKind, ComponentName, Pads } from './component.ts';
import { parseOptions } from './help-options.ts';
import { type ComponentFacts, nearestReleases } from './recorded-releases.ts';

type Classes = Catalogue['classes'];

/** The components of a catalogue that were needed so far. */
const built = rememberEach((_classes: Classes) => new Map<string, Component>());

/**
 * Returns a component with its options. undefined: the build lacks it, or it is not `required`. The classes of options follow from its name
 * (`libx264`, `GIF muxer`), and the pads of a filter from the list of filters. All else, and what does not follow these rules, is recorded for
 * each release.
 */
export function componentOf(catalogue: Catalogue, kind: ComponentKind, name: string): Component | undefined {
  const key = componentKey({ kind, name });
  if (!catalogue.lists[`${kind}s`].has(name) || catalogue.required?.has(key) === false) return undefined;
  const known = built(catalogue.classes);
  const component = known.get(key) ?? buildComponent(catalogue, { kind, name }, factsOf(catalogue, key));
  known.set(key, component);
  return component;
}

/**
 * Returns what is recorded about a component. If the build lacks a recorded class, uses the classes of another release, if the build has
 * them: the class of the filter `scale` has another title in 7.0 than in 7.1.
 */
function factsOf({ build, classes }: Catalogue, key: string): ComponentFacts | undefined {
  const recorded = nearestReleases(build).flatMap(({ components }) => components[key] ?? []);
  const [facts] = recorded;
  if (facts?.classes === undefined || facts.classes.length === 0) return facts;
  const isPresent = ({ classes: titles = [] }: ComponentFacts): boolean =>
    titles.length > 0 && titles.every((one) => classes.has(one));
  return { ...facts, classes: recorded.find(isPresent)?.classes ?? facts.classes };
}

/**
 * The flags of the options that belong to a kind, as ffmpeg's help prints them. An encoder and a decoder may share a class. The scaler and the
 * resampler, whose options some filters have, are for video and audio.
 */
const FLAGS: Readonly<Record<ComponentKind, string>> = {
  encoder: 'E',
  decoder: 'D',
  muxer: 'E',
  demuxer: 'D',
  filter: 'FVA',
  bsf: 'B',
};

/** Makes a component of a class of options and what else is recorded about it. */
export function buildComponent(
  { classes, lists }: Pick<Catalogue, 'classes' | 'lists'>,
  { kind, name }: ComponentName,
  { classes: recorded, ...facts }: ComponentFacts = {},
): Component {
  const present = recorded?.filter((title) => classes.has(title)) ?? [];
  const titles = recorded?.length === 0 || present.length > 0 ? present : titlesByName(classes, kind, name);
  const [own = [], ...others] = titles.map((title) =>
    unique(parseOptions(classes.get(title)?.split('\n') ?? [], FLAGS[kind])),
  );
  const component = { kind, name, options: unique([...own, ...others.flat()]) };
  const filter = kind === 'filter' ? lists.filters.get(name) : undefined;
  if (filter === undefined) return { ...component, ...facts };
  const { timeline, inputs, outputs } = filter;
  const positions = HELPERS.has(titles[0] ?? '') ? [] : positionsOf(own);
  return { ...component, inputs: padsOf(inputs), outputs: padsOf(outputs), timeline, positions, ...facts };
}

/** The titles of the classes by their text in lower case. */
const lowerTitles = rememberEach(
  (classes: Classes) => new Map([...classes.keys()].map((one) => [one.toLowerCase(), one])),
);

function titlesByName(classes: Classes, kind: ComponentKind, name: string): readonly string[] {
  const titles = lowerTitles(classes);
  const title = [`${name} ${kind}`, `${name}_${kind}`, name].map((one) => titles.get(one)).find(Boolean);
  return title === undefined ? [] : [title];
}

/** Removes repeated options: components may share a class, which the help then has more than once. */
function unique(options: readonly AvOption[]): readonly AvOption[] {
  const seen = new Set<string>();
  return options.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** The pads for the letters in the list of filters. Names of pads other than `default` are recorded. */
const padsOf = (letters: string): Pads => {
  if (letters.includes('N')) return 'dynamic';
  return [...letters.replace('|', '')].map((letter) => ({
    name: 'default',
    media: letter === 'V' ? 'video' : 'audio',
  }));
};

/** Classes of options that several filters share. A value without a name never sets one of these options. */
const HELPERS: ReadonlySet<string> = new Set(['framesync', 'SWScaler', 'SWResampler']);

/**
 * The options of a filter's own class that values without a name set. Like `process_options` of avfilter.c, this skips an alias directly
 * after its option. ffmpeg recognises an alias by its offset, which the help does not show; here, an option with the same help text as the
 * previous option counts as its alias.
 */
const positionsOf = (own: readonly AvOption[]): readonly string[] =>
  own.filter((option, n) => !isAlias(option, own[n - 1])).map(({ name }) => name);

const isAlias = (option: AvOption, before: AvOption | undefined): boolean =>
  before !== undefined &&
  option.type === before.type &&
  option.help === before.help &&
  option.fallback === before.fallback &&
  option.min === before.min &&
  option.max === before.max;
