import { fixText } from '../../domain/hint.ts';
import { meantFilter } from '../../domain/synonyms/media-words.ts';
import { deviceFilterRejection } from '../../ffmpeg/allowlist/device-components.ts';
import { REJECTED_FILTERS } from '../../ffmpeg/allowlist/filters.ts';
import { filterViews, fullFilterView } from '../../ffmpeg/capabilities/components.ts';
import { SPEECH_FILTER, speechUnavailable } from '../../ffmpeg/catalogue/changed-source.ts';
import { measurable } from '../../ffmpeg/plan/analysis/measuring-filters.ts';
import type { FindFfmpeg } from './installed-ffmpeg.ts';
import type { CapabilityOperations } from './operations.ts';
import { notFound, pageOf } from './page.ts';

export const filters = (findFfmpeg: FindFfmpeg): Pick<CapabilityOperations, 'filters' | 'filter' | 'measurements'> => ({
  measurements: async () => measurable((await findFfmpeg()).catalogue().lists.filters),
  filters: async ({ kind, ...query }) => {
    const ffmpeg = await findFfmpeg();
    const letter = kind?.charAt(0).toUpperCase() ?? '';
    const all = filterViews(ffmpeg.catalogue());
    return pageOf(
      all.filter(({ inputs, outputs }) => `${inputs}${outputs}`.includes(letter)),
      query,
    );
  },
  filter: async (name) => {
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
        `"${name}" ${rejection.why}, so it is not allowed. ${unavailable === undefined ? fixText(rejection.fix) : `${unavailable.message} ${unavailable.fix}`}`,
      all.find((one) => one.name === meantFilter(name))?.name,
    );
  },
});
