import { REJECTED_FILTERS } from '../../ffmpeg/allowlist/filters.ts';
import { filterViews, fullFilterView } from '../../ffmpeg/capabilities/filters.ts';
import type { AskTool } from './known-tool.ts';
import type { CapabilityOperations } from './operations.ts';
import { noSuch, pageOf } from './page.ts';

export const filters = (ask: AskTool): Pick<CapabilityOperations, 'filters' | 'filter'> => ({
  filters: async ({ kind, ...query }) => {
    const tool = await ask();
    const letter = kind?.charAt(0).toUpperCase() ?? '';
    const all = filterViews(tool.catalogue());
    return pageOf(
      all.filter(({ inputs, outputs }) => `${inputs}${outputs}`.includes(letter)),
      query,
    );
  },
  filter: async (name) => {
    const tool = await ask();
    const all = filterViews(tool.catalogue());
    const filter = all.find((one) => one.name === name);
    const component = filter && (await tool.component('filter', name));
    if (filter !== undefined && component !== undefined) return fullFilterView(filter, component);
    const refused = REJECTED_FILTERS.get(name);
    throw noSuch(
      'filter',
      name,
      all.map((one) => one.name),
      refused && `"${name}" ${refused.why}, so it cannot be used. ${refused.fix}`,
    );
  },
});
