import { addIn, addOption, leaveOut, sendValue } from '../../../domain/edit.ts';
import { extension } from '../../../domain/media-path.ts';
import { encodersOfMuxer, muxerRejectsCodec, subtitleEncoder } from '../../allowlist/container-codecs.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { printGraph } from '../../filtergraph/graph.ts';
import { areAllCopied } from '../../plan/encoders/stream-encoders.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { quoted } from '../../values/value-error.ts';
import type { Rule } from '../contexts.ts';
import type { RunWarning } from '../facts/finished-pass.ts';
import { optionValue, secondsText, TIMES } from '../facts/media-facts.ts';
import { sendGraph, withFilters } from '../facts/written-graphs.ts';
import { isPictureSubtitle } from '../failures/subtitles.ts';

/** The codecs of files that contain one stream of subtitles as text. */
const CODECS: ReadonlyMap<string, string> = new Map([
  ['srt', 'subrip'],
  ['vtt', 'webvtt'],
  ['ass', 'ass'],
  ['ssa', 'ass'],
]);

/** Formats that hold subtitles, and for which ffmpeg chooses no codec for them (5.1 to 9.0). */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

/**
 * A file of subtitles that does not get into the output. ffmpeg chooses subtitles by itself only for formats
 * with a default codec for them, which MP4 has not, and a format may not hold a copy of the codec of the file.
 */
const SUBTITLE_FILE_CODECS: Rule = {
  id: 'subtitle-file-codecs',
  finds: 'an input of subtitles that the container holds only with another codec, or with an option for the codec',
  plan({ options, opened: inputs, encoders, muxer, catalogue }) {
    if (!inputs.some(({ source }) => CODECS.has(extension(source.path)))) return [];
    if (options.some(({ key }) => key === 'sn')) return [];
    const [encoder] = encodersOfMuxer(muxer, 'subtitle').filter((one) => catalogue.lists.encoders.has(one));
    if (encoder === undefined) return [];
    const named = options.find(({ key }) => /^c:s(?::|$)/.test(key));
    const all = options.find(({ key }) => key === 'c');
    const isCopy = encoders.of('s').some((one) => one.encoder === undefined);
    const maps = options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
    const hasDefault = !WITHOUT_DEFAULT.has(muxer);
    const isMapped = (index: number): boolean =>
      maps.some((map) => new RegExp(`^${index}(?::(?:s|0)\\b.*)?$`).test(map));
    // Messages name no path, because requests with other paths get the same warnings from the cache of plans.
    const found = inputs.flatMap(({ source }, index) => {
      const codec = CODECS.get(extension(source.path));
      if (codec === undefined) return [];
      const isTaken = maps.length > 0 ? isMapped(index) : hasDefault || named !== undefined;
      if (!isTaken)
        return maps.length > 0
          ? []
          : {
              field: '/parameters/c:s',
              code: 'UNUSED_INPUT',
              message: `The subtitles of the input at ${source.field} do not get into the output: for ${muxer}, ffmpeg takes subtitles only with a codec for them.`,
              fix: addOption('c:s', encoder),
            };
      const hasNoEncoder = named === undefined && all === undefined && !hasDefault;
      if (!hasNoEncoder && !(isCopy && muxerRejectsCodec(muxer, codec))) return [];
      return {
        field: named?.field ?? '/parameters/c:s',
        code: 'CODEC_NOT_HELD',
        message: hasNoEncoder
          ? `ffmpeg chooses no codec for subtitles in ${muxer}, such as those of the input at ${source.field}: the job would fail.`
          : `The container ${muxer} cannot hold a copy of the subtitles in the input at ${source.field}, which are ${codec}: the job would fail.`,
        fix: named === undefined ? addOption('c:s', encoder) : sendValue(encoder),
      };
    });
    return found.slice(0, 1);
  },
};

/** An encoding of subtitles that are copied: only their decoder reads it. */
const IGNORED_SUB_CHARENC: Rule = {
  id: 'ignored-sub-charenc',
  finds: '`sub_charenc` for subtitles that are copied',
  about: ['sub_charenc'],
  plan({ opened, encoders, muxer, catalogue }) {
    if (!areAllCopied(encoders, 's')) return [];
    const encoder = subtitleEncoder(muxer, catalogue.lists);
    return opened.flatMap(({ options }) =>
      options
        .filter(({ name }) => name.name === 'sub_charenc')
        .map((option) => ({
          field: option.field,
          code: 'NO_EFFECT',
          message: `"${sentName(option)}" has no effect: the subtitles are copied, and only re-encoded ones become UTF-8.`,
          fix: encoder === undefined ? leaveOut() : addIn('parameters', 'c:s', encoder),
        })),
    );
  },
};

