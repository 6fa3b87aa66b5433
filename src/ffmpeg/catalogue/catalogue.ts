import { isDeviceCodec } from '../allowlist/device-codecs.ts';
import type { Build } from './build.ts';
import type { AvOption, AvType, Component, ComponentKind, ComponentName, GenericClass } from './component.ts';
import { parseComponent } from './help-component.ts';

/** Where an option of ffmpeg's own may stand; `nowhere`: this build does not know it after all. */
export type CliOptionSide = 'global' | 'input' | 'output' | 'both' | 'nowhere';

/** What the program itself said about one of its options. Its help is wrong about some, so it is never read from there. */
export interface CliFacts {
  readonly argument: boolean;
  readonly place: CliOptionSide;
}

/** How the help presents an option of ffmpeg's own. */
export interface CliHelp {
  /** The line as printed, without the dash: `c codec  codec name`. */
  readonly line: string;
  readonly help: string;
}

/** Who takes an AVOption: a generic class, the machinery that opens files, or one codec, muxer or demuxer. */
export type AvOwner = GenericClass | 'protocol' | 'private';

/** One meaning of an AVOption's name; several codecs may share a name with different types. */
export interface AvUse {
  readonly owner: AvOwner;
  readonly type: AvType;
  /** Taken when encoding or muxing. */
  readonly encoding: boolean;
  /** Taken when decoding or demuxing. */
  readonly decoding: boolean;
  /** Letters of V(ideo), A(udio), S(ubtitle); empty for options of containers. */
  readonly media: string;
}

export type CodecKind = 'video' | 'audio' | 'subtitle';

/** An encoder or a decoder as `-encoders` and `-decoders` list it. */
export interface ListedCodec {
  readonly kind: CodecKind;
  /** The codec it writes or reads: libx264 writes h264. */
  readonly codec: string;
  readonly description: string;
  /** ffmpeg takes it only with `"strict": "experimental"`. */
  readonly experimental: boolean;
}

/** A muxer or a demuxer. */
export interface ListedFormat {
  readonly description: string;
}

export interface ListedFilter {
  readonly description: string;
  /** A letter a pad: V(ideo), A(udio); `N`: as its options say; `|`: none. */
  readonly inputs: string;
  readonly outputs: string;
  /** Takes `enable`. */
  readonly timeline: boolean;
}

/** What the program lists: names, and what is told of each in a line. */
export interface Lists {
  readonly encoders: ReadonlyMap<string, ListedCodec>;
  readonly decoders: ReadonlyMap<string, ListedCodec>;
  readonly muxers: ReadonlyMap<string, ListedFormat>;
  readonly demuxers: ReadonlyMap<string, ListedFormat>;
  readonly filters: ReadonlyMap<string, ListedFilter>;
  readonly bsfs: ReadonlySet<string>;
  /** Without those of devices. */
  readonly pixelFormats: ReadonlySet<string>;
  readonly sampleFormats: ReadonlySet<string>;
  /** Standard layouts, and single channels. */
  readonly channelLayouts: ReadonlySet<string>;
  readonly colors: ReadonlySet<string>;
}

/** Where the names of a kind are listed. */
export const LIST_OF = {
  encoder: 'encoders',
  decoder: 'decoders',
  muxer: 'muxers',
  demuxer: 'demuxers',
  filter: 'filters',
  bsf: 'bsfs',
} as const satisfies Record<ComponentKind, keyof Lists>;

/** What `-h KIND=NAME` printed. Kept as it is, about a kilobyte each, and read when it is looked at. */
export interface ComponentHelp {
  readonly text: string;
}

/**
 * What one build of ffmpeg knows, as far as it was asked. A value: what is learned later makes a new one.
 */
export interface Catalogue {
  readonly build: Build;
  /** ffmpeg's own options by name, without specifier; null: not yet asked. */
  readonly cli: ReadonlyMap<string, CliFacts | null>;
  readonly cliHelp: ReadonlyMap<string, CliHelp>;
  /** Every AVOption that a conversion can name directly, so not those of filters. */
  readonly avOptions: ReadonlyMap<string, readonly AvUse[]>;
  readonly generic: Readonly<Record<GenericClass, ReadonlyMap<string, AvOption>>>;
  readonly lists: Lists;
  /** By `componentKey`; only those that were asked for. Read it with `componentOf`. */
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

/** An encoder, muxer, filter … with its options. undefined: not yet asked. */
export function componentOf(catalogue: Catalogue, kind: ComponentKind, name: string): Component | undefined {
  const help = catalogue.components.get(componentKey({ kind, name }));
  if (help === undefined) return undefined;
  const before = parsed.get(help);
  if (before !== undefined) return before;
  const component = parseComponent({ kind, name }, help.text);
  parsed.set(help, component);
  return component;
}

/** The meanings of `name` that a conversion can reach: how files are opened is the service's own matter. */
export function usesOf(catalogue: Catalogue, name: string): readonly AvUse[] {
  const uses = catalogue.avOptions.get(name);
  if (uses === undefined) return [];
  return uses.some((use) => use.owner === 'protocol') ? uses.filter((use) => use.owner !== 'protocol') : uses;
}

/** A codec's option takes a stream specifier; a container's does not. */
export const isCodecUse = (use: AvUse): boolean =>
  use.owner === 'codec' || (use.owner === 'private' && use.media !== '');

export interface NamedCodec extends ListedCodec {
  readonly name: string;
}

/** The encoder `name`, or the one that ffmpeg takes for the codec `name`: the first that works without a device. */
export function encoderNamed(catalogue: Catalogue, name: string): NamedCodec | undefined {
  return codecNamed(catalogue.lists.encoders, name);
}

/** The encoder that ffmpeg takes for a codec that a muxer names; an encoder of that very name is not preferred. */
export function encoderOfCodec(catalogue: Catalogue, codec: string): NamedCodec | undefined {
  return firstOf(catalogue.lists.encoders, codec);
}

/** The decoder `name`, or the one for the codec `name`. */
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
