import { addOption, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { asksForPixelFormat } from '../../allowlist/playable-codecs.ts';
import { formatOfProfile } from '../../allowlist/profile-formats.ts';
import { wordSet } from '../../allowlist/words.ts';
import { type Graph, type GraphFilter, printGraph, walkOf } from '../../filtergraph/graph.ts';
import { toneMapping } from '../../filtergraph/video-colours.ts';
import { allFilters } from '../../plan/request/argv-option.ts';
import { type CutContext, noEffect, pixelFormatChanged, type Rules, type RunFindings } from '../contexts.ts';
import { encodedStreams, isCopied, ofKind } from '../facts/converted-streams.ts';
import { sendGraphText } from '../facts/graph-fixes.ts';
import { type MediaFacts, RESIZING } from '../facts/media-facts.ts';
import { hasAlpha, keepAlpha, opaqueFormat } from './alpha.ts';

const ENCODERS: Readonly<Record<string, string>> = { libx264: 'H.264', libx265: 'H.265' };

/** Filters that output only RGB or 4:4:4, in all releases from 5.1 on. */
const FULL_CHROMA_FILTERS = wordSet(
  'xfade curves colorbalance colorchannelmixer colorlevels vibrance selectivecolor colortemperature colorcontrast ' +
    'lut3d lut1d haldclut rgbashift',
);

/** Filters with one video input that keep its pixel format. */
const KEEPS = wordSet(
  'scale fps setpts setsar setdar crop pad fade trim hflip vflip transpose drawtext drawbox eq unsharp tpad loop select rotate ' +
    'hue vignette gblur noise reverse bwdif yadif hqdn3d settb null subtitles ass',
);

/** Returns the filter of `FULL_CHROMA_FILTERS` whose pixel format reaches a mapped end of the graph. undefined: there is none. */
function lastFullChroma(graph: Graph, isMapped: (end: GraphFilter) => boolean): GraphFilter | undefined {
  const { producers } = walkOf(graph);
  const before = new Map(graph.chains.flatMap((chain) => chain.map((filter, at) => [filter, chain[at - 1]] as const)));
  for (const chain of graph.chains) {
    const end = chain.at(-1);
    const seen = new Set<GraphFilter>();
    for (let at = end !== undefined && isMapped(end) ? end : undefined; at !== undefined && !seen.has(at); ) {
      seen.add(at);
      if (FULL_CHROMA_FILTERS.has(at.name)) return at;
      at = KEEPS.has(at.name) ? (before.get(at) ?? producers.get(at.inputs[0] ?? '')) : undefined;
    }
  }
  return undefined;
}

/** The pixel formats that nearly all players show, by codec. */
const USUAL_FORMATS: Readonly<Record<string, RegExp>> = {
  h264: /^(?:yuvj?420p|nv12|nv21)$/,
  hevc: /^(?:yuvj?420p|nv12|yuv420p10le|p010le)$/,
};

/** Warns about a pixel format that few players show, unless the request asks for it. */
function fewPlayers({ facts, pass }: CutContext): RunFindings {
  const sent = facts.argv.flatMap((word, at) =>
    word.startsWith('-') ? [[word.slice(1), facts.argv[at + 1] ?? ''] as const] : [],
  );
  const filters = facts.graphs.flatMap((graph) => graph.filters.map(({ name }) => name));
  if (asksForPixelFormat(facts.plan.output.muxer, sent, filters)) return undefined;
  const found = pass.outputStreams.find((stream) => {
    const { codec, pixelFormat, index } = stream;
    const isUsual = pixelFormat === undefined || USUAL_FORMATS[codec]?.test(pixelFormat) !== false;
    return !isUsual && !isCopied(pass, index) && !isPlayabilityPlanned(pass.plan.warnings, stream);
  });
  if (found === undefined) return undefined;
  const is = `The output is ${found.codec === 'h264' ? 'H.264' : 'H.265'} with the pixel format ${found.pixelFormat}`;
  return { code: 'FEW_PLAYERS', ...playable(facts, is, found) };
}

type Size = Pick<OutputStream, 'width' | 'height'>;

/** True if a frame has an odd width or height, which 4:2:0 (yuv420p) cannot have. */
const isOdd = ({ width = 0, height = 0 }: Size): boolean => (width | height) % 2 === 1;

/** True if the warning of the plan, which names the filter to blame, is enough. Its fix does not help for odd frame sizes. */
const isPlayabilityPlanned = (planned: readonly Warning[], size: Size): boolean =>
  !isOdd(size) && planned.some(({ code }) => code === 'FEW_PLAYERS');

const EVEN = 'scale=trunc(iw/2)*2:trunc(ih/2)*2';

/** Returns message and fix for a pixel format that few players show. `is`: the beginning of the message, which names the format. */
function playable(facts: MediaFacts, is: string, size: Size): { readonly message: string; readonly fix: Hint } {
  const message = `${is}, which most players cannot show.`;
  if (!isOdd(size)) return { message, fix: sendOption('pix_fmt', 'yuv420p') };
  return {
    message: `${message} Pixel formats that they show need an even width and height, but the video is ${size.width}x${size.height}.`,
    fix: evenFix(facts),
  };
}

function evenFix(facts: MediaFacts): Hint {
  const [graph, ...more] = facts.graphs.filter(({ key }) => !key.startsWith('filter:a'));
  if (graph === undefined) return sendMembers({ pix_fmt: 'yuv420p', vf: EVEN });
  const isChain = more.length === 0 && graph.key !== 'filter_complex' && graph.graph.chains.length === 1;
  const sent = isChain ? sendGraphText(facts, graph.key, `${printGraph(graph.graph)},${EVEN}`) : undefined;
  return sent === undefined
    ? `Send "pix_fmt": "yuv420p", and the filter "${EVEN}" after the others of the video.`
    : { edits: [...sendOption('pix_fmt', 'yuv420p').edits, ...sent.edits] };
}

/** Encoders, their codecs, and the pixel formats that every build of them keeps. Other formats become a similar format. */
const KEEPERS: Readonly<Record<string, { readonly codec: string; readonly formats: RegExp }>> = {
  libx264: { codec: 'h264', formats: /^(?:yuvj?4(?:22|44)p|nv16|yuv4(?:20|22|44)p10le)$/ },
  libx265: { codec: 'hevc', formats: /^yuv4(?:22|44)p$/ },
};

/** Filters that keep the pixel format, and the audio filters of cuts. */
const KEEPING =
  /^(?:fps|setpts|setsar|setdar|settb|null|nullsink|scale|crop|trim|segment|split|concat|hflip|vflip|transpose|select|loop|reverse|tpad|a(?:resample|pad|segment|nullsink|setpts|trim|fade|null|mix))$/;

/** Warns before the run about a pixel format of the input that few players show and the encoder will keep. */
function foreseenPixels({ facts, pass }: CutContext): RunFindings {
  if (facts.graphs.some(({ filters }) => filters.some(({ name }) => !KEEPING.test(name)))) return undefined;
  const outputStreams = pass.outputStreams.map((stream): OutputStream => {
    const used = pass.used.find(({ output }) => output === stream.index);
    const { pixelFormat = '' } = (used && facts.inputStream(used.input, used.stream)) ?? {};
    const keeper = KEEPERS[stream.codec];
    return keeper?.formats.test(pixelFormat) === true ? { ...stream, codec: keeper.codec, pixelFormat } : stream;
  });
  return fewPlayers({ facts, pass: { ...pass, outputStreams } });
}

/** Like `foreseenPixels`, for a `cut` whose parts are not measured yet: the pixel format does not depend on the parts. */
function foreseenCutPixels({ facts, pass }: CutContext): RunFindings {
  const encoder = facts.argumentOf('c:v') ?? facts.argumentOf('c') ?? facts.plan.encoders?.video?.[0] ?? '';
  const [video] = facts.streamsOf(0, 'video');
  // The fix depends on the frame size, which is unknown after filters that resize.
  const isResized = facts.graphs.some(({ filters }) =>
    filters.some(({ name }) => name !== 'concat' && name !== 'scale' && RESIZING.test(name)),
  );
  if (video === undefined || encoder === 'copy' || isResized) return undefined;
  const used = [{ input: 0, stream: video.index, copied: false, output: 0 }];
  return foreseenPixels({ facts, pass: { ...pass, used, outputStreams: [{ ...video, index: 0, codec: encoder }] } });
}

const RGB = /^(?:rgb|bgr|gbr|argb|abgr|pal8|0rgb|0bgr)/;
/** Codecs that most players show only with 4:2:0. */
const REDUCED_CHROMA: ReadonlySet<string> = new Set(['h264', 'hevc']);
/** Video codecs without transparency, besides those of `REDUCED_CHROMA`. */
const OPAQUE_CODECS = wordSet('av1 mpeg4 mpeg2video mpeg1video theora dnxhd');

const TONES = /(?:^|[;,\]=])(?:tonemap|zscale|libplacebo|colorspace|lut3d|colorlevels)\b/;

