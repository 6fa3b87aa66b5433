import { addOption, sendMembers, sendOption } from '../../../domain/edit.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { OutputStream } from '../../../domain/job.ts';
import type { Warning } from '../../../domain/plan.ts';
import { asksForPixelFormat } from '../../allowlist/playable-codecs.ts';
import { formatOfProfile } from '../../allowlist/profile-formats.ts';
import type { Graph, GraphFilter } from '../../filtergraph/graph.ts';
import { printGraph } from '../../filtergraph/graph.ts';
import { toneMapping } from '../../filtergraph/picture-colours.ts';
import { allFilters } from '../../plan/request/argv-option.ts';
import type { Rule, RunContext } from '../contexts.ts';
import type { ForeseenPass, RunWarning } from '../facts/finished-pass.ts';
import { MAX_LENGTH, namesFiles } from '../facts/graph-fixes.ts';
import { type MediaFacts, RESIZING } from '../facts/media-facts.ts';
import { hasAlpha, keepAlpha, opaqueFormat } from './alpha.ts';
import { encodedStreams } from './frames.ts';

const ENCODERS: Readonly<Record<string, string>> = { libx264: 'H.264', libx265: 'H.265' };

/** Filters that take only RGB or 4:4:4, in all releases from 5.1 on. */
const FULL_CHROMA_FILTERS: ReadonlySet<string> = new Set(
  (
    'xfade curves colorbalance colorchannelmixer colorlevels vibrance selectivecolor colortemperature colorcontrast ' +
    'lut3d lut1d haldclut rgbashift'
  ).split(' '),
);

/** Filters of one picture that leave its pixel format as it is. */
const KEEPS: ReadonlySet<string> = new Set(
  (
    'scale fps setpts setsar setdar crop pad fade trim hflip vflip transpose drawtext drawbox eq unsharp tpad loop select rotate ' +
    'hue vignette gblur noise reverse bwdif yadif hqdn3d settb null subtitles ass'
  ).split(' '),
);

/**
 * A filter that takes only pictures of full chroma: ffmpeg converts them before it, and H.264 and H.265 keep that.
 * Most players cannot show it. The run says so again only of pictures of an odd size, which need another fix.
 */
const FULL_CHROMA: Rule = {
  id: 'full-chroma',
  finds: 'a filter that takes only RGB or 4:4:4 before H.264 or H.265, without `pix_fmt`',
  about: FULL_CHROMA_FILTERS,
  plan({ options, encoders, muxer }) {
    const found = encoders.of('v').map(({ encoder = '' }) => ENCODERS[encoder]);
    const [codec] = found;
    if (codec === undefined || found.some((one) => one !== codec)) return [];
    const sent = options.flatMap(({ key, values }) => values.map((value) => [key, value] as const));
    const filters = allFilters(options).map(({ name }) => name);
    if (asksForPixelFormat(muxer, sent, filters)) return [];
    const maps = new Set(options.flatMap(({ name, values }) => (name.name === 'map' ? values : [])));
    for (const { name, checkedGraphs = [] } of options) {
      const isMapped = ({ outputs }: GraphFilter): boolean =>
        name.name === 'filter' || maps.size === 0 || outputs.some((label) => maps.has(`[${label}]`));
      const filter = checkedGraphs.map((graph) => lastFullChroma(graph, isMapped)).find((one) => one !== undefined);
      if (filter === undefined) continue;
      return {
        code: 'FEW_PLAYERS',
        message: `The filter ${filter.name} takes only RGB or 4:4:4, and ${codec} keeps that: the output gets a pixel format such as yuv444p, which most players cannot show.`,
        fix: sendOption('pix_fmt', 'yuv420p'),
      };
    }
    return [];
  },
};

