import type { GraphFilter } from '../../filtergraph/graph.ts';
import { correctedStyle } from '../../values/ass-style.ts';
import { quoted } from '../../values/value-error.ts';
import { outOfSync, type Rules, type RunWarning, unusualValue } from '../contexts.ts';
import { printChanged } from '../facts/graph-fixes.ts';
import { optionValue, secondsText, TIMES } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { sendGraph, withFilters } from '../facts/written-graphs.ts';

/**
 * Matches names of common installed fonts. libass logs PostScript names, which for these fonts begin like the family. The names of other
 * fonts can differ (`LinLibertineO` is Linux Libertine O), so only a font of this list is certainly not the requested font.
 */
const COMMON_FONTS =
  /^(?:dejavu|liberation|noto|freesans|freeserif|freemono|nimbus|bitstreamvera|droidsans|opensans|roboto)/;

/** Names that mean any font. `Arial` is also what ffmpeg writes into subtitles without a font. */
const GENERIC_FONTS: ReadonlySet<string> = new Set('arial default sans sansserif serif mono monospace'.split(' '));

/** Returns the font family that `force_style` names: `FontName=Inter`. */
const familyOf = (filter: GraphFilter): string | undefined => {
  const style = optionValue(filter, 'force_style') ?? '';
  const name = /(?:^|,)\s*fontname\s*=\s*([^,]*)/i.exec(style)?.[1];
  return name === undefined ? undefined : bare(name);
};

function isOtherFont(family: string, installed: string): boolean {
  const start = COMMON_FONTS.exec(bare(installed))?.[0];
  return start !== undefined && !bare(family).startsWith(start);
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const fontReplaced = (family: string, installed: string, filter: GraphFilter): RunWarning => ({
  code: 'FONT_REPLACED',
  message: `The service has no font ${quoted(family)}, which the subtitles name: they are drawn with ${installed} instead.`,
  fix:
    optionValue(filter, 'fontsdir') === undefined
      ? 'Add the font file to "inputs", after the media: {"inputs": ["in.mp4", "talk.srt", "fonts/Inter.ttf"]}. Or name an installed font.'
      : 'Send the family as the font file states it (`fc-scan --format "%{family}" FILE`), or add the file of this font too.',
});

/** Subtitles that the filters `subtitles` and `ass` draw into the picture. */
export const DRAWN_SUBTITLE_RULES: Rules = {
  /** libass reads `#FFFF00` and `yellow` as black, `0xFF0000` as blue, and ignores `PrimaryColor`. */
  'subtitle-style-colours': {
    finds: 'a colour in `force_style` that is not written as ASS writes it',
    about: ['subtitles'],
    writtenGraph(graph) {
      const wrong: string[] = [];
      const meant = withFilters(graph, (filter, named) => {
        if (filter.name !== 'subtitles' || named.options.length !== filter.options.length) return filter;
        const corrected = filter.options.map((one, at) => {
          if (named.options[at]?.key !== 'force_style') return one;
          const style = correctedStyle(one.value);
          if (style.wrong === undefined) return one;
          wrong.push(style.wrong);
          return { ...one, value: style.style };
        });
        return { ...filter, options: corrected };
      });
      const [first] = wrong;
      if (first === undefined) return [];
      return unusualValue(
        `"force_style" does not read ${quoted(first)} as it is meant: its colours are PrimaryColour=&HAABBGGRR, with blue first.`,
        sendGraph(graph, meant),
      );
    },
  },

  /** Times of subtitles count from the start of their video. With `ss` of the input, the frames count from 0 after this position. */
  'shifted-subtitles': {
    finds: 'subtitles drawn into an input with `ss`, which are out of sync',
    about: ['subtitles', 'ass'],
    filter(at) {
      const { facts, filter } = at;
      const source = at.source(0, TIMES);
      const start = (source && facts.plan.span.inputs[source.input]?.start) ?? 0;
      if (source === undefined || start <= 0 || facts.has('copyts')) return undefined;
      const options = filter.options.map((one) => ({
        ...one,
        value: facts.plan.inputs.find(({ logical }) => logical === one.value)?.path ?? one.value,
      }));
      return outOfSync(
        `The subtitles are drawn from their start, although "ss" starts ${facts.pathOf(source.input)} at ${secondsText(start)}: after "ss", the times of the video count from 0.`,
        // Rounded, because a rest would move frames.
        at.replace(
          `setpts=PTS+round(${start}/TB),${printChanged({ ...filter, options })},setpts=PTS-round(${start}/TB)`,
        ),
      );
    },
  },

  'replaced-fonts': {
    finds: 'a font that subtitles name and that is not installed',
    run: ({ facts, pass: { complaints } }) =>
      filtersIn(facts, 'subtitles', 'ass')
        .flatMap(({ graph, filter }) => {
          const own = familyOf(filter);
          const found = complaints.selectedFonts.find(
            ({ family, installed }) =>
              installed !== undefined &&
              isOtherFont(family, installed) &&
              (bare(family) === own || !GENERIC_FONTS.has(bare(family))),
          );
          if (found === undefined) return [];
          return { key: graph.key, ...fontReplaced(found.family, found.installed ?? '', filter) };
        })
        .slice(0, 1),
  },
};
