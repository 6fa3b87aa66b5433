import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { isUsableDecoder, isUsableDeviceFilter, isUsableEncoder } from '../allowlist/device-components.ts';
import { FILTERS } from '../allowlist/filters.ts';
import { INPUT_FORMAT_NAMES } from '../allowlist/input-formats.ts';
import type { Catalogue, ListedCodec, ListedFilter, ListedFormat } from '../catalogue/catalogue.ts';
import type { Component, Pads } from '../catalogue/component.ts';
import { findFormat } from '../plan/request/format-names.ts';
import { allowedOptions, type OptionView, optionView } from './options.ts';

export interface CodecView extends Pick<ListedCodec, 'kind' | 'codec' | 'description'> {
  /** The name of an encoder, a decoder or both. */
  readonly name: string;
  readonly encodes: boolean;
  readonly decodes: boolean;
  /** Present if the encoder needs `"strict": "experimental"`. */
  readonly experimental?: true;
}

export interface FullCodecView
  extends CodecView,
    Pick<Component, 'pixelFormats' | 'sampleFormats' | 'sampleRates' | 'channelLayouts' | 'frameRates'> {
  /** The names of all encoders that write the same codec. */
  readonly encoders: readonly string[];
  readonly encoderOptions?: readonly OptionView[];
  readonly decoderOptions?: readonly OptionView[];
}

/**
 * Returns all encoders and decoders that requests may use, sorted by name. Hardware encoders and decoders are included if a worker has the
 * device.
 */
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
  return definedMembers<FullCodecView>({
    ...codec,
    encoders: all.filter((other) => other.encodes && other.codec === codec.codec).map(({ name }) => name),
    ...{ pixelFormats, sampleFormats, sampleRates, channelLayouts, frameRates },
    encoderOptions: optionViews(encoder),
    decoderOptions: optionViews(decoder),
  });
}

const optionViews = (component: Component | undefined): readonly OptionView[] | undefined =>
  component && allowedOptions(component).map(optionView);

export interface FilterView extends ListedFilter {
  readonly name: string;
}

export interface FullFilterView extends FilterView {
  readonly inputPads: Pads;
  readonly outputPads: Pads;
  readonly options: readonly OptionView[];
}

export const filterViews = ({ lists, devices }: Catalogue): readonly FilterView[] =>
  [...lists.filters]
    .filter(([name]) => FILTERS.has(name) || isUsableDeviceFilter(name, devices))
    .map(([name, filter]) => ({ name, ...filter }));

export const fullFilterView = (filter: FilterView, component: Component): FullFilterView => ({
  ...filter,
  inputPads: component.inputs ?? [],
  outputPads: component.outputs ?? [],
  options: allowedOptions(component).map(optionView),
});

export interface FormatView extends ListedFormat {
  readonly name: string;
  /** True if an input can have this format. */
  readonly reads: boolean;
  /** True if an output can have this format. */
  readonly writes: boolean;
}

export interface FullFormatView extends FormatView, Pick<Component, 'extensions' | 'mimeType' | 'defaultCodecs'> {
  /** The options of the muxer, which a client sends in the `parameters` of the request. */
  readonly outputOptions?: readonly OptionView[];
  /** The options of the demuxer, which a client sends in the `parameters` of an input. */
  readonly inputOptions?: readonly OptionView[];
}

export function formatViews({ lists }: Catalogue): readonly FormatView[] {
  const names = [...new Set([...lists.muxers.keys(), ...lists.demuxers.keys()])].sort();
  return names.flatMap((name) => {
    const reads = INPUT_FORMAT_NAMES.has(name) && lists.demuxers.has(name);
    const writes = lists.muxers.has(name) && 'format' in findFormat(name, lists.muxers);
    const { description = '' } = lists.muxers.get(name) ?? lists.demuxers.get(name) ?? {};
    return reads || writes ? [{ name, description, reads, writes }] : [];
  });
}

export function fullFormatView(
  format: FormatView,
  muxer: Component | undefined,
  demuxer: Component | undefined,
): FullFormatView {
  const { extensions = demuxer?.extensions, mimeType, defaultCodecs } = muxer ?? {};
  return definedMembers<FullFormatView>({
    ...format,
    ...{ extensions, mimeType, defaultCodecs },
    outputOptions: optionViews(muxer),
    inputOptions: optionViews(demuxer),
  });
}