/** The filter of full chroma whose pictures reach an end of the graph that is mapped. undefined if there is none. */
function lastFullChroma({ chains }: Graph, isMapped: (end: GraphFilter) => boolean): GraphFilter | undefined {
  const sources = new Map<string, GraphFilter>();
  const before = new Map<GraphFilter, GraphFilter | undefined>();
  for (const chain of chains)
    for (const [at, filter] of chain.entries()) {
      before.set(filter, chain[at - 1]);
      for (const label of filter.outputs) sources.set(label, filter);
    }
  for (const chain of chains) {
    const end = chain.at(-1);
    const seen = new Set<GraphFilter>();
    for (let at = end !== undefined && isMapped(end) ? end : undefined; at !== undefined && !seen.has(at); ) {
      seen.add(at);
      if (FULL_CHROMA_FILTERS.has(at.name)) return at;
      at = KEEPS.has(at.name) ? (before.get(at) ?? sources.get(at.inputs[0] ?? '')) : undefined;
    }
  }
  return undefined;
}

export const isCopied = ({ used }: ForeseenPass, index: number): boolean =>
  used.some(({ output, copied }) => output === index && copied);

/** The pixel formats of codecs that nearly all players show. */
const USUAL_FORMATS: Readonly<Record<string, RegExp>> = {
  h264: /^(?:yuvj?420p|nv12|nv21)$/,
  hevc: /^(?:yuvj?420p|nv12|yuv420p10le|p010le)$/,
};

/** Pictures in a pixel format that few players show, without a request for it. */
export function fewPlayers(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  const { argv, graphs, plan } = facts;
  const sent = argv.flatMap((word, at) => (word.startsWith('-') ? [[word.slice(1), argv[at + 1] ?? ''] as const] : []));
  const filters = graphs.flatMap((graph) => graph.filters.map(({ name }) => name));
  if (asksForPixelFormat(plan.output.muxer, sent, filters)) return [];
  for (const stream of pass.outputStreams) {
    const { codec, pixelFormat, index } = stream;
    const usual = USUAL_FORMATS[codec];
    if (usual === undefined || pixelFormat === undefined || usual.test(pixelFormat) || isCopied(pass, index)) continue;
    if (isPlayabilityPlanned(pass.plan.warnings, stream)) continue;
    const is = `The output is ${codec === 'h264' ? 'H.264' : 'H.265'} with the pixel format ${pixelFormat}`;
    return [{ code: 'FEW_PLAYERS', ...playable(facts, is, stream) }];
  }
  return [];
}

type Size = Pick<OutputStream, 'width' | 'height'>;

/** Whether a picture has an odd width or height, which 4:2:0 does not allow. */
const isOdd = ({ width = 0, height = 0 }: Size): boolean => (width | height) % 2 === 1;

/**
 * Whether the warning of the plan about the pixel format is enough. Its fix names the filter that causes the format, but is wrong for odd
 * sizes, which the plan does not know.
 */
const isPlayabilityPlanned = (planned: readonly Warning[], size: Size): boolean =>
  !isOdd(size) && planned.some(({ code }) => code === 'FEW_PLAYERS');

const EVEN = 'scale=trunc(iw/2)*2:trunc(ih/2)*2';

/** What to say about a picture in a pixel format that few players show. `is`: the sentence that says which. */
function playable(facts: MediaFacts, is: string, size: Size): { readonly message: string; readonly fix: Hint } {
  const message = `${is}, which most players cannot show.`;
  if (!isOdd(size)) return { message, fix: sendOption('pix_fmt', 'yuv420p') };
  return {
    message: `${message} Those that they show need an even width and height, and it is ${size.width}x${size.height}.`,
    fix: evenFix(facts),
  };
}

function evenFix(facts: MediaFacts): Hint {
  const [graph, ...more] = facts.graphs.filter(({ key }) => !key.startsWith('filter:a'));
  if (graph === undefined) return sendMembers({ pix_fmt: 'yuv420p', vf: EVEN });
  const whole = `${printGraph(graph.graph)},${EVEN}`;
  const isChain = more.length === 0 && graph.key !== 'filter_complex' && graph.graph.chains.length === 1;
  return !isChain || whole.length > MAX_LENGTH || namesFiles(whole)
    ? `Send "pix_fmt": "yuv420p", and the filter "${EVEN}" after the others of the picture.`
    : sendMembers({ pix_fmt: 'yuv420p', [facts.sentNameOf(graph.key)]: whole });
}

