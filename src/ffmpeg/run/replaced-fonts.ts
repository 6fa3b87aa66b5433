import type { GraphFilter } from '../filtergraph/graph.ts';
import { quoted } from '../values/value-error.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { type MediaFacts, optionValue, withField } from './media-facts.ts';

/**
 * How the families of common installed fonts begin, and their PostScript names too. Of other fonts, the two can differ:
 * `LinLibertineO` is of the family Linux Libertine O. So only one of these is surely another font than the one named.
 */
const COMMON = /^(?:dejavu|liberation|noto|freesans|freeserif|freemono|nimbus|bitstreamvera|droidsans|opensans|roboto)/;

/** Names of no font in particular. ffmpeg names Arial in the style of subtitles that have none. */
const GENERIC: ReadonlySet<string> = new Set(['arial', 'default', 'sans', 'sansserif', 'serif', 'mono', 'monospace']);

/** Warns about fonts that the subtitles name, for which libass took another one, because it did not find them. */
export function replacedFonts(facts: MediaFacts, { complaints }: FinishedPass): readonly RunWarning[] {
  for (const { key, filters } of facts.graphs)
    for (const filter of filters) {
      if (filter.name !== 'subtitles' && filter.name !== 'ass') continue;
      const own = familyOf(filter);
      const found = complaints.selectedFonts.find(
        ({ family, installed }) =>
          installed !== undefined && isOther(family, installed) && (bare(family) === own || !GENERIC.has(bare(family))),
      );
      if (found !== undefined) return [withField(facts, key, warning(found.family, found.installed ?? '', filter))];
    }
  return [];
}

/** The family that `force_style` names: `FontName=Inter`. */
const familyOf = (filter: GraphFilter): string | undefined => {
  const style = optionValue(filter, 'force_style') ?? '';
  const name = /(?:^|,)\s*fontname\s*=\s*([^,]*)/i.exec(style)?.[1];
  return name === undefined ? undefined : bare(name);
};

function isOther(family: string, installed: string): boolean {
  const start = COMMON.exec(bare(installed))?.[0];
  return start !== undefined && !bare(family).startsWith(start);
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const warning = (family: string, installed: string, filter: GraphFilter): RunWarning => ({
  code: 'FONT_REPLACED',
  message: `The service has no font ${quoted(family)}, which the subtitles name: they are drawn with ${installed} instead.`,
  fix:
    optionValue(filter, 'fontsdir') === undefined
      ? 'Add the font file to "inputs", after the media: {"inputs": ["in.mp4", "talk.srt", "fonts/Inter.ttf"]}. Or name an installed font.'
      : 'Send the family as the font file states it (`fc-scan --format "%{family}" FILE`), or add the file of this font too.',
});
