import { addIn, addOption, leaveOut, sendValue } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { encodersOfMuxer, muxerRejectsCodec, subtitleEncoder } from '../../allowlist/container-codecs.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { areAllCopied } from '../../plan/encoders/stream-encoders.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { quoted } from '../../values/value-error.ts';
import type { Rules } from '../contexts.ts';
import type { RunWarning } from '../facts/finished-pass.ts';
import { printChanged } from '../facts/graph-fixes.ts';
import { optionValue, secondsText, TIMES } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { sendGraph, withFilters } from '../facts/written-graphs.ts';
import { isImageSubtitle } from '../failures/subtitles.ts';

const CODECS: ReadonlyMap<string, string> = new Map([
  ['srt', 'subrip'],
  ['vtt', 'webvtt'],
  ['ass', 'ass'],
  ['ssa', 'ass'],
]);

/** Formats that support subtitles, but for which ffmpeg has no default subtitle codec (5.1 to 9.0). */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

/** Matches a colour option in an ASS style. libass ignores the case of names, and does not know the spelling `Color`. */
const STYLE_COLOUR = /^(\s*)((?:Primary|Secondary|Outline|Back|Tertiary)Colou?r)(\s*=\s*)(\S.*)?$/i;

/** The HTML 4 colours and some more, with the names of ffmpeg. libass reads any name as 0, which is black. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ black: '000000', white: 'ffffff', gray: '808080', silver: 'c0c0c0', red: 'ff0000', maroon: '800000' },
  ...{ lime: '00ff00', green: '008000', blue: '0000ff', navy: '000080', yellow: 'ffff00', olive: '808000' },
  ...{ cyan: '00ffff', aqua: '00ffff', teal: '008080', magenta: 'ff00ff', fuchsia: 'ff00ff', purple: '800080' },
  ...{ orange: 'ffa500', pink: 'ffc0cb', brown: 'a52a2a', gold: 'ffd700' },
};

/**
 * Returns the digits RRGGBB or RRGGBBAA of a colour that is not in the notation of ASS. undefined: libass reads the colour correctly, or
 * the meaning is unclear. libass reads `0xRRGGBB` as BBGGRR, and numbers without a prefix as decimal.
 */
function meantDigits(value: string): string | undefined {
  if (/^#[\da-f]{3}$/i.test(value)) return value.slice(1).replaceAll(/./g, '$&$&');
  const [, prefixed, alpha = ''] = /^#([\da-f]{6})([\da-f]{2})?$/i.exec(value) ?? [];
  const bare = /^(?:0x)?(?=.*[\da-f])([\da-f]{6})$/i.exec(value)?.[1];
  const isDecimal = /^\d+$/.test(value);
  const digits = prefixed ?? (isDecimal ? undefined : bare) ?? NAMED[value.toLowerCase()];
  if (digits === undefined) return undefined;
  // Such a colour has the same value in both orders of its bytes.
  const isSymmetric = /^0x/i.test(value) && digits.slice(0, 2).toLowerCase() === digits.slice(4).toLowerCase();
  return isSymmetric ? undefined : `${digits}${alpha}`;
}

/** Prints a colour in ASS notation: `&HAABBGGRR`. The alpha value 00 is opaque. */
function assColour(digits: string): string {
  const [red, green, blue] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)];
  const opacity = digits.length > 6 ? Number.parseInt(digits.slice(6), 16) : 255;
  const alpha = (255 - opacity).toString(16).padStart(2, '0');
  return `&H${alpha}${blue}${green}${red}`.toUpperCase();
}

/** Returns a style with all colours in ASS notation, and the first colour that was wrong. */
function correctedStyle(style: string): { readonly style: string; readonly wrong: string | undefined } {
  let wrong: string | undefined;
  const parts = style.split(',').map((part) => {
    const [, before = '', name = '', equals = '=', text = ''] = STYLE_COLOUR.exec(part) ?? [];
    const value = text.trimEnd();
    const after = text.slice(value.length);
    const digits = meantDigits(value);
    const known = name.replace(/color$/i, 'Colour');
    if (name === '' || (digits === undefined && known === name)) return part;
    wrong ??= part.trim();
    return `${before}${known}${equals}${digits === undefined ? value : assColour(digits)}${after}`;
  });
  return { style: parts.join(','), wrong };
}

/**
 * Matches the beginning of the family name of common installed fonts. Their PostScript names start in the same way. For other fonts, the
 * two names can differ: `LinLibertineO` belongs to the family Linux Libertine O. So only a font from this list is certainly not the
 * requested one.
 */
const COMMON = /^(?:dejavu|liberation|noto|freesans|freeserif|freemono|nimbus|bitstreamvera|droidsans|opensans|roboto)/;

/** Names that stand for any font. ffmpeg uses Arial in the style of subtitles without a font. */
const GENERIC: ReadonlySet<string> = new Set(['arial', 'default', 'sans', 'sansserif', 'serif', 'mono', 'monospace']);

/** Returns the font family that `force_style` names: `FontName=Inter`. */
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

