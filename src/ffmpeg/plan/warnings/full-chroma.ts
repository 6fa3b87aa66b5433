import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { asksForPixelFormat } from '../../allowlist/playable-codecs.ts';
import type { Graph, GraphFilter } from '../../filtergraph/graph.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, allFilters } from '../request/argv-option.ts';

const ENCODERS: Readonly<Record<string, string>> = { libx264: 'H.264', libx265: 'H.265' };

/** Filters that take only RGB or 4:4:4, in all releases from 5.1 on. */
export const FULL_CHROMA: ReadonlySet<string> = new Set(
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
 * Warns about a filter that takes only pictures of full chroma: ffmpeg converts them before it, and H.264 and H.265 keep that.
 * Most players cannot show it. The run says so again only of pictures of an odd size, which need another fix.
 */
export function fullChroma(
  options: readonly ArgvOption[],
  encoders: StreamEncoders,
  muxer: string,
): readonly Warning[] {
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
    return [
      {
        code: 'FEW_PLAYERS',
        message: `The filter ${filter.name} takes only RGB or 4:4:4, and ${codec} keeps that: the output gets a pixel format such as yuv444p, which most players cannot show.`,
        fix: sendOption('pix_fmt', 'yuv420p'),
      },
    ];
  }
  return [];
}

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
      if (FULL_CHROMA.has(at.name)) return at;
      at = KEEPS.has(at.name) ? (before.get(at) ?? sources.get(at.inputs[0] ?? '')) : undefined;
    }
  }
  return undefined;
}
