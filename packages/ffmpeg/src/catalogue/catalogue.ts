import { rememberEach } from '@telecine/contract/domain/remember-each.ts';
import { rememberLast } from '@telecine/contract/domain/remember-last.ts';
import { isDeviceCodec } from '../allowlist/device-components.ts';
import type { Build } from './build.ts';
import {
  type AvOption,
  type Component,
  type ComponentKind,
  type ComponentName,
  GENERIC_CLASSES,
  type GenericClass,
} from './component.ts';
import { parseComponent } from './help-component.ts';

/** Where one of ffmpeg's own options applies. `nowhere`: this build does not have the option. */
export const CLI_OPTION_SIDES = ['global', 'input', 'output', 'both', 'nowhere'] as const;
export type CliOptionSide = (typeof CLI_OPTION_SIDES)[number];

/** What a run of ffmpeg with one of its own options shows. ffmpeg's help is wrong about some options. */
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

/** What an AVOption belongs to: a generic class, the protocols that open files, or one codec, muxer or demuxer. */
export const AV_OWNERS = [...GENERIC_CLASSES, 'protocol', 'private'] as const;
export type AvOwner = (typeof AV_OWNERS)[number];

/** One meaning of an AVOption name. Several codecs may have options of different types with the same name. */
export interface AvUse extends Pick<AvOption, 'type' | 'encoding' | 'decoding' | 'media'> {
  readonly owner: AvOwner;
}

/** The kinds of streams that encoders write. A stream specifier has the first letter, and ffmpeg's help the same capital. */
export const STREAM_KINDS = ['video', 'audio', 'subtitle'] as const;
export type CodecKind = (typeof STREAM_KINDS)[number];

/** The kind of streams for a letter such as `v` or `V`. undefined for other texts. */
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
  /** A letter for each input pad: `V` for video, `A` for audio. `N`: they depend on options. `|`: there are none. */
  readonly inputs: string;
  readonly outputs: string;
  /** Whether it accepts `enable`. */
  readonly timeline: boolean;
}

/** The lists that ffmpeg prints. */
export interface Lists {
  readonly encoders: ReadonlyMap<string, ListedCodec>;
  readonly decoders: ReadonlyMap<string, ListedCodec>;
  readonly muxers: ReadonlyMap<string, ListedFormat>;
  readonly demuxers: ReadonlyMap<string, ListedFormat>;
  readonly filters: ReadonlyMap<string, ListedFilter>;
  readonly bsfs: ReadonlySet<string>;
  /** Pixel formats, without formats of hardware devices. */
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

/** All known facts about one build of ffmpeg. It is immutable: new facts make a new catalogue. */
export interface Catalogue {
  readonly build: Build;
  /** ffmpeg's own options by name, without specifiers. null until the option is queried. */
  readonly cli: ReadonlyMap<string, CliFacts | null>;
  readonly cliHelp: ReadonlyMap<string, CliHelp>;
  /** Every AVOption that a request can name directly: all but options of filters. */
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

/** Facts that a request needs and a catalogue lacks. */
export interface MissingFacts {
  /** ffmpeg's own options, without stream specifiers. */
  readonly options: readonly string[];
  readonly components: readonly ComponentName[];
}

export const componentKey = ({ kind, name }: ComponentName): string => `${kind}=${name}`;

/** The facts of `facts` that a catalogue lacks; undefined if it has all. It may also lack an option that help omits. */
export function stillMissing({ cli, components }: Catalogue, facts: MissingFacts): MissingFacts | undefined {
  const options = facts.options.filter((name) => (cli.get(name) ?? null) === null);
  const lacking = facts.components.filter((one) => !components.has(componentKey(one)));
  return options.length + lacking.length === 0 ? undefined : { options, components: lacking };
}

/** A single fact. `subject`: its name in messages: `encoder "libx264"`. */
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

/** Parsed components, as long as a catalogue has their help. */
const parsed = new WeakMap<ComponentHelp, Component>();

/** Components by kind and name. The checks of one request read each many times. */
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

/** Returns a component with its options. undefined before it is queried. */
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

/** The meanings of an option in a request: without options of protocols, because the service opens the files. */
export const usesOf = ({ avOptions }: Catalogue, name: string): readonly AvUse[] =>
  (avOptions.get(name) ?? []).filter(({ owner }) => owner !== 'protocol');

/** Whether a meaning belongs to codecs. Only then may the option have a stream specifier. */
export const isCodecUse = (use: AvUse): boolean =>
  use.owner === 'codec' || (use.owner === 'private' && use.media !== '');

interface NamedCodec extends ListedCodec {
  readonly name: string;
}

/** The encoder `name`, else ffmpeg's choice for the codec `name`: the first encoder that needs no hardware device. */
export const encoderNamed = ({ lists }: Catalogue, name: string): NamedCodec | undefined =>
  codecNamed(lists.encoders, name);

/** ffmpeg's encoder for the default codec of a muxer. Unlike `encoderNamed`, it does not prefer an encoder of that name. */
export const encoderOfCodec = ({ lists }: Catalogue, codec: string): NamedCodec | undefined =>
  indexOf(lists.encoders).byCodec.get(codec);

/** The decoder `name`, else ffmpeg's choice for the codec `name`. */
export const decoderNamed = ({ lists }: Catalogue, name: string): NamedCodec | undefined =>
  codecNamed(lists.decoders, name);

function codecNamed(codecs: ReadonlyMap<string, ListedCodec>, name: string): NamedCodec | undefined {
  const { byName, byCodec } = indexOf(codecs);
  return byName.get(name) ?? byCodec.get(name);
}

/** The encoders or decoders of a list by their names, and for each codec the one that ffmpeg chooses. */
interface CodecIndex {
  readonly byName: ReadonlyMap<string, NamedCodec>;
  readonly byCodec: ReadonlyMap<string, NamedCodec>;
}

/** ffmpeg chooses the first codec that needs no hardware device, and an experimental one only if there is no other. */
const indexOf = rememberEach((codecs: ReadonlyMap<string, ListedCodec>): CodecIndex => {
  const byName = new Map<string, NamedCodec>();
  const byCodec = new Map<string, NamedCodec>();
  for (const [name, listed] of codecs) {
    const named = { ...listed, name };
    byName.set(name, named);
    const first = byCodec.get(named.codec);
    const isBetter = first === undefined || (first.experimental && !named.experimental);
    if (isBetter && !isDeviceCodec(name)) byCodec.set(named.codec, named);
  }
  return { byName, byCodec };
});
