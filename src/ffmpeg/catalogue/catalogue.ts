import { isDeviceCodec } from '../allowlist/device-codecs.ts';
import type { Build } from './build.ts';
import type { AvOption, AvType, Component, ComponentKind, ComponentName, GenericClass } from './component.ts';
import { parseComponent } from './help-component.ts';

/** Where one of ffmpeg's own options applies; `nowhere`: this build does not know the option. */
export type CliOptionSide = 'global' | 'input' | 'output' | 'both' | 'nowhere';

/**
 * What ffmpeg itself revealed about one of its options. Its help is wrong about some, so the help is not used for this.
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

/** What accepts an AVOption: a generic class, the protocols that open files, or one codec, muxer or demuxer. */
export type AvOwner = GenericClass | 'protocol' | 'private';

/** One meaning of an AVOption name; several codecs may use a name with different types. */
export interface AvUse {
  readonly owner: AvOwner;
  readonly type: AvType;
  /** Accepted when encoding or muxing. */
  readonly encoding: boolean;
  /** Accepted when decoding or demuxing. */
  readonly decoding: boolean;
  /** Letters V(ideo), A(udio), S(ubtitle); empty for options of containers. */
  readonly media: string;
}

export type CodecKind = 'video' | 'audio' | 'subtitle';

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
  /** One letter per pad: V(ideo), A(udio); `N`: depends on options; `|`: none. */
  readonly inputs: string;
  readonly outputs: string;
  /** Whether it accepts `enable`. */
  readonly timeline: boolean;
}

/** Everything that ffmpeg lists: names with one line of facts each. */
export interface Lists {
  readonly encoders: ReadonlyMap<string, ListedCodec>;
  readonly decoders: ReadonlyMap<string, ListedCodec>;
  readonly muxers: ReadonlyMap<string, ListedFormat>;
  readonly demuxers: ReadonlyMap<string, ListedFormat>;
  readonly filters: ReadonlyMap<string, ListedFilter>;
  readonly bsfs: ReadonlySet<string>;
  /** Without hardware formats. */
  readonly pixelFormats: ReadonlySet<string>;
  readonly sampleFormats: ReadonlySet<string>;
  /** Standard layouts and single channels. */
  readonly channelLayouts: ReadonlySet<string>;
  readonly colors: ReadonlySet<string>;
}

/** The list of each kind of component. */
export const LIST_OF = {
  encoder: 'encoders',
  decoder: 'decoders',
  muxer: 'muxers',
  demuxer: 'demuxers',
  filter: 'filters',
  bsf: 'bsfs',
} as const satisfies Record<ComponentKind, keyof Lists>;

/** The output of `-h KIND=NAME`, about 1 kB. It is parsed when it is first needed. */
export interface ComponentHelp {
  readonly text: string;
}

/** Everything known about one build of ffmpeg. Immutable: new facts make a new catalogue. */
export interface Catalogue {
  readonly build: Build;
  /** ffmpeg's own options by name, without specifier; null: not queried yet. */
  readonly cli: ReadonlyMap<string, CliFacts | null>;
  readonly cliHelp: ReadonlyMap<string, CliHelp>;
  /** Every AVOption that a request can name directly; options of filters are not included. */
  readonly avOptions: ReadonlyMap<string, readonly AvUse[]>;
  readonly generic: Readonly<Record<GenericClass, ReadonlyMap<string, AvOption>>>;
  readonly lists: Lists;
  /** By `componentKey`; contains only queried components. Use `componentOf` to read it. */
  readonly components: ReadonlyMap<string, ComponentHelp>;
}

/** What a request needs to know about ffmpeg and a catalogue lacks. */
export interface MissingFacts {
  /** ffmpeg's own options, without stream specifiers. */
  readonly options: readonly string[];
  readonly components: readonly ComponentName[];
}

export const componentKey = ({ kind, name }: ComponentName): string => `${kind}=${name}`;

/** Parsed components, as long as a catalogue holds their help text. */
const parsed = new WeakMap<ComponentHelp, Component>();

/** A component with its options; undefined if it was not queried yet. */
export function componentOf(catalogue: Catalogue, kind: ComponentKind, name: string): Component | undefined {
  const help = catalogue.components.get(componentKey({ kind, name }));
  if (help === undefined) return undefined;
  const before = parsed.get(help);
  if (before !== undefined) return before;
  const component = parseComponent({ kind, name }, help.text);
  parsed.set(help, component);
  return component;
}

/** The meanings of `name` that a request can use. Options of protocols are excluded: the service opens the files. */
export function usesOf(catalogue: Catalogue, name: string): readonly AvUse[] {
  const uses = catalogue.avOptions.get(name);
  if (uses === undefined) return [];
  return uses.some((use) => use.owner === 'protocol') ? uses.filter((use) => use.owner !== 'protocol') : uses;
}

/** Whether a meaning belongs to codecs. Only then may the option have a stream specifier. */
export const isCodecUse = (use: AvUse): boolean =>
  use.owner === 'codec' || (use.owner === 'private' && use.media !== '');

export interface NamedCodec extends ListedCodec {
  readonly name: string;
}

/** The encoder `name`, or ffmpeg's choice for the codec `name`: the first that needs no hardware device. */
export function encoderNamed(catalogue: Catalogue, name: string): NamedCodec | undefined {
  return codecNamed(catalogue.lists.encoders, name);
}

/** ffmpeg's encoder for the default codec of a muxer; an encoder with the same name as the codec is not preferred. */
export function encoderOfCodec(catalogue: Catalogue, codec: string): NamedCodec | undefined {
  return firstOf(catalogue.lists.encoders, codec);
}

/** The decoder `name`, or ffmpeg's choice for the codec `name`. */
export function decoderNamed(catalogue: Catalogue, name: string): NamedCodec | undefined {
  return codecNamed(catalogue.lists.decoders, name);
}

function codecNamed(codecs: ReadonlyMap<string, ListedCodec>, name: string): NamedCodec | undefined {
  const exact = codecs.get(name);
  return exact === undefined ? firstOf(codecs, name) : { ...exact, name };
}

function firstOf(codecs: ReadonlyMap<string, ListedCodec>, name: string): NamedCodec | undefined {
  let experimental: NamedCodec | undefined;
  for (const [other, codec] of codecs) {
    if (codec.codec !== name || isDeviceCodec(other)) continue;
    if (!codec.experimental) return { ...codec, name: other };
    experimental ??= { ...codec, name: other };
  }
  return experimental;
}
