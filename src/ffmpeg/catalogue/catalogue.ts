import { isDeviceCodec } from '../policy/device-codecs.ts';
import type { Build } from './build.ts';

/** Where an option of ffmpeg's own may stand; `nowhere`: this build does not know it after all. */
export type Place = 'global' | 'input' | 'output' | 'both' | 'nowhere';

/** What the program itself said about one of its options. Its help is wrong about some, so it is never read from there. */
export interface CliFacts {
  readonly argument: boolean;
  readonly place: Place;
}

/** Who takes an AVOption: a generic class, the machinery that opens files, or one codec, muxer or demuxer. */
export type AvOwner = 'codec' | 'format' | 'protocol' | 'scaler' | 'resampler' | 'private';

/** One meaning of an AVOption's name; several codecs may share a name with different types. */
export interface AvUse {
  readonly owner: AvOwner;
  /** `int`, `flags`, `string`, … as the help names it. */
  readonly type: string;
  /** Taken when encoding or muxing. */
  readonly encoding: boolean;
  /** Taken when decoding or demuxing. */
  readonly decoding: boolean;
  /** Letters of V(ideo), A(udio), S(ubtitle); empty for options of containers. */
  readonly media: string;
}

export type MediaKind = 'video' | 'audio' | 'subtitle';

export interface Encoder {
  readonly kind: MediaKind;
  /** The codec it writes: libx264 writes h264. */
  readonly codec: string;
}

/**
 * What one build of ffmpeg knows, as far as it was asked. A value: what is learned later makes a new one.
 */
export interface Catalogue {
  readonly build: Build;
  /** ffmpeg's own options by name, without specifier; null: not yet asked. */
  readonly cli: ReadonlyMap<string, CliFacts | null>;
  readonly avOptions: ReadonlyMap<string, readonly AvUse[]>;
  readonly muxers: ReadonlySet<string>;
  readonly demuxers: ReadonlySet<string>;
  readonly encoders: ReadonlyMap<string, Encoder>;
  /** The names of the options that single muxers take themselves; only those that were asked for. */
  readonly muxerOptions: ReadonlyMap<string, ReadonlySet<string>>;
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

/** The encoder `name`, or the one that writes the codec `name` without a device. */
export function encoderNamed(catalogue: Catalogue, name: string): Encoder | undefined {
  const exact = catalogue.encoders.get(name);
  if (exact !== undefined) return exact;
  for (const [other, encoder] of catalogue.encoders)
    if (encoder.codec === name && !isDeviceCodec(other)) return encoder;
  return undefined;
}
