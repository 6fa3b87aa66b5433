import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { endOf } from '../preview/run-job.ts';
import { type SceneSearch, sceneAt, searchAround } from './scene.ts';
import type { Range } from './trim-range.ts';
import { downToMilliseconds } from './trim-time.ts';

/**
 * Finds the scene at a time of a stored video, with an analysis of the service. `onFound`: called with the scene, or undefined if it is not
 * known where the scene begins or ends.
 */
export function useScene(path: string, duration: number, onFound: (scene: Range | undefined) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ at, frame }: { readonly at: number; readonly frame: number }) => {
      const search = searchAround(at, duration);
      const changes = await queries.fetchQuery({
        queryKey: ['scenes', path, search],
        queryFn: ({ signal }) => changesIn(path, search, duration, signal),
        staleTime: 60_000,
        retry: false,
      });
      return sceneAt(changes, at, { search, duration, tolerance: frame / 2 });
    },
    onSuccess: onFound,
  });
}

/** The times at which scenes begin, in order. */
async function changesIn(
  path: string,
  { from, to }: SceneSearch,
  duration: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const part = to - from < duration && { ss: String(from), t: String(to - from) };
  const { jobId } = await client.analyze({ input: path, measure: ['scenes'], ...part }, { signal });
  const { measurements } = await endOf(jobId, signal);
  return (measurements?.scenes?.changes ?? []).map(({ at }) => downToMilliseconds(at));
}
