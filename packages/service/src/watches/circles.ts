import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { folderOf } from '@telecine/contract/domain/media-path.ts';
import type { Watch, WatchRequest } from '@telecine/contract/domain/watch.ts';
import { type FixedEnds, type NameTest, nameTests, templateEnds } from './watched-names.ts';

/** The parts of a watch that decide where its files come from and where its outputs go. */
export type WatchedRoute = Pick<Watch, 'folder' | 'subfolders' | 'patterns' | 'request'> & {
  readonly source?: Watch['source'];
  readonly watchId?: string;
  readonly name?: string | undefined;
};

const ROUTE_MEMBERS = [
  'folder',
  'subfolders',
  'patterns',
  'request',
  'source',
] as const satisfies (keyof WatchedRoute)[];

/** Whether settings that a client sends decide where the files of a watch come from or where its outputs go. */
export const changesRoute = (sent: object): boolean => ROUTE_MEMBERS.some((member) => member in sent);

/** An output template of a request: its field, its fixed folder, whether folders can follow that, and the ends of its name. */
export interface OutputRoute {
  readonly field: string;
  readonly folder: string;
  readonly hasFolders: boolean;
  readonly name: FixedEnds;
}

/** The names of segments, which are written beside a manifest. */
const SEGMENTS = ['{name}.ts', '{name}.m4s', '{name}.mp4'].map(templateEnds);

/** Where a watch puts files: its outputs, with the segments beside a manifest, and the files that it has converted. */
const routesOf = ({ request, source }: WatchedRoute, normalize: (path: string) => string): readonly OutputRoute[] => [
  ...outputRoutes(request, normalize).flatMap((route) =>
    /\.(?:m3u8|mpd)$/.test(route.name.end) ? [route, ...SEGMENTS.map((name) => ({ ...route, name }))] : [route],
  ),
  ...(typeof source === 'object'
    ? [{ field: '/source/moveTo', folder: source.moveTo, hasFolders: true, name: templateEnds('{name}') }]
    : []),
];

/** Where a request puts its outputs. `normalize`: makes a path relative to the media root. */
export function outputRoutes(request: WatchRequest, normalize: (path: string) => string): readonly OutputRoute[] {
  return requestedOutputs(request).map(({ path: template, field }) => {
    const path = normalize(template);
    const variable = path.indexOf('{');
    const folder = folderOf(variable < 0 ? path : path.slice(0, variable));
    const rest = path.slice(folder.length);
    const name = templateEnds(rest.slice(rest.lastIndexOf('/') + 1).replace(/^.*\{folder\}/s, ''));
    return { field: `/request${field}`, folder, hasFolders: /\{folder\}|\//.test(rest), name };
  });
}

/**
 * Whether a watch takes outputs of this route. `mayTake`: by its patterns. An output whose fixed folder is above the watched one is not meant: it lands there only from
 * folders with certain names, and the origin of the file then tells.
 */
export function landsIn({ folder, hasFolders, name }: OutputRoute, watch: WatchedRoute, mayTake: NameTest): boolean {
  if (!folder.startsWith(watch.folder)) return false;
  const isBelow = folder !== watch.folder;
  if (isBelow && !watch.subfolders) return false;
  return (!hasFolders || watch.subfolders || !isBelow) && mayTake(name);
}

/** Outputs that come back to the watch that has made them. */
export interface Circle {
  readonly field: string;
  /** The watches through which they come back: the first is the watch itself. */
  readonly through: readonly WatchedRoute[];
}

/** How a search came to a watch: from another one, and by which output of the first one. */
type Steps = Map<WatchedRoute, { readonly source: WatchedRoute; readonly field: string }>;

/**
 * Finds outputs of a watch that come back to it, directly or through other watches of the client. undefined: none do. Clients choose all
 * templates and patterns, so each is read once, and no pair of them is compared twice.
 */
export function findCircle(
  watch: WatchedRoute,
  others: readonly WatchedRoute[],
  normalize: (path: string) => string,
): Circle | undefined {
  const all = [watch, ...others.filter((one) => one.watchId === undefined || one.watchId !== watch.watchId)];
  const testOf = nameTests();
  const unreached = new Map(all.map((one) => [one, testOf(one.patterns)]));
  const steps: Steps = new Map();
  // Breadth first, so that the shortest circle is found.
  const queue = [watch];
  for (const source of queue)
    for (const route of routesOf(source, normalize))
      for (const [one, mayTake] of unreached) {
        if (!landsIn(route, one, mayTake)) continue;
        unreached.delete(one);
        const { field } = steps.get(source) ?? route;
        steps.set(one, { source, field });
        if (one === watch) return { field, through: pathBack(watch, steps) };
        queue.push(one);
      }
  return undefined;
}

function pathBack(watch: WatchedRoute, steps: Steps): readonly WatchedRoute[] {
  const path: WatchedRoute[] = [];
  for (let one = steps.get(watch)?.source; one !== undefined && one !== watch; one = steps.get(one)?.source)
    path.unshift(one);
  return [watch, ...path];
}
