import type { Measurement } from '@telecine/contract/domain/analysis.ts';
import {
  deviceDecoderError,
  deviceEncoderError,
  deviceFilterRejection,
} from '@telecine/ffmpeg/allowlist/device-components.ts';
import { REJECTED_FILTERS } from '@telecine/ffmpeg/allowlist/filters.ts';
import {
  codecDetail,
  codecViews,
  filterDetail,
  filterViews,
  formatDetail,
  formatViews,
} from '@telecine/ffmpeg/capabilities/components.ts';
import { type Catalogue, encoderNamed } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { SPEECH_FILTER, speechUnavailable } from '@telecine/ffmpeg/catalogue/changed-catalogue.ts';
import { measurable } from '@telecine/ffmpeg/plan/analysis/measuring-filters.ts';
import { findFormat } from '@telecine/ffmpeg/plan/request/format-names.ts';
import { options } from './options.ts';
import {
  type CodecQuery,
  type FilterQuery,
  type FindCatalogue,
  type FormatQuery,
  muxerNamed,
  notFound,
  pageOf,
} from './search-page.ts';

/** Lists the features of the installed ffmpeg that requests may use. The methods throw NOT_FOUND, INVALID_REQUEST. */
export type CapabilityOperations = ReturnType<typeof capabilityOperations>;

export const capabilityOperations = (find: FindCatalogue) => ({
  formats: async ({ use, ...query }: FormatQuery) => {
    const catalogue = await find();
    const muxer = muxerNamed(catalogue, query.q ?? '');
    const all = formatViews(catalogue).filter(({ reads, writes }) =>
      use === 'read' ? reads : use !== 'write' || writes,
    );
    return pageOf(all, query, ({ name }) => (name === muxer ? (query.q ?? '') : ''));
  },
  format: async (name: string) => {
    const catalogue = await find();
    const all = formatViews(catalogue);
    const format = viewNamed(all, name, muxerNamed(catalogue, name));
    if (format !== undefined) return formatDetail(catalogue, format);
    const lookup = findFormat(name, catalogue.lists.muxers);
    const isRejected = 'error' in lookup && lookup.error.code === 'FORMAT_NOT_ALLOWED';
    throw notFound('format', name, all, isRejected ? lookup.error.message : undefined);
  },
  codecs: async ({ kind, use, ...query }: CodecQuery) => {
    const all = codecViews(await find()).filter((one) => kind === undefined || one.kind === kind);
    const used = all.filter(({ encodes, decodes }) => (use === 'encode' ? encodes : use !== 'decode' || decodes));
    return pageOf(used, query, ({ codec }) => codec);
  },
  codec: async (name: string) => {
    const catalogue = await find();
    const all = codecViews(catalogue);
    const codec = viewNamed(all, name, encoderNamed(catalogue, name)?.name);
    if (codec !== undefined) return codecDetail(catalogue, codec, all);
    const { lists, devices } = catalogue;
    const rejection = deviceEncoderError(name, lists.encoders, devices) ?? deviceDecoderError(name, devices);
    throw notFound('codec', name, all, rejection?.message);
  },
  /** Lists what an analysis can measure on at least one worker. */
  measurements: async (): Promise<readonly Measurement[]> => measurable((await find()).lists.filters),
  filters: async ({ kind, ...query }: FilterQuery) => {
    const letter = kind?.charAt(0).toUpperCase() ?? '';
    const all = filterViews(await find());
    return pageOf(
      all.filter(({ inputs, outputs }) => `${inputs}${outputs}`.includes(letter)),
      query,
    );
  },
  filter: async (name: string) => {
    const catalogue = await find();
    const all = filterViews(catalogue);
    const filter = viewNamed(all, name);
    if (filter !== undefined) return filterDetail(catalogue, filter);
    throw notFound('filter', name, all, filterRejection(catalogue, name));
  },
  ...options(find),
});

/** Finds a view by its name, or else by the name that ffmpeg uses for it. */
const viewNamed = <T extends { readonly name: string }>(
  all: readonly T[],
  name: string,
  other?: string,
): T | undefined => all.find((one) => one.name === name) ?? all.find((one) => one.name === other);

/** Why requests may not use a filter. undefined: it is unknown. */
function filterRejection(catalogue: Catalogue, name: string): string | undefined {
  const rejection = REJECTED_FILTERS.get(name) ?? deviceFilterRejection(name);
  const unavailable = name === SPEECH_FILTER ? speechUnavailable(catalogue) : undefined;
  const because = unavailable === undefined ? '' : ` ${unavailable.message} ${unavailable.fix}`;
  return rejection && `"${name}" ${rejection}, so it is not allowed.${because}`;
}