export const SUBTITLE_RULES: Rules = {
  /** ffmpeg selects subtitles itself only for formats with a default subtitle codec. MP4 does not have one. */
  'subtitle-file-codecs': {
    finds: 'an input of subtitles that the container holds only with another codec, or with an option for the codec',
    plan({ options, opened, encoders, muxer, catalogue }) {
      if (!opened.some(({ source }) => CODECS.has(extension(source.path)))) return [];
      const encoder = encodersOfMuxer(muxer, 'subtitle').find((one) => catalogue.lists.encoders.has(one));
      if (encoder === undefined || options.some(({ key }) => key === 'sn')) return [];
      const named = options.find(({ key }) => /^c:s(?::|$)/.test(key));
      const isCopy = encoders.of('s').some((one) => one.encoder === undefined);
      const maps = options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
      const hasDefault = !WITHOUT_DEFAULT.has(muxer);
      const hasNoEncoder = named === undefined && !options.some(({ key }) => key === 'c') && !hasDefault;
      // The message does not contain a path, because the plan cache returns the same warnings for requests with other paths.
      const found = opened.flatMap(({ source }, index): Warning | [] => {
        const codec = CODECS.get(extension(source.path));
        const isMapped = maps.some((map) => new RegExp(`^${index}(?::(?:s|0)\\b.*)?$`).test(map));
        if (codec === undefined || (maps.length > 0 && !isMapped)) return [];
        if (maps.length === 0 && !hasDefault && named === undefined)
          return {
            field: '/parameters/c:s',
            code: 'UNUSED_INPUT',
            message: `The subtitles of the input at ${source.field} do not get into the output: for ${muxer}, ffmpeg takes subtitles only with a codec for them.`,
            fix: addOption('c:s', encoder),
          };
        if (!hasNoEncoder && !(isCopy && muxerRejectsCodec(muxer, codec))) return [];
        return {
          field: named?.field ?? '/parameters/c:s',
          code: 'CODEC_NOT_HELD',
          message: hasNoEncoder
            ? `ffmpeg chooses no codec for subtitles in ${muxer}, such as the subtitles of the input at ${source.field}: the job would fail.`
            : `The container ${muxer} cannot hold a copy of the subtitles in the input at ${source.field}, which are ${codec}: the job would fail.`,
          fix: named === undefined ? addOption('c:s', encoder) : sendValue(encoder),
        };
      });
      return found.slice(0, 1);
    },
  },

  'ignored-sub-charenc': {
    finds: '`sub_charenc` for subtitles that are copied',
    about: ['sub_charenc'],
    plan({ opened, encoders, muxer, catalogue }) {
      if (!areAllCopied(encoders, 's')) return [];
      const encoder = subtitleEncoder(muxer, catalogue.lists);
      const sent = opened.flatMap(({ options }) => options.filter(({ name }) => name.name === 'sub_charenc'));
      return sent.map((option) => ({
        field: option.field,
        code: 'NO_EFFECT',
        message: `"${sentName(option)}" has no effect: the subtitles are copied, and only re-encoded ones become UTF-8.`,
        fix: encoder === undefined ? leaveOut() : addIn('parameters', 'c:s', encoder),
      }));
    },
  },

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
      return {
        code: 'UNUSUAL_VALUE',
        message: `"force_style" does not read ${quoted(first)} as it is meant: its colours are PrimaryColour=&HAABBGGRR, with blue first.`,
        fix: sendGraph(graph, meant),
      };
    },
  },

  /** The formats in `WITHOUT_DEFAULT` support text subtitles only as `mov_text`. */
  'dropped-subtitles': {
    finds: 'a copy to MP4 or MOV that leaves out text subtitles',
    files({ facts }) {
      const { inputs, output } = facts.plan;
      const isLeft = facts.hasOption(/^-(?:sn|map|c:s.*|filter_complex)$/) || inputs.length !== 1;
      if (isLeft || !WITHOUT_DEFAULT.has(output.muxer) || facts.argumentOf('c') !== 'copy') return [];
      const codecs = facts.streamsOf(0, 'subtitle').map(({ codec }) => codec);
      const dropped = codecs.find((codec) => codec !== 'mov_text' && !isImageSubtitle(codec));
      if (dropped === undefined) return [];
      return {
        key: 'c',
        code: 'UNUSED_STREAM',
        message: `The subtitles of ${facts.pathOf(0)} (${dropped}) do not get into the output: ${output.muxer} holds them only as mov_text.`,
        fix: addOption('c:s', 'mov_text'),
      };
    },
  },

  /** The times of subtitles count from the start of their video. After `ss` of the input, the times of its frames count from 0. */
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
      return {
        code: 'OUT_OF_SYNC',
        message: `The subtitles start at their beginning, although "ss" starts ${facts.pathOf(source.input)} at ${secondsText(start)}: after it, the times of the video count from 0.`,
        fix: at.replace(`setpts=PTS+${start}/TB,${printChanged({ ...filter, options })},setpts=PTS-STARTPTS`),
      };
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
              isOther(family, installed) &&
              (bare(family) === own || !GENERIC.has(bare(family))),
          );
          return found === undefined ? [] : { key: graph.key, ...warning(found.family, found.installed ?? '', filter) };
        })
        .slice(0, 1),
  },

  /** ffmpeg writes the subtitles of HLS as WebVTT, and encrypts only MPEG-TS. */
  'unencrypted-subtitles': {
    finds: 'subtitles of encrypted HLS, which ffmpeg does not encrypt',
    run({ facts, pass: { outputStreams } }) {
      if (!facts.has('hls_key_info_file') || !outputStreams.some(({ type }) => type === 'subtitle')) return [];
      return {
        field: '/encrypt',
        code: 'NOT_ENCRYPTED',
        message: 'The subtitles are not encrypted: ffmpeg encrypts only the video and audio of HLS.',
        fix: 'Send "sn": "" to leave them out, or draw them into the video with the filter subtitles.',
      };
    },
  },
};
