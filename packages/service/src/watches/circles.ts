import { folderOf } from '@telecine/contract/domain/media-path.ts';
import type { Watch, WatchRequest } from '@telecine/contract/domain/watch.ts';
import { mayTake } from './watched-names.ts';

/** The parts of a watch that decide where its files come from and where its outputs go. */
export type WatchedRoute = Pick<Watch, 'folder' | 'subfolders' | 'patterns' | 'request'> & {
  readonly source?: Watch['source'];
  readonly watchId?: string;
  readonly name?: string | undefined;
};

/** An output template of a request: its field, its fixed folder, whether folders can follow that, and the template of its name. */
export interface OutputRoute {
  readonly field: string;
  readonly folder: string;
  readonly hasFolders: boolean;
  readonly name: string;
}

/** The extensions of segments, which are written beside a manifest. */
const SEGMENTS = ['ts', 'm4s', 'mp4'];

/** Where a watch puts files: its outputs, with the segments beside a manifest, and the files that it has converted. */
const routesOf = ({ request, source }: WatchedRoute, normalize: (path: string) => string): readonly OutputRoute[] => [
  ...outputRoutes(request, normalize).flatMap((route) =>
    /\.(?:m3u8|mpd)$/i.test(route.name)
      ? [route, ...SEGMENTS.map((end) => ({ ...route, name: `{name}.${end}` }))]
      : [route],
  ),
  ...(typeof source === 'object'
    ? [{ field: '/source/moveTo', folder: source.moveTo, hasFolders: true, name: '{name}' }]
    : []),
];

/** Where a request puts its outputs. `normalize`: makes a path relative to the media root. */
export function outputRoutes(request: WatchRequest, normalize: (path: string) => string): readonly OutputRoute[] {
  const { output, outputs = [] } = request;
  const templates = [
    ...(output === undefined ? [] : [{ field: '/request/output', text: output }]),
    ...outputs.map((one, index) => ({ field: `/request/outputs/${index}/output`, text: one.output })),
  ];
  return templates.map(({ field, text }) => {
    const path = normalize(text);
    const variable = path.indexOf('{');
    const folder = folderOf(variable < 0 ? path : path.slice(0, variable));
    const rest = path.slice(folder.length);
    const name = rest.slice(rest.lastIndexOf('/') + 1).replace(/^.*\{folder\}/s, '');
    return { field, folder, hasFolders: /\{folder\}|\//.test(rest), name };
  });
}

/**
 * Whether a watch takes outputs of this route. An output whose fixed folder is above the watched one is not meant: it lands there only from
 * folders with certain names, and the origin of the file then tells.
 */
export function landsIn({ folder, hasFolders, name }: OutputRoute, watch: WatchedRoute): boolean {
  if (!folder.startsWith(watch.folder)) return false;
  const isBelow = folder !== watch.folder;
  if (isBelow && !watch.subfolders) return false;
  return (!hasFolders || watch.subfolders || !isBelow) && mayTake(watch.patterns, name);
}

/** Outputs that come back to the watch that has made them. */
export interface Circle {
  readonly field: string;
  /** The watches through which they come back: the first is the watch itself. */
  readonly through: readonly WatchedRoute[];
}

/** Finds outputs of a watch that come back to it, directly or through other watches of the client. undefined: none do. */
export function findCircle(
  watch: WatchedRoute,
  others: readonly WatchedRoute[],
  normalize: (path: string) => string,
): Circle | undefined {
  const all = [watch, ...others.filter((one) => one.watchId === undefined || one.watchId !== watch.watchId)];
  const targets = (routes: readonly OutputRoute[]): readonly WatchedRoute[] =>
    all.filter((one) => routes.some((route) => landsIn(route, one)));
  for (const route of routesOf(watch, normalize)) {
    // Breadth first, so that the shortest circle is found.
    const from = new Map<WatchedRoute, WatchedRoute>();
    const queue: WatchedRoute[] = [];
    const visit = (found: readonly WatchedRoute[], source: WatchedRoute): boolean => {
      for (const one of found)
        if (!from.has(one)) {
          from.set(one, source);
          queue.push(one);
        }
      return from.has(watch);
    };
    let isClosed = visit(targets([route]), watch);
    for (let next = queue.shift(); !isClosed && next !== undefined; next = queue.shift())
      isClosed = visit(targets(routesOf(next, normalize)), next);
    if (isClosed) return { field: route.field, through: pathBack(watch, from) };
  }
  return undefined;
}

function pathBack(watch: WatchedRoute, from: ReadonlyMap<WatchedRoute, WatchedRoute>): readonly WatchedRoute[] {
  const path: WatchedRoute[] = [];
  for (let one = from.get(watch); one !== undefined && one !== watch; one = from.get(one)) path.unshift(one);
  return [watch, ...path];
}
