import { rememberLast } from '../../domain/remember-last.ts';
import { isDeviceCodec } from '../allowlist/device-components.ts';
import type { Build } from './build.ts';
import type { AvOption, AvType, Component, ComponentKind, ComponentName, GenericClass } from './component.ts';
import { parseComponent } from './help-component.ts';

/** Where one of ffmpeg's own options applies. `nowhere` means that this build does not have the option. */
export type CliOptionSide = 'global' | 'input' | 'output' | 'both' | 'nowhere';

/**
 * Facts about one of ffmpeg's own options, found by running ffmpeg with the option. ffmpeg's help is wrong about some
 * options, so the facts are not taken from it.
 */
export interface CliFacts {
  readonly argument: boolean;
  readonly place: CliOptionSide;
}

/** The help entry of one of ffmpeg's own options. */
export interface CliHelp {
  /** The line as printed, without the dash: `c codec  codec name`. */
  readonly line: string;
  readonly help: string;
}

/**
 * The part of ffmpeg that an AVOption belongs to: a generic class, the protocols that open files, or a single codec,
 * muxer or demuxer (`private`).
 */
export type AvOwner = GenericClass | 'protocol' | 'private';

/** One meaning of an AVOption name. Several codecs may have options of different types with the same name. */
export interface AvUse {
  readonly owner: AvOwner;
  readonly type: AvType;
  /** Whether the option is accepted for encoding or muxing. */
  readonly encoding: boolean;
  /** Whether the option is accepted for decoding or demuxing. */
  readonly decoding: boolean;
  /**
   * The kinds of streams, one letter each: `V` for video, `A` for audio, `S` for subtitles. Empty for options of
   * containers.
   */
  readonly media: string;
}

/** The kinds of streams that encoders write. Their first letters stand for them in stream specifiers, and as capitals in ffmpeg's help. */
export const STREAM_KINDS = ['video', 'audio', 'subtitle'] as const;
export type CodecKind = (typeof STREAM_KINDS)[number];

/** The kind for `v` or `V`, as in `c:v`. undefined for other texts. */
export const kindOfLetter = (letter: string): CodecKind | undefined =>
  STREAM_KINDS.find((kind) => kind.charAt(0) === letter.toLowerCase());

/** An entry of `-encoders` or `-decoders`. */
export interface ListedCodec {
  readonly kind: CodecKind;
  /** The codec that it writes or reads: libx264 writes h264. */
  readonly codec: string;
  readonly description: string;
  /** Whether it needs `"strict": "experimental"`. */
  readonly experimental: boolean;
}

/** An entry of `-muxers` or `-demuxers`. */
export interface ListedFormat {
  readonly description: string;
}

export interface ListedFilter {
  readonly description: string;
  /**
   * One letter per input pad: `V` for video, `A` for audio. `N` means that the pads depend on options, `|` that there
   * are none.
   */
  readonly inputs: string;
  readonly outputs: string;
  /** Whether it accepts `enable`. */
  readonly timeline: boolean;
}

/** The lists that ffmpeg prints: names, most of them with a line of facts. */
export interface Lists {
  readonly encoders: ReadonlyMap<string, ListedCodec>;
  readonly decoders: ReadonlyMap<string, ListedCodec>;
  readonly muxers: ReadonlyMap<string, ListedFormat>;
  readonly demuxers: ReadonlyMap<string, ListedFormat>;
  readonly filters: ReadonlyMap<string, ListedFilter>;
  readonly bsfs: ReadonlySet<string>;
  /** Pixel formats, except those of hardware devices. */
  readonly pixelFormats: ReadonlySet<string>;
  readonly sampleFormats: ReadonlySet<string>;
  /** Names of standard layouts and of single channels. */
  readonly channelLayouts: ReadonlySet<string>;
  readonly colors: ReadonlySet<string>;
}

/** For each kind of component, the name of the list that contains it. */
export const LIST_OF = {
  encoder: 'encoders',
  decoder: 'decoders',
  muxer: 'muxers',
  demuxer: 'demuxers',
  filter: 'filters',
  bsf: 'bsfs',
} as const satisfies Record<ComponentKind, keyof Lists>;

/** The output of `-h KIND=NAME`, about 1 kB. `componentOf` parses it when it is first needed. */
export interface ComponentHelp {
  readonly text: string;
}

/** Everything that is known about one build of ffmpeg. It is immutable: new facts result in a new catalogue. */
export interface Catalogue {
  readonly build: Build;
  /** ffmpeg's own options by name, without specifiers. The value is null until the option is queried. */
  readonly cli: ReadonlyMap<string, CliFacts | null>;
  readonly cliHelp: ReadonlyMap<string, CliHelp>;
  /** Every AVOption that a request can name directly. Options of filters are not included. */
  readonly avOptions: ReadonlyMap<string, readonly AvUse[]>;
  readonly generic: Readonly<Record<GenericClass, ReadonlyMap<string, AvOption>>>;
  readonly lists: Lists;
  /** The help of the components that were queried, by `componentKey`. Use `componentOf` to read it. */
  readonly components: ReadonlyMap<string, ComponentHelp>;
  /** What the hardware devices of a worker with this build offer: see `deviceAbilities`. Absent if it has none. */
  readonly devices?: ReadonlySet<string>;
  /** Present if a worker with this build has a speech model, and the filter that uses it: see `withSpeech`. */
  readonly speech?: true;
}

/** The facts about ffmpeg that a request needs and a catalogue lacks. */
export interface MissingFacts {
  /** ffmpeg's own options, without stream specifiers. */
  readonly options: readonly string[];
  readonly components: readonly ComponentName[];
}