/** The colours of a style of ASS. libass compares names without case, and does not know the spelling `Color`. */
const STYLE_COLOUR = /^(\s*)((?:Primary|Secondary|Outline|Back|Tertiary)Colou?r)(\s*=\s*)(\S.*)?$/i;

/** The colours of HTML 4 and some more, as ffmpeg names them. libass reads a name as 0, black. */
const NAMED: Readonly<Record<string, string>> = {
  black: '000000',
  white: 'ffffff',
  red: 'ff0000',
  lime: '00ff00',
  green: '008000',
  blue: '0000ff',
  yellow: 'ffff00',
  cyan: '00ffff',
  aqua: '00ffff',
  magenta: 'ff00ff',
  fuchsia: 'ff00ff',
  gray: '808080',
  silver: 'c0c0c0',
  maroon: '800000',
  olive: '808000',
  teal: '008080',
  navy: '000080',
  purple: '800080',
  orange: 'ffa500',
  pink: 'ffc0cb',
  brown: 'a52a2a',
  gold: 'ffd700',
};

/**
 * The digits RRGGBB or RRGGBBAA of a colour that is not written as ASS writes it. undefined if libass reads the colour as it
 * is meant, or if that is not certain: it reads `0xRRGGBB` too, but as BBGGRR, and numbers without a prefix as decimal.
 */
function meantDigits(value: string): string | undefined {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value);
  if (short !== null)
    return short
      .slice(1)
      .map((digit) => digit.repeat(2))
      .join('');
  const [, prefixed, alpha = ''] = /^#([\da-f]{6})([\da-f]{2})?$/i.exec(value) ?? [];
  const bare = /^(?:0x)?(?=.*[\da-f])([\da-f]{6})$/i.exec(value)?.[1];
  const isDecimal = /^\d+$/.test(value);
  const digits = prefixed ?? (isDecimal ? undefined : bare) ?? NAMED[value.toLowerCase()];
  if (digits === undefined) return undefined;
  // The same backwards.
  const isSymmetric = /^0x/i.test(value) && digits.slice(0, 2).toLowerCase() === digits.slice(4).toLowerCase();
  return isSymmetric ? undefined : `${digits}${alpha}`;
}

/** A colour as ASS writes it: `&HAABBGGRR`, where the alpha 00 is opaque. */
function assColour(digits: string): string {
  const [red, green, blue] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)];
  const opacity = digits.length > 6 ? Number.parseInt(digits.slice(6), 16) : 255;
  const alpha = (255 - opacity).toString(16).padStart(2, '0');
  return `&H${alpha}${blue}${green}${red}`.toUpperCase();
}

/** A style with its colours as ASS writes them, and the first colour that was changed. */
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
 * Colours in `force_style` that are not written as ASS writes them: libass reads `#FFFF00` and `yellow` as black,
 * `0xFF0000` as blue, and ignores `PrimaryColor`.
 */
const SUBTITLE_STYLE_COLOURS: Rule = {
  id: 'subtitle-style-colours',
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
      field: graph.option.field,
      code: 'UNUSUAL_VALUE',
      message: `"force_style" does not read ${quoted(first)} as it is meant: its colours are PrimaryColour=&HAABBGGRR, with blue first.`,
      fix: sendGraph(graph, meant),
    };
  },
};

/** Formats that hold text subtitles only as `mov_text`. */
const OWN_SUBTITLES: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

const DROPPED_SUBTITLES: Rule = {
  id: 'dropped-subtitles',
  finds: 'a copy to MP4 or MOV that leaves out text subtitles',
  files({ facts }) {
    const { argv, plan } = facts;
    const { muxer } = plan.output;
    const isLeft = argv.some((word) => /^-(?:sn|map|c:s.*|filter_complex)$/.test(word));
    if (isLeft || !OWN_SUBTITLES.has(muxer) || facts.argumentOf('c') !== 'copy' || plan.inputs.length !== 1) return [];
    const codecs = facts.streamsOf(0, 'subtitle').map(({ codec }) => codec);
    const [first] = codecs.filter((codec) => codec !== 'mov_text' && !isPictureSubtitle(codec));
    if (first === undefined) return [];
    return {
      key: 'c',
      code: 'UNUSED_STREAM',
      message: `The subtitles of ${facts.pathOf(0)} (${first}) do not get into the output: ${muxer} holds them only as mov_text.`,
      fix: addOption('c:s', 'mov_text'),
    };
  },
};

