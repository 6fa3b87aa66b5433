import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { isDeviceCodec } from '../allowlist/device-components.ts';
import type { Answers } from './answers.ts';
import type { Build } from './build.ts';
import type { AvOption, ComponentName, GenericClass } from './component.ts';

/** What is known about an option of the ffmpeg program. The help is wrong about some options, so none of this comes from it. */
export interface CliFacts {
  /** Whether the option takes a value, as the installed program says; see `optionArguments`. */
  readonly argument: boolean;
  /** Where the option applies, by the recorded releases. */
  readonly place: 'global' | 'input' | 'output' | 'both';
}

/**
 * The owner of an AVOption: a class that many components share, the protocols that open files, or (`private`) one codec, muxer or demuxer.
 */
export type AvOwner = GenericClass | 'protocol' | 'private';

/** One meaning of the name of an AVOption. Codecs may have options of the same name with different types. */
export interface AvUse extends Pick<AvOption, 'type' | 'encoding' | 'decoding' | 'media'> {
  readonly owner: AvOwner;
}

/** The kinds of streams that encoders write. The first letter is a stream specifier (`v`); ffmpeg's help prints it as a capital. */
export const STREAM_KINDS = ['video', 'audio', 'subtitle'] as const;
export type CodecKind = (typeof STREAM_KINDS)[number];

/** The kind for a letter such as `v` or `V`. undefined: another text. */
export const kindOfLetter = (letter: string): CodecKind | undefined =>
  STREAM_KINDS.find((kind) => kind.charAt(0) === letter.toLowerCase());

/** A component in one of ffmpeg's lists. */
export interface Listed {
  readonly name: string;
  /** Empty for a bitstream filter. */
  readonly description: string;
}

export interface ListedCodec extends Listed {
  readonly kind: CodecKind;
  /** The codec that the encoder writes or the decoder reads: `h264` for libx264. */
  readonly codec: string;
  /** True if the encoder or decoder needs `"strict": "experimental"`. */
  readonly experimental: boolean;
}

export interface ListedFilter extends Listed {
  /** One letter per input pad: `V` video, `A` audio. `N`: the pads depend on options. `|`: no pads. */
  readonly inputs: string;
  readonly outputs: string;
  /** True if the filter has the option `enable`. */
  readonly timeline: boolean;
}

/** The lists that ffmpeg prints, such as `-encoders`, by name. The list of a kind of components is that of its plural. */
export interface Lists {
  readonly encoders: ReadonlyMap<string, ListedCodec>;
  readonly decoders: ReadonlyMap<string, ListedCodec>;
  readonly muxers: ReadonlyMap<string, Listed>;
  readonly demuxers: ReadonlyMap<string, Listed>;
  readonly filters: ReadonlyMap<string, ListedFilter>;
  readonly bsfs: ReadonlyMap<string, Listed>;
  /** Without the formats of hardware devices. */
  readonly pixelFormats: ReadonlySet<string>;
  readonly sampleFormats: ReadonlySet<string>;
  /** The names of standard layouts and of single channels. */
  readonly channelLayouts: ReadonlySet<string>;
  readonly colors: ReadonlySet<string>;
}

/** All that is known about one build of ffmpeg, from what it prints and the recorded releases. It never changes. */
export interface Catalogue {
  readonly build: Build;
  /** What the build has printed. */
  readonly answers: Answers;
  /** The options of the ffmpeg program by name, without specifiers. null: requests may not use the option. */
  readonly cli: ReadonlyMap<string, CliFacts | null>;
  /** The help of the options of the ffmpeg program. It is not reliable about their arguments and where they apply. */
  readonly cliHelp: ReadonlyMap<string, string>;
  /** Every AVOption that a request can name. Options of filters are missing, because they belong into a filtergraph. */
  readonly avOptions: ReadonlyMap<string, readonly AvUse[]>;
  readonly generic: Readonly<Record<GenericClass, ReadonlyMap<string, AvOption>>>;
  readonly lists: Lists;
  /**
   * The help of each class of options by its title, such as `libx264`, `GIF muxer` or `scale`, which is parsed when it is first needed. The
   * second class with a title has the key `TITLE (2)`. Classes of protocols are missing.
   */
  readonly classes: ReadonlyMap<string, string>;
  /**
   * The components that a request concerns, by `componentKey`: values are checked by these, not by encoders that other streams may use.
   * Absent: all.
   */
  readonly required?: ReadonlySet<string>;
  /** The abilities of the hardware devices of a worker with this build; see `deviceAbilities`. Absent: no devices. */
  readonly devices?: ReadonlySet<string>;
  /** Present if a worker with this build has a speech model and the filter for it; see `withSpeech`. */
  readonly speech?: true;
  /** Present if the build's libvmaf has no model, so that `lists` lacks its filter; see `withoutVmaf`. */
  readonly lacksVmafModel?: true;
}

export const componentKey = ({ kind, name }: ComponentName): string => `${kind}=${name}`;

/** The meanings of an option in a request. Options of protocols are left out, because the service opens the files. */
export const usesOf = ({ avOptions }: Catalogue, name: string): readonly AvUse[] =>
  (avOptions.get(name) ?? []).filter(({ owner }) => owner !== 'protocol');

/** True if the option belongs to codecs. Only such an option may have a stream specifier. */
export const isCodecUse = (use: AvUse): boolean =>
  use.owner === 'codec' || (use.owner === 'private' && use.media !== '');

/** The encoder with this name. If there is none, the encoder that ffmpeg chooses for the codec with this name: `libx264` for `h264`. */
export const encoderNamed = ({ lists }: Catalogue, name: string): ListedCodec | undefined =>
  lists.encoders.get(name) ?? byCodec(lists.encoders).get(name);

/**
 * The encoder that ffmpeg chooses for the default codec of a muxer. An encoder with the name of the codec has no priority, unlike in
 * `encoderNamed`: for `vorbis`, returns `libvorbis`, because the encoder `vorbis` is experimental.
 */
export const encoderOfCodec = ({ lists }: Catalogue, codec: string): ListedCodec | undefined =>
  byCodec(lists.encoders).get(codec);

/** The decoder with this name. If there is none, the decoder that ffmpeg chooses for the codec with this name. */
export const decoderNamed = ({ lists }: Catalogue, name: string): ListedCodec | undefined =>
  lists.decoders.get(name) ?? byCodec(lists.decoders).get(name);

/**
 * The encoder or decoder that ffmpeg chooses for each codec: the first one that needs no hardware device; an experimental one only if there is
 * no other.
 */
const byCodec = rememberEach((codecs: ReadonlyMap<string, ListedCodec>): ReadonlyMap<string, ListedCodec> => {
  const chosen = new Map<string, ListedCodec>();
  for (const one of codecs.values()) {
    const first = chosen.get(one.codec);
    const isBetter = first === undefined || (first.experimental && !one.experimental);
    if (isBetter && !isDeviceCodec(one.name)) chosen.set(one.codec, one);
  }
  return chosen;
});