/** The codecs of encoders that keep these pixel formats, in all builds. Of others, they choose one that is alike. */
const KEEPERS: Readonly<Record<string, { readonly codec: string; readonly formats: RegExp }>> = {
  libx264: { codec: 'h264', formats: /^(?:yuvj?4(?:22|44)p|nv16|yuv4(?:20|22|44)p10le)$/ },
  libx265: { codec: 'hevc', formats: /^yuv4(?:22|44)p$/ },
};

/** Filters that keep each pixel format, and those of sound that cuts use. */
const KEEPING =
  /^(?:fps|setpts|setsar|setdar|settb|null|nullsink|scale|crop|trim|segment|split|concat|hflip|vflip|transpose|select|loop|reverse|tpad|a(?:resample|pad|segment|nullsink|setpts|trim|fade|null|mix))$/;

/** Warns that an encoder will keep a pixel format of the input that few players show. */
export function foreseenPixels(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  if (facts.graphs.some(({ filters }) => filters.some(({ name }) => !KEEPING.test(name)))) return [];
  const outputStreams = pass.outputStreams.map((stream): OutputStream => {
    const used = pass.used.find(({ output }) => output === stream.index);
    const { pixelFormat = '' } = (used && facts.inputStream(used.input, used.stream)) ?? {};
    const keeper = KEEPERS[stream.codec];
    return keeper?.formats.test(pixelFormat) === true ? { ...stream, codec: keeper.codec, pixelFormat } : stream;
  });
  return fewPlayers(facts, { ...pass, outputStreams });
}

/**
 * The same of a cut, of whose streams nothing else is known. Which parts it has changes nothing about their pixels.
 */
function foreseenCutPixels(
  facts: MediaFacts,
  pass: Omit<ForeseenPass, 'used' | 'outputStreams'>,
): readonly RunWarning[] {
  const encoder = facts.argumentOf('c:v') ?? facts.argumentOf('c') ?? facts.plan.encoders?.video?.[0] ?? '';
  const film = facts.inputs[0]?.streams.find(({ type }) => type === 'video');
  // The fix depends on the size.
  const isResized = facts.graphs.some(({ filters }) =>
    filters.some(({ name }) => name !== 'concat' && name !== 'scale' && RESIZING.test(name)),
  );
  if (film === undefined || encoder === 'copy' || isResized) return [];
  return foreseenPixels(facts, {
    ...pass,
    used: [{ input: 0, stream: film.index, copied: false, output: 0 }],
    outputStreams: [{ ...film, index: 0, codec: encoder }],
  });
}

const RGB = /^(?:rgb|bgr|gbr|argb|abgr|pal8|0rgb|0bgr)/;
/** Codecs of films whose players mostly support only pictures with reduced chroma. */
const FILM_CODECS: ReadonlySet<string> = new Set(['h264', 'hevc']);
/** Other codecs of films that have no transparency. */
const OPAQUE_CODECS: ReadonlySet<string> = new Set('av1 mpeg4 mpeg2video mpeg1video theora dnxhd'.split(' '));

/** A pixel format that few players support, or without the transparency of the input, that no option asks for. */
export function changedPixels({ facts, pass, options }: RunContext): readonly RunWarning[] {
  if (options.setsPixelFormat) return [];
  return encodedStreams(pass, 'video').flatMap(({ from: { pixelFormat: before }, to }): RunWarning | [] => {
    const { codec, pixelFormat: after } = to;
    if (before === undefined || after === undefined) return [];
    if (FILM_CODECS.has(codec) && RGB.test(before) && /^(?:yuv444|gbr)/.test(after))
      return isPlayabilityPlanned(pass.plan.warnings, to)
        ? []
        : {
            code: 'PIXEL_FORMAT_CHANGED',
            ...playable(facts, `The pixel format became ${after} (from ${before})`, to),
          };
    // Pictures with an alpha channel are mostly opaque. A film that has one is made for it.
    const isLoss = FILM_CODECS.has(codec) || (OPAQUE_CODECS.has(codec) && before.startsWith('yuva'));
    if (!isLoss || !hasAlpha(before) || hasAlpha(after)) return [];
    return {
      code: 'PIXEL_FORMAT_CHANGED',
      message: `The transparency of the input is lost: the pixel format changed from ${before} to ${after}.`,
      fix: `Send "pix_fmt": "${opaqueFormat(codec)}" if it is not needed. ${keepAlpha(facts)}`,
    };
  });
}

