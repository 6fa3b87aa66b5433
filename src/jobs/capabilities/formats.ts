import { formatViews, fullFormatView } from '../../ffmpeg/capabilities/formats.ts';
import type { Catalogue } from '../../ffmpeg/catalogue/catalogue.ts';
import { findFormat } from '../../ffmpeg/plan/request/format-names.ts';
import type { AskTool } from './known-tool.ts';
import type { CapabilityOperations } from './operations.ts';
import { noSuch, pageOf } from './page.ts';

export const formats = (ask: AskTool): Pick<CapabilityOperations, 'formats' | 'format'> => ({
  formats: async ({ use, ...query }) => {
    const catalogue = (await ask()).catalogue();
    const all = formatViews(catalogue);
    const meant = muxerOf(query.q ?? '', catalogue);
    return pageOf(
      all.filter(({ reads, writes }) => use === undefined || (use === 'read' ? reads : writes)),
      query,
      { more: ({ name }) => (name === meant ? (query.q ?? '') : '') },
    );
  },
  format: async (name) => {
    const tool = await ask();
    const catalogue = tool.catalogue();
    const all = formatViews(catalogue);
    const named = findFormat(name, catalogue.lists.muxers);
    const meant = muxerOf(name, catalogue);
    const format = all.find((one) => one.name === name) ?? all.find((one) => one.name === meant);
    if (format === undefined) {
      const refused = 'error' in named && named.error.code === 'FORMAT_NOT_ALLOWED' ? named.error.message : undefined;
      throw noSuch('format', name, names(all), refused);
    }
    const [writer, reader] = await Promise.all([
      format.writes ? tool.component('muxer', format.name) : undefined,
      format.reads ? tool.component('demuxer', format.name) : undefined,
    ]);
    return fullFormatView(format, writer, reader);
  },
});

/** What is known by another name, a usual extension: `mkv`. */
function muxerOf(name: string, { lists }: Catalogue): string | undefined {
  const named = findFormat(name, lists.muxers);
  return 'format' in named ? named.format.muxer : undefined;
}

const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);
