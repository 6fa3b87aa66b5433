import type { Measurement } from '@telecine/contract/domain/analysis.ts';
import type { CodecsQuery, FiltersQuery, FormatsQuery } from '@telecine/contract/wire/capabilities.ts';
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
import { type FindCatalogue, findNamed, muxerNamed, pageOf } from './search-page.ts';

/** Lists the features of the installed ffmpeg that requests may use. The methods throw NOT_FOUND, INVALID_REQUEST. */
export type CapabilityOperations = ReturnType<typeof capabilityOperations>;

export const capabilityOperations = (find: FindCatalogue) => ({
  formats: async ({ use, ...query }: FormatsQuery) => {
    const catalogue = await find();
    const muxer = muxerNamed(catalogue, query.q ?? '');
    const used = formatViews(catalogue).filter(({ reads, writes }) =>
      use === 'read' ? reads : use !== 'write' || writes,
    );
    return pageOf(used, query, ({ name }) => (name === muxer ? (query.q ?? '') : ''));
  },
  format: async (name: string) => {
    const catalogue = await find();
    const lookup = findFormat(name, catalogue.lists.muxers);
    const rejection =
      'error' in lookup && lookup.error.code === 'FORMAT_NOT_ALLOWED' ? lookup.error.message : undefined;
    const other = muxerNamed(catalogue, name);
    return formatDetail(catalogue, findNamed(formatViews(catalogue), { what: 'format', name, other, rejection }));
  },
  codecs: async ({ kind, use, ...query }: CodecsQuery) => {
    const all = codecViews(await find()).filter((one) => kind === undefined || one.kind === kind);
    const used = all.filter(({ encodes, decodes }) => (use === 'encode' ? encodes : use !== 'decode' || decodes));
    return pageOf(used, query, ({ codec }) => codec);
  },
  codec: async (name: string) => {
    const catalogue = await find();
    const { lists, devices } = catalogue;
    const all = codecViews(catalogue);
    const error = deviceEncoderError(name, lists.encoders, devices) ?? deviceDecoderError(name, devices);
    const other = encoderNamed(catalogue, name)?.name;
    const codec = findNamed(all, { what: 'codec', name, other, rejection: error?.message });
    return codecDetail(catalogue, codec, all);
  },
  /** Lists what an analysis can measure on at least one worker. */
  measurements: async (): Promise<readonly Measurement[]> => measurable((await find()).lists.filters),
  filters: async ({ kind, ...query }: FiltersQuery) => {
    const letter = kind?.charAt(0).toUpperCase() ?? '';
    const all = filterViews(await find());
    return pageOf(
      all.filter(({ inputs, outputs }) => `${inputs}${outputs}`.includes(letter)),
      query,
    );
  },
  filter: async (name: string) => {
    const catalogue = await find();
    const rejection = filterRejection(catalogue, name);
    return filterDetail(catalogue, findNamed(filterViews(catalogue), { what: 'filter', name, rejection }));
  },
  ...options(find),
});

/** Why requests may not use a filter. undefined: it is unknown. */
function filterRejection(catalogue: Catalogue, name: string): string | undefined {
  const rejection = REJECTED_FILTERS.get(name) ?? deviceFilterRejection(name);
  const unavailable = name === SPEECH_FILTER ? speechUnavailable(catalogue) : undefined;
  const because = unavailable === undefined ? '' : ` ${unavailable.message} ${unavailable.fix}`;
  return rejection && `"${name}" ${rejection}, so it is not allowed.${because}`;
}
