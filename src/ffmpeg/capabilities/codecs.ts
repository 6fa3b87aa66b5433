import { isUsableDecoder, isUsableEncoder } from '../allowlist/device-codecs.ts';
import type { Catalogue, CodecKind } from '../catalogue/catalogue.ts';
import type { Component } from '../catalogue/component.ts';
import { allowedOptions, type OptionView, optionView } from './option-view.ts';

export interface CodecView {
  /** The name of an encoder, a decoder, or both. */
  readonly name: string;
  readonly kind: CodecKind;
  /** The codec that it writes or reads: libx264 writes h264. */
  readonly codec: string;
  readonly description: string;
  readonly encodes: boolean;
  readonly decodes: boolean;
  /** Whether the encoder needs `"strict": "experimental"`. */
  readonly experimental?: true;
}

export interface FullCodecView extends CodecView {
  /** All encoders that write the same codec. */
  readonly encoders: readonly string[];
  readonly pixelFormats?: readonly string[];
  readonly sampleFormats?: readonly string[];
  readonly sampleRates?: readonly number[];
  readonly channelLayouts?: readonly string[];
  readonly frameRates?: readonly string[];
  readonly encoderOptions?: readonly OptionView[];
  readonly decoderOptions?: readonly OptionView[];
}

/** All encoders and decoders that requests may use, sorted by name: on hardware devices only those that workers have. */
export function codecViews({ lists: { encoders, decoders }, devices }: Catalogue): readonly CodecView[] {
  const names = [...new Set([...encoders.keys(), ...decoders.keys()])].sort();
  return names.flatMap((name) => {
    const encoder = encoders.get(name);
    const listed = encoder ?? decoders.get(name);
    const isUsable = encoder === undefined ? isUsableDecoder(name, devices) : isUsableEncoder(name, devices);
    if (listed === undefined || !isUsable) return [];
    const { kind, codec, description } = listed;
    const view: CodecView = {
      name,
      kind,
      codec,
      description,
      encodes: encoder !== undefined,
      decodes: decoders.has(name),
      ...(encoder?.experimental && { experimental: true }),
    };
    return [view];
  });
}

export function fullCodecView(
  codec: CodecView,
  all: readonly CodecView[],
  encoder: Component | undefined,
  decoder: Component | undefined,
): FullCodecView {
  const { pixelFormats, sampleFormats, sampleRates, channelLayouts, frameRates } = encoder ?? {};
  return {
    ...codec,
    encoders: all.filter((other) => other.encodes && other.codec === codec.codec).map(({ name }) => name),
    ...(pixelFormats && { pixelFormats }),
    ...(sampleFormats && { sampleFormats }),
    ...(sampleRates && { sampleRates }),
    ...(channelLayouts && { channelLayouts }),
    ...(frameRates && { frameRates }),
    ...(encoder && { encoderOptions: allowedOptions(encoder).map(optionView) }),
    ...(decoder && { decoderOptions: allowedOptions(decoder).map(optionView) }),
  };
}
