import type { Measurement } from '@telecine/contract/domain/analysis.ts';
import {
  deviceDecoderError,
  deviceEncoderError,
  deviceFilterRejection,
} from '@telecine/ffmpeg/allowlist/device-components.ts';
import { REJECTED_FILTERS } from '@telecine/ffmpeg/allowlist/filters.ts';
import {
  type CodecView,
  codecViews,
  type FilterView,
  type FormatView,
  type FullCodecView,
  type FullFilterView,
  type FullFormatView,
  filterViews,
  formatViews,
  fullCodecView,
  fullFilterView,
  fullFormatView,
} from '@telecine/ffmpeg/capabilities/components.ts';
import { type Catalogue, encoderNamed } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { SPEECH_FILTER, speechUnavailable } from '@telecine/ffmpeg/catalogue/changed-source.ts';
import { measurable } from '@telecine/ffmpeg/plan/analysis/measuring-filters.ts';
import { findFormat } from '@telecine/ffmpeg/plan/request/format-names.ts';
import { options } from './options.ts';
import {
  type CodecQuery,
  type FilterQuery,
  type FindFfmpeg,
  type FormatQuery,
  notFound,
  type Page,
  pageOf,
} from './search-page.ts';

/** Lists the features of the installed ffmpeg that requests may use. The methods throw NOT_FOUND, INVALID_REQUEST. */
export type CapabilityOperations = ReturnType<typeof capabilityOperations>;

export const capabilityOperations = (findFfmpeg: FindFfmpeg) => ({
  ...formats(findFfmpeg),
  ...codecs(findFfmpeg),
  ...filters(findFfmpeg),
  ...options(findFfmpeg),
});

const formats = (findFfmpeg: FindFfmpeg) => ({
  formats: async ({ use, ...query }: FormatQuery): Promise<Page<FormatView>> => {
    const catalogue = (await findFfmpeg()).catalogue();
    const all = formatViews(catalogue);
    const muxer = muxerOf(query.q ?? '', catalogue);
    return pageOf(
      all.filter(({ reads, writes }) => use === undefined || (use === 'read' ? reads : writes)),
      query,
      { more: ({ name }) => (name === muxer ? (query.q ?? '') : '') },
    );
  },
  format: async (name: string): Promise<FullFormatView> => {
    const ffmpeg = await findFfmpeg();
    const catalogue = ffmpeg.catalogue();
    const all = formatViews(catalogue);
    const lookup = findFormat(name, catalogue.lists.muxers);
    const muxer = muxerOf(name, catalogue);
    const format = all.find((one) => one.name === name) ?? all.find((one) => one.name === muxer);
    if (format === undefined) {
      const rejection =
        'error' in lookup && lookup.error.code === 'FORMAT_NOT_ALLOWED' ? lookup.error.message : undefined;
      throw notFound(
        'format',
        name,
        all.map((one) => one.name),
        rejection,
      );
    }
    const [writer, reader] = await Promise.all([
      format.writes ? ffmpeg.component('muxer', format.name) : undefined,
      format.reads ? ffmpeg.component('demuxer', format.name) : undefined,
    ]);
    return fullFormatView(format, writer, reader);
  },
});

/** Finds a muxer by its name or by a common file extension, such as `mkv`. undefined: there is none. */
function muxerOf(name: string, { lists }: Catalogue): string | undefined {
  const lookup = findFormat(name, lists.muxers);
  return 'format' in lookup ? lookup.format.muxer : undefined;
}

const codecs = (findFfmpeg: FindFfmpeg) => ({
  codecs: async ({ kind, use, ...query }: CodecQuery): Promise<Page<CodecView>> => {
    const all = codecViews((await findFfmpeg()).catalogue());
    const ofKind = kind === undefined ? all : all.filter((one) => one.kind === kind);
    return pageOf(
      ofKind.filter(({ encodes, decodes }) => use === undefined || (use === 'encode' ? encodes : decodes)),
      query,
      { more: ({ codec }) => codec },
    );
  },
  codec: async (name: string): Promise<FullCodecView> => {
    const ffmpeg = await findFfmpeg();
    const catalogue = ffmpeg.catalogue();
    const all = codecViews(catalogue);
    const writer = encoderNamed(catalogue, name)?.name;
    const codec = all.find((one) => one.name === name) ?? all.find((one) => one.name === writer);
    if (codec === undefined) {
      const rejection =
        deviceEncoderError(name, catalogue.lists.encoders, catalogue.devices) ??
        deviceDecoderError(name, catalogue.devices);
      throw notFound(
        'codec',
        name,
        all.map((one) => one.name),
        rejection?.message,
      );
    }
    const [encoder, decoder] = await Promise.all([
      codec.encodes ? ffmpeg.component('encoder', codec.name) : undefined,
      codec.decodes ? ffmpeg.component('decoder', codec.name) : undefined,
    ]);
    return fullCodecView(codec, all, encoder, decoder);
  },
});

const filters = (findFfmpeg: FindFfmpeg) => ({
  /** Lists what an analysis can measure on at least one worker. */
  measurements: async (): Promise<readonly Measurement[]> => measurable((await findFfmpeg()).catalogue().lists.filters),
  filters: async ({ kind, ...query }: FilterQuery): Promise<Page<FilterView>> => {
    const ffmpeg = await findFfmpeg();
    const letter = kind?.charAt(0).toUpperCase() ?? '';
    const all = filterViews(ffmpeg.catalogue());
    return pageOf(
      all.filter(({ inputs, outputs }) => `${inputs}${outputs}`.includes(letter)),
      query,
    );
  },
  filter: async (name: string): Promise<FullFilterView> => {
    const ffmpeg = await findFfmpeg();
    const all = filterViews(ffmpeg.catalogue());
    const filter = all.find((one) => one.name === name);
    const component = filter && (await ffmpeg.component('filter', name));
    if (filter !== undefined && component !== undefined) return fullFilterView(filter, component);
    const rejection = REJECTED_FILTERS.get(name) ?? deviceFilterRejection(name);
    const unavailable = name === SPEECH_FILTER ? speechUnavailable(ffmpeg.catalogue()) : undefined;
    throw notFound(
      'filter',
      name,
      all.map((one) => one.name),
      rejection &&
        `"${name}" ${rejection}, so it is not allowed.${unavailable === undefined ? '' : ` ${unavailable.message} ${unavailable.fix}`}`,
    );
  },
});
