import { addIn, addOption, leaveOut, sendValue } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { encodersOfMuxer, muxerRejectsCodec, subtitleEncoder } from '../../allowlist/container-codecs.ts';
import { wordPairs } from '../../allowlist/words.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { areAllCopied } from '../../plan/encoders/stream-encoders.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { correctedStyle } from '../../values/ass-style.ts';
import { quoted } from '../../values/value-error.ts';
import { noEffect, outOfSync, type Rules, type RunWarning, unusedInput, unusualValue } from '../contexts.ts';
import { printChanged } from '../facts/graph-fixes.ts';
import { optionValue, secondsText, TIMES } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { sendGraph, withFilters } from '../facts/written-graphs.ts';
import { isImageSubtitle } from '../failures/subtitles.ts';

/** The codecs of subtitle files, by extension. */
const CODECS = wordPairs('srt subrip vtt webvtt ass ass ssa ass');

/** Formats that hold subtitles, but for which ffmpeg selects none unless the request names their codec (5.1 to 9.0). */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

/**
 * Matches names of common installed fonts. libass logs PostScript names, which for these fonts begin like the family. The names of other
 * fonts can differ (`LinLibertineO` is Linux Libertine O), so only a font of this list is certainly not the requested font.
 */
const COMMON = /^(?:dejavu|liberation|noto|freesans|freeserif|freemono|nimbus|bitstreamvera|droidsans|opensans|roboto)/;

/** Names that mean any font. `Arial` is also what ffmpeg writes into subtitles without a font. */
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
  /** ffmpeg selects subtitles itself only for formats in which it has a default codec for them, so not for MP4. */
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
      // The message names a field instead of a path: the plan cache uses the same message for requests with other paths.
      const found = opened.flatMap(({ source }, index): Warning | [] => {
        const codec = CODECS.get(extension(source.path));
        const isMapped = maps.some((map) => new RegExp(`^${index}(?::(?:s|0)\\b.*)?$`).test(map));
        if (codec === undefined || (maps.length > 0 && !isMapped)) return [];
        if (maps.length === 0 && !hasDefault && named === undefined)
          return unusedInput(
            `The subtitles of the input at ${source.field} do not get into the output: for ${muxer}, ffmpeg takes subtitles only with a codec for them.`,
            addOption('c:s', encoder),
            { field: '/parameters/c:s' },
          );
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
      return sent.map((option) =>
        noEffect(
          `"${sentName(option)}" has no effect: the subtitles are copied, and only re-encoded ones become UTF-8.`,
          encoder === undefined ? leaveOut() : addIn('parameters', 'c:s', encoder),
          { field: option.field },
        ),
      );
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
      return unusualValue(
        `"force_style" does not read ${quoted(first)} as it is meant: its colours are PrimaryColour=&HAABBGGRR, with blue first.`,
        sendGraph(graph, meant),
      );
    },
  },

  /** MP4 and MOV hold text subtitles only as `mov_text`, so ffmpeg drops a copy of other text. */
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
        at.replace(`setpts=PTS+${start}/TB,${printChanged({ ...filter, options })},setpts=PTS-STARTPTS`),
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
