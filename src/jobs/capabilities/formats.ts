import { formatViews, fullFormatView } from '../../ffmpeg/capabilities/components.ts';
import type { Catalogue } from '../../ffmpeg/catalogue/catalogue.ts';
import { findFormat } from '../../ffmpeg/plan/request/format-names.ts';
import type { FindFfmpeg } from './installed-ffmpeg.ts';
import type { CapabilityOperations } from './operations.ts';
import { notFound, pageOf } from './page.ts';

export const formats = (findFfmpeg: FindFfmpeg): Pick<CapabilityOperations, 'formats' | 'format'> => ({
  formats: async ({ use, ...query }) => {
    const catalogue = (await findFfmpeg()).catalogue();
    const all = formatViews(catalogue);
    const muxer = muxerOf(query.q ?? '', catalogue);
    return pageOf(
      all.filter(({ reads, writes }) => use === undefined || (use === 'read' ? reads : writes)),
      query,
      { more: ({ name }) => (name === muxer ? (query.q ?? '') : '') },
    );
  },
  format: async (name) => {
    const ffmpeg = await findFfmpeg();
    const catalogue = ffmpeg.catalogue();
    const all = formatViews(catalogue);
    const lookup = findFormat(name, catalogue.lists.muxers);
    const muxer = muxerOf(name, catalogue);
    const format = all.find((one) => one.name === name) ?? all.find((one) => one.name === muxer);
    if (format === undefined) {
      const rejection =
        'error' in lookup && lookup.error.code === 'FORMAT_NOT_ALLOWED' ? lookup.error.message : undefined;
      throw notFound('format', name, names(all), rejection);
    }
    const [writer, reader] = await Promise.all([
      format.writes ? ffmpeg.component('muxer', format.name) : undefined,
      format.reads ? ffmpeg.component('demuxer', format.name) : undefined,
    ]);
    return fullFormatView(format, writer, reader);
  },
});

/** Finds a muxer by its name or by a usual file extension, such as `mkv`. */
function muxerOf(name: string, { lists }: Catalogue): string | undefined {
  const lookup = findFormat(name, lists.muxers);
  return 'format' in lookup ? lookup.format.muxer : undefined;
}

const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);
