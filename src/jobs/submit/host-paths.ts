import type { Caller } from '../../domain/client.ts';
import { type ConversionRequest, requestedOutputs } from '../../domain/conversion.ts';
import { hostPath } from '../../domain/foreign-path.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { PathStats } from '../ports/path-stats.ts';
import type { PlanOfPaths } from '../ports/planner.ts';

/**
 * Returns what outputs probably mean whose absolute paths are those of another machine, by index. A folder of the media root
 * with such a name is meant itself, unless an input shows that the same prefix is too much.
 */
export async function findHostPaths(
  media: PathStats,
  caller: Caller,
  {
    request,
    plan,
    meant,
  }: {
    readonly request: ConversionRequest;
    readonly plan: PlanOfPaths;
    /** For missing inputs, by index: an existing file whose path is another spelling. */
    readonly meant: ReadonlyMap<number, MediaPath>;
  },
): Promise<ReadonlyMap<number, string>> {
  const sent = requestedOutputs(request);
  const found = plan.outputs.flatMap(({ path }, index) => {
    const host = hostPath(sent[index]?.path ?? '', path);
    return host === undefined ? [] : [{ ...host, path, index }];
  });
  if (found.length === 0) return new Map();
  const folders = found.map(({ folder }) => folder);
  const stats = await media.statPaths(caller.root, folders);
  const prefixes = [...meant].flatMap(([index, right]) => {
    const { path = '' } = plan.inputs[index] ?? {};
    return path.endsWith(`/${right}`) ? [path.slice(0, -right.length)] : [];
  });
  return new Map(
    found.flatMap(({ index, path, guess }, at): [number, string][] => {
      const prefix = prefixes.find((one) => path.startsWith(one));
      if (prefix !== undefined) return [[index, path.slice(prefix.length)]];
      return stats[at]?.kind === 'directory' ? [] : [[index, guess]];
    }),
  );
}
