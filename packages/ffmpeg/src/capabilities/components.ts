import { defined } from '@telecine/contract/domain/defined.ts';
import { isUsableDecoder, isUsableDeviceFilter, isUsableEncoder } from '../allowlist/device-components.ts';
import { FILTERS } from '../allowlist/filters.ts';
import { INPUT_FORMAT_NAMES } from '../allowlist/input-formats.ts';
import type { Catalogue, ListedFilter } from '../catalogue/catalogue.ts';
import type { ComponentKind } from '../catalogue/component.ts';
import { componentOf } from '../catalogue/components.ts';
import { findFormat } from '../plan/request/format-names.ts';
import { optionViews } from './options.ts';

type CodecView = ReturnType<typeof codecViews>[number];
type FormatView = ReturnType<typeof formatViews>[number];

const sortedNames = (...lists: readonly ReadonlyMap<string, unknown>[]): readonly string[] =>
  [...new Set(lists.flatMap((list) => [...list.keys()]))].sort();

/**
 * Returns all encoders and decoders that requests may use, sorted by name. Hardware encoders and decoders are included if a worker has the
 * device. `experimental`: the encoder needs `"strict": "experimental"`.
 */
export const codecViews = ({ lists: { encoders, decoders }, devices }: Catalogue) =>
  sortedNames(encoders, decoders).flatMap((name) => {
    const encoder = encoders.get(name);
    const listed = encoder ?? decoders.get(name);
    const isUsable = encoder === undefined ? isUsableDecoder(name, devices) : isUsableEncoder(name, devices);
    if (listed === undefined || !isUsable) return [];
    const { experimental, ...view } = listed;
    const uses = { encodes: encoder !== undefined, decodes: decoders.has(name) };
    return [{ ...view, ...uses, ...(uses.encodes && experimental && { experimental: true as const }) }];
  });

/** A codec with the formats that its encoder accepts, its options, and the names of all encoders that write the same codec. */
export function codecDetail(catalogue: Catalogue, codec: CodecView, all: readonly CodecView[]) {
  const encoder = codec.encodes ? componentOf(catalogue, 'encoder', codec.name) : undefined;
  const decoder = codec.decodes ? componentOf(catalogue, 'decoder', codec.name) : undefined;
  const { pixelFormats, sampleFormats, sampleRates, channelLayouts, frameRates } = encoder ?? {};
  return {
    ...codec,
    encoders: all.filter((other) => other.encodes && other.codec === codec.codec).map((other) => other.name),
    ...defined({
      ...{ pixelFormats, sampleFormats, sampleRates, channelLayouts, frameRates },
      encoderOptions: encoder && optionViews(encoder),
      decoderOptions: decoder && optionViews(decoder),
    }),
  };
}

export const filterViews = ({ lists, devices }: Catalogue) =>
  [...lists.filters.values()].filter(({ name }) => FILTERS.has(name) || isUsableDeviceFilter(name, devices));

export function filterDetail(catalogue: Catalogue, filter: ListedFilter) {
  const component = componentOf(catalogue, 'filter', filter.name);
  const { inputs: inputPads = [], outputs: outputPads = [] } = component ?? {};
  return { ...filter, inputPads, outputPads, options: component === undefined ? [] : optionViews(component) };
}

/** `reads`, `writes`: whether an input or an output can have the format. */
export const formatViews = ({ lists: { muxers, demuxers } }: Catalogue) =>
  sortedNames(muxers, demuxers).flatMap((name) => {
    const reads = INPUT_FORMAT_NAMES.has(name) && demuxers.has(name);
    const writes = muxers.has(name) && 'format' in findFormat(name, muxers);
    const { description = '' } = muxers.get(name) ?? demuxers.get(name) ?? {};
    return reads || writes ? [{ name, description, reads, writes }] : [];
  });

/**
 * A format with the options of the muxer, which a client sends in the `parameters` of the request, and those of the demuxer, which it sends in
 * the `parameters` of an input.
 */
export function formatDetail(catalogue: Catalogue, format: FormatView) {
  const muxer = format.writes ? componentOf(catalogue, 'muxer', format.name) : undefined;
  const demuxer = format.reads ? componentOf(catalogue, 'demuxer', format.name) : undefined;
  const { extensions = demuxer?.extensions, mimeType, defaultCodecs } = muxer ?? {};
  return {
    ...format,
    ...defined({
      ...{ extensions, mimeType, defaultCodecs },
      outputOptions: muxer && optionViews(muxer),
      inputOptions: demuxer && optionViews(demuxer),
    }),
  };
}

/** The names of the components of a kind that requests may use. */
export function usableNames(catalogue: Catalogue, kind: ComponentKind): readonly string[] {
  const named = {
    encoder: () => codecViews(catalogue).filter(({ encodes }) => encodes),
    decoder: () => codecViews(catalogue).filter(({ decodes }) => decodes),
    muxer: () => formatViews(catalogue).filter(({ writes }) => writes),
    demuxer: () => formatViews(catalogue).filter(({ reads }) => reads),
    filter: () => filterViews(catalogue),
    bsf: () => [...catalogue.lists.bsfs.values()],
  };
  return named[kind]().map(({ name }) => name);
}