const DEEP = /(?:10|12|16)(?:le|be)$|^p01[06]/;

export const PIXEL_FORMAT_RULES: Rules = {
  /** H.264 and H.265 keep the pixel format of the filter. After the run, only an odd frame size is reported again, with another fix. */
  'full-chroma': {
    finds: 'a filter that takes only RGB or 4:4:4 before H.264 or H.265, without `pix_fmt`',
    about: FULL_CHROMA_FILTERS,
    plan({ options, encoders, muxer }) {
      const [codec, ...others] = new Set(encoders.of('v').map(({ encoder = '' }) => ENCODERS[encoder]));
      if (codec === undefined || others.length > 0) return [];
      const sent = options.flatMap(({ key, values }) => values.map((value) => [key, value] as const));
      const filters = allFilters(options).map(({ name }) => name);
      if (asksForPixelFormat(muxer, sent, filters)) return [];
      const maps = new Set(options.flatMap(({ name, values }) => (name.name === 'map' ? values : [])));
      const [filter] = options.flatMap(({ name, checkedGraphs = [] }) => {
        const isMapped = ({ outputs }: GraphFilter): boolean =>
          name.name === 'filter' || maps.size === 0 || outputs.some((label) => maps.has(`[${label}]`));
        return checkedGraphs.flatMap((graph) => lastFullChroma(graph, isMapped) ?? []);
      });
      if (filter === undefined) return [];
      return {
        code: 'FEW_PLAYERS',
        message: `The filter ${filter.name} takes only RGB or 4:4:4, and ${codec} keeps that: the output gets a pixel format such as yuv444p, which most players cannot show.`,
        fix: sendOption('pix_fmt', 'yuv420p'),
      };
    },
  },

  /** x264 and x265 ignore a higher profile than the frames need, and write the lower one. */
  'ignored-profile': {
    finds: 'a `profile` of H.264 or H.265 for more bits or chroma than the video has',
    run({ facts, pass: { used, outputStreams } }) {
      const sentKey = (...keys: readonly string[]): string | undefined =>
        keys.find((key) => facts.fieldOf(key) !== undefined);
      const key = sentKey('profile:v', 'profile:v:0', 'profile');
      const profile = key && facts.argumentOf(key);
      const encoder = facts.argumentOf(sentKey('c:v', 'c:v:0', 'c') ?? '');
      const [video, ...others] = ofKind(outputStreams, 'video');
      if (key === undefined || profile === undefined || encoder === undefined || others.length > 0) return [];
      // With `pix_fmt` or the filter `format`, the request sets the pixel format itself.
      if (facts.hasOption(/^-pix_fmt(?::|$)/) || facts.usesFilter(/^format$/)) return [];
      const format = video?.pixelFormat && formatOfProfile(encoder, profile, video.pixelFormat);
      if (!video || !format) return [];
      const source = used.find(({ output }) => output === video.index);
      const from = source && facts.inputStream(source.input, source.stream)?.pixelFormat;
      const cause =
        source === undefined || from !== video.pixelFormat ? 'the output is' : `${facts.pathOf(source.input)} is`;
      return noEffect(
        `"${facts.sentNameOf(key)}": "${profile}" had no effect: it does not change the pixel format, and ${cause} ${video.pixelFormat}.`,
        addOption('pix_fmt', format),
        { key },
      );
    },
  },

  'lost-hdr': {
    finds: 'HDR that became 8 bits without tone mapping',
    run({ facts, pass }) {
      if (facts.hasOption(TONES)) return [];
      const shallow = ofKind(pass.outputStreams, 'video').filter(
        ({ pixelFormat }) => pixelFormat !== undefined && !DEEP.test(pixelFormat),
      );
      for (const { input, stream, output, copied } of pass.used) {
        const transfer = facts.inputs[input]?.transfers?.get(stream);
        // What a complex graph reads may reach any output.
        const isShallow = shallow.some(({ index }) => output === undefined || index === output);
        if (transfer === undefined || copied || !isShallow) continue;
        return {
          code: 'HDR_LOST',
          message: `${facts.pathOf(input)} is HDR (${transfer}), and the output has 8 bits without tone mapping, so its colours look pale.`,
          fix:
            output === undefined
              ? `Send the filters ${JSON.stringify(toneMapping())} before the others.`
              : sendOption('vf', toneMapping()),
        };
      }
      return [];
    },
  },

  'unplayable-pixel-format': {
    finds: 'H.264 or H.265 with a pixel format that few players show, although no option asks for it',
    run: fewPlayers,
    files: foreseenPixels,
    cut: foreseenCutPixels,
  },

  'changed-pixel-format': {
    finds:
      'a pixel format that changed to one that few players show or without transparency, although no option asks for it',
    supersedes: ['unplayable-pixel-format'],
    run({ facts, pass, options }) {
      const found = encodedStreams(pass, 'video').flatMap(({ from, to }) => {
        const { codec, pixelFormat: after } = to;
        const before = from.pixelFormat;
        if (before === undefined || after === undefined || options.setsPixelFormat) return [];
        if (REDUCED_CHROMA.has(codec) && RGB.test(before) && /^(?:yuv444|gbr)/.test(after)) {
          if (isPlayabilityPlanned(pass.plan.warnings, to)) return [];
          const { message, fix } = playable(facts, `The pixel format became ${after} (from ${before})`, to);
          return pixelFormatChanged(message, fix);
        }
        // An image with an alpha channel is usually opaque. A video has an alpha channel only if it uses transparency.
        const isLoss = REDUCED_CHROMA.has(codec) || (OPAQUE_CODECS.has(codec) && before.startsWith('yuva'));
        if (!isLoss || !hasAlpha(before) || hasAlpha(after)) return [];
        return pixelFormatChanged(
          `The transparency of the input is lost: the pixel format changed from ${before} to ${after}.`,
          `Send "pix_fmt": "${opaqueFormat(codec)}" if the output needs no transparency. ${keepAlpha(facts)}`,
        );
      });
      return found.slice(0, 1);
    },
  },
};