export const componentKey = ({ kind, name }: ComponentName): string => `${kind}=${name}`;

/**
 * Those of some facts that a catalogue lacks; undefined if it lacks none. An option that ffmpeg's help does not list lacks its
 * facts too until it is queried.
 */
export function stillMissing({ cli, components }: Catalogue, facts: MissingFacts): MissingFacts | undefined {
  const options = facts.options.filter((name) => (cli.get(name) ?? null) === null);
  const lacking = facts.components.filter((one) => !components.has(componentKey(one)));
  return options.length + lacking.length === 0 ? undefined : { options, components: lacking };
}

/** One of some facts. `subject`: what of a request it is about: `encoder "libx264"`. */
export interface Fact extends MissingFacts {
  readonly key: string;
  readonly subject: string;
}

export const factsOf = ({ options, components }: MissingFacts): readonly Fact[] => [
  ...options.map((name) => ({
    key: `option ${name}`,
    subject: `option "${name}"`,
    options: [name],
    components: [],
  })),
  ...components.map((one) => ({
    key: componentKey(one),
    subject: `${one.kind} "${one.name}"`,
    options: [],
    components: [one],
  })),
];

/** The cache of parsed components. An entry lives as long as its help text is in a catalogue. */
const parsed = new WeakMap<ComponentHelp, Component>();

/** The components of a catalogue that were asked for, by kind and name. Checks of one request ask for each many times. */
const componentsByKind = rememberLast(
  (_components: Catalogue['components']): Record<ComponentKind, Map<string, Component>> => ({
    encoder: new Map(),
    decoder: new Map(),
    muxer: new Map(),
    demuxer: new Map(),
    filter: new Map(),
    bsf: new Map(),
  }),
);

/** Returns a component with its options, or undefined if it was not queried yet. */
export function componentOf(catalogue: Catalogue, kind: ComponentKind, name: string): Component | undefined {
  const { components } = catalogue;
  const ofKind = componentsByKind(components)[kind];
  const before = ofKind.get(name);
  if (before !== undefined) return before;
  const help = components.get(componentKey({ kind, name }));
  if (help === undefined) return undefined;
  const component = parsed.get(help) ?? parseComponent({ kind, name }, help.text);
  parsed.set(help, component);
  ofKind.set(name, component);
  return component;
}

/**
 * Returns the meanings of the option `name` that a request can use. Options of protocols are excluded, because the
 * service controls how files are opened.
 */
export function usesOf(catalogue: Catalogue, name: string): readonly AvUse[] {
  const uses = catalogue.avOptions.get(name);
  if (uses === undefined) return [];
  return uses.some((use) => use.owner === 'protocol') ? uses.filter((use) => use.owner !== 'protocol') : uses;
}

/** Whether a meaning belongs to codecs. Only then may the option have a stream specifier. */
export const isCodecUse = (use: AvUse): boolean =>
  use.owner === 'codec' || (use.owner === 'private' && use.media !== '');

interface NamedCodec extends ListedCodec {
  readonly name: string;
}

/**
 * Returns the encoder `name`. If there is none, returns ffmpeg's choice for the codec `name`: the first encoder that
 * needs no hardware device.
 */
export function encoderNamed(catalogue: Catalogue, name: string): NamedCodec | undefined {
  return codecNamed(catalogue.lists.encoders, name);
}

/**
 * Returns ffmpeg's encoder for the default codec of a muxer. Unlike `encoderNamed`, it does not prefer an encoder that
 * has the same name as the codec.
 */
export function encoderOfCodec(catalogue: Catalogue, codec: string): NamedCodec | undefined {
  return firstOf(catalogue.lists.encoders, codec);
}

/** Returns the decoder `name`. If there is none, returns ffmpeg's choice for the codec `name`. */
export function decoderNamed(catalogue: Catalogue, name: string): NamedCodec | undefined {
  return codecNamed(catalogue.lists.decoders, name);
}

function codecNamed(codecs: ReadonlyMap<string, ListedCodec>, name: string): NamedCodec | undefined {
  const { byName, byCodec } = indexOf(codecs);
  return byName.get(name) ?? byCodec.get(name);
}

const firstOf = (codecs: ReadonlyMap<string, ListedCodec>, name: string): NamedCodec | undefined =>
  indexOf(codecs).byCodec.get(name);

/** The encoders or decoders of a list by their names, and for each codec the one that ffmpeg chooses. */
interface CodecIndex {
  readonly byName: ReadonlyMap<string, NamedCodec>;
  readonly byCodec: ReadonlyMap<string, NamedCodec>;
}

const indexes = new WeakMap<ReadonlyMap<string, ListedCodec>, CodecIndex>();

/** ffmpeg chooses the first for a codec that needs no hardware device, and an experimental one only if there is no other. */
function indexOf(codecs: ReadonlyMap<string, ListedCodec>): CodecIndex {
  const known = indexes.get(codecs);
  if (known !== undefined) return known;
  const byName = new Map<string, NamedCodec>();
  const byCodec = new Map<string, NamedCodec>();
  for (const [name, listed] of codecs) {
    const named = { ...listed, name };
    byName.set(name, named);
    const first = byCodec.get(named.codec);
    const isBetter = first === undefined || (first.experimental && !named.experimental);
    if (isBetter && !isDeviceCodec(name)) byCodec.set(named.codec, named);
  }
  const index = { byName, byCodec };
  indexes.set(codecs, index);
  return index;
}