const PROFILE_KEYS = ['profile:v', 'profile:v:0', 'profile'];
const CODEC_KEYS = ['c:v', 'c:v:0', 'c'];

/** The first of these options that the argv has, with its value. */
function optionOf(facts: MediaFacts, keys: readonly string[]): readonly [key: string, value: string] | undefined {
  const key = keys.find((one) => facts.fieldOf(one) !== undefined);
  const value = key === undefined ? undefined : facts.argumentOf(key);
  return key === undefined || value === undefined ? undefined : [key, value];
}

/** x264 and x265 wrote a lower profile than the requested one, because the pictures have fewer bits or less chroma. */
const IGNORED_PROFILE: Rule = {
  id: 'ignored-profile',
  finds: 'a `profile` of H.264 or H.265 for more bits or chroma than the video has',
  run({ facts, pass: { used, outputStreams } }) {
    const [profile, codec] = [optionOf(facts, PROFILE_KEYS), optionOf(facts, CODEC_KEYS)];
    const films = outputStreams.filter(({ type }) => type === 'video');
    const [film] = films;
    if (profile === undefined || codec === undefined || film?.pixelFormat === undefined || films.length > 1) return [];
    // The request names the pixel format itself.
    if (facts.argv.some((word) => /^-pix_fmt(?::|$)/.test(word))) return [];
    if (facts.graphs.some(({ filters }) => filters.some(({ name }) => name === 'format'))) return [];
    const [key, name] = profile;
    const format = formatOfProfile(codec[1], name, film.pixelFormat);
    if (format === undefined) return [];
    const source = used.find(({ output }) => output === film.index);
    const from = source && facts.inputStream(source.input, source.stream)?.pixelFormat;
    const cause =
      source === undefined || from !== film.pixelFormat ? 'the output is' : `${facts.pathOf(source.input)} is`;
    return {
      key,
      code: 'NO_EFFECT',
      message: `"${facts.sentNameOf(key)}": "${name}" had no effect: it does not change the pixel format, and ${cause} ${film.pixelFormat}.`,
      fix: addOption('pix_fmt', format),
    };
  },
};

/** Filters that can convert the light of HDR. */
const TONES = /(?:^|[;,\]=])(?:tonemap|zscale|libplacebo|colorspace|lut3d|colorlevels)\b/;

/** Pixel formats of more than 8 bits. */
const DEEP = /(?:10|12|16)(?:le|be)$|^p01[06]/;

const LOST_HDR: Rule = {
  id: 'lost-hdr',
  finds: 'HDR that became 8 bits without tone mapping',
  run({ facts, pass: { used, outputStreams } }) {
    if (facts.argv.some((word) => TONES.test(word))) return [];
    const pictures = outputStreams.filter(({ type }) => type === 'video');
    for (const { input, stream, output, copied } of used) {
      const transfer = facts.inputs[input]?.transfers?.get(stream);
      // A stream that a complex graph reads reaches any of the outputs.
      const to = output === undefined ? pictures : pictures.filter(({ index }) => index === output);
      const isShallow = to.some(({ pixelFormat }) => pixelFormat !== undefined && !DEEP.test(pixelFormat));
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
};

const UNPLAYABLE_PIXEL_FORMAT: Rule = {
  id: 'unplayable-pixel-format',
  finds: 'H.264 or H.265 with a pixel format that few players show, although no option asks for it',
  run: ({ facts, pass }) => fewPlayers(facts, pass),
  files: ({ facts, pass }) => foreseenPixels(facts, pass),
  cut: ({ facts, pass }) => foreseenCutPixels(facts, pass),
};

const CHANGED_PIXEL_FORMAT: Rule = {
  id: 'changed-pixel-format',
  finds:
    'a pixel format that changed to one that few players show or without transparency, although no option asks for it',
  supersedes: ['unplayable-pixel-format'],
  run: (context) => changedPixels(context).slice(0, 1),
};

export const PIXEL_FORMAT_RULES: readonly Rule[] = [
  FULL_CHROMA,
  IGNORED_PROFILE,
  LOST_HDR,
  UNPLAYABLE_PIXEL_FORMAT,
  CHANGED_PIXEL_FORMAT,
];