/** The times of subtitles count from the start of their film. After a seek in the input, its frames count from 0. */
const SHIFTED_SUBTITLES: Rule = {
  id: 'shifted-subtitles',
  finds: 'subtitles drawn into an input with `ss`, which are out of sync',
  filter(at) {
    const { facts, filter } = at;
    if (at.name !== 'subtitles' && at.name !== 'ass') return undefined;
    const source = at.source(0, TIMES);
    const start = source && facts.plan.span.inputs[source.input]?.start;
    if (source === undefined || start === undefined || start <= 0 || facts.argv.includes('-copyts')) return undefined;
    const options = filter.options.map((one) => ({
      ...one,
      value: facts.plan.inputs.find(({ logical }) => logical === one.value)?.path ?? one.value,
    }));
    const drawn = printGraph({ chains: [[{ ...filter, inputs: [], options, outputs: [] }]] });
    return {
      code: 'OUT_OF_SYNC',
      message: `The subtitles start at their beginning, although "ss" starts ${facts.pathOf(source.input)} at ${secondsText(start)}: after it, the times of the film count from 0.`,
      fix: at.replace(`setpts=PTS+${start}/TB,${drawn},setpts=PTS-STARTPTS`),
    };
  },
};

/**
 * How the families of common installed fonts begin, and their PostScript names too. Of other fonts, the two can differ:
 * `LinLibertineO` is of the family Linux Libertine O. So only one of these is surely another font than the one named.
 */
const COMMON = /^(?:dejavu|liberation|noto|freesans|freeserif|freemono|nimbus|bitstreamvera|droidsans|opensans|roboto)/;

/** Names of no font in particular. ffmpeg names Arial in the style of subtitles that have none. */
const GENERIC: ReadonlySet<string> = new Set(['arial', 'default', 'sans', 'sansserif', 'serif', 'mono', 'monospace']);

/** Fonts that the subtitles name, for which libass took another one, because it did not find them. */
const REPLACED_FONTS: Rule = {
  id: 'replaced-fonts',
  finds: 'a font that subtitles name and that is not installed',
  run({ facts, pass: { complaints } }) {
    for (const { key, filters } of facts.graphs)
      for (const filter of filters) {
        if (filter.name !== 'subtitles' && filter.name !== 'ass') continue;
        const own = familyOf(filter);
        const found = complaints.selectedFonts.find(
          ({ family, installed }) =>
            installed !== undefined &&
            isOther(family, installed) &&
            (bare(family) === own || !GENERIC.has(bare(family))),
        );
        if (found !== undefined) return { key, ...warning(found.family, found.installed ?? '', filter) };
      }
    return [];
  },
};

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

/** Subtitles of encrypted HLS: ffmpeg writes them as WebVTT, and encrypts only MPEG-TS. */
const UNENCRYPTED_SUBTITLES: Rule = {
  id: 'unencrypted-subtitles',
  finds: 'subtitles of encrypted HLS, which ffmpeg does not encrypt',
  run({ pass: { plan, outputStreams } }) {
    const isEncrypted = plan.passes.at(-1)?.includes('-hls_key_info_file') === true;
    if (!isEncrypted || !outputStreams.some(({ type }) => type === 'subtitle')) return [];
    return {
      field: '/encrypt',
      code: 'NOT_ENCRYPTED',
      message: 'The subtitles are not encrypted: ffmpeg encrypts only the video and audio of HLS.',
      fix: 'Send "sn": "" to leave them out, or draw them into the picture with the filter subtitles.',
    };
  },
};

export const SUBTITLE_RULES: readonly Rule[] = [
  SUBTITLE_FILE_CODECS,
  IGNORED_SUB_CHARENC,
  SUBTITLE_STYLE_COLOURS,
  DROPPED_SUBTITLES,
  SHIFTED_SUBTITLES,
  REPLACED_FONTS,
  UNENCRYPTED_SUBTITLES,
];
