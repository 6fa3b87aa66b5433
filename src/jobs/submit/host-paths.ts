import type { Caller } from '../../domain/client.ts';
import { type ConversionRequest, requestedOutputs } from '../../domain/conversion.ts';
import { type HostPath, hostPath } from '../../domain/foreign-path.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { PlanOfPaths } from '../ports/ffmpeg.ts';
import type { PathStat, PathStats } from '../ports/media-store.ts';

/** What an output probably means whose absolute path is that of another machine. */
export interface MeantPath {
  /** Its path in the media root. */
  readonly path: string;
  /** Whether the media root has a folder with the name of that on the other machine. */
  readonly hasFolder: boolean;
}

/**
 * Returns what outputs probably mean whose absolute paths are those of another machine, by index. A folder of the media root with
 * such a name may be meant itself, or an earlier mistake made it. So only an input in it shows that it is meant.
 */
export function findHostPaths(
  media: PathStats,
  caller: Caller,
  {
    request,
    plan,
    meant,
    inputs,
  }: {
    readonly request: ConversionRequest;
    readonly plan: PlanOfPaths;
    /** For missing inputs, by index: an existing file whose path is another spelling. */
    readonly meant: ReadonlyMap<number, MediaPath>;
    /** What is at the paths of the inputs, by index. */
    readonly inputs: readonly (PathStat | undefined)[];
  },
): ReadonlyMap<number, MeantPath> | Promise<ReadonlyMap<number, MeantPath>> {
  const sent = requestedOutputs(request);
  const found = plan.outputs.flatMap(({ path }, index) => {
    const host = hostPath(sent[index]?.path ?? '', path);
    return host === undefined ? [] : [{ ...host, path, index }];
  });
  return found.length === 0 ? NONE : meantByHostPaths(media, caller, found, { plan, meant, inputs });
}

const NONE: ReadonlyMap<number, MeantPath> = new Map();

async function meantByHostPaths(
  media: PathStats,
  caller: Caller,
  found: readonly (HostPath & { readonly path: MediaPath; readonly index: number })[],
  { plan, meant, inputs }: Pick<Parameters<typeof findHostPaths>[2], 'plan' | 'meant' | 'inputs'>,
): Promise<ReadonlyMap<number, MeantPath>> {
  const folders = found.map(({ folder }) => folder);
  const stats = await media.statPaths(caller.root, folders);
  const prefixes = [...meant].flatMap(([index, right]) => {
    const { path = '' } = plan.inputs[index] ?? {};
    return path.endsWith(`/${right}`) ? [path.slice(0, -right.length)] : [];
  });
  const isUsed = (folder: string): boolean =>
    plan.inputs.some(({ path }, index) => inputs[index]?.kind === 'file' && path.startsWith(`${folder}/`));
  return new Map(
    found.flatMap(({ index, path, guess, folder }, at): [number, MeantPath][] => {
      const prefix = prefixes.find((one) => path.startsWith(one));
      if (prefix !== undefined) return [[index, { path: path.slice(prefix.length), hasFolder: false }]];
      return isUsed(folder) ? [] : [[index, { path: guess, hasFolder: stats[at]?.kind === 'directory' }]];
    }),
  );
}
