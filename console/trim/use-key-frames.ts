import { useQuery } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { useDebounced } from '../ui/use-debounced.ts';

/** Wait for the end of a movement before asking for the key frames. */
const PAUSE_MS = 250;
/** The service lists key frames up to 10 s around a time. One list serves all times nearer to it than half of this. */
const SPACING = 10;

/** The key frames around a time of a stored video, in seconds. undefined: they are not known (yet). */
export function useKeyFrames(path: string, at: number, isWanted: boolean): readonly number[] | undefined {
  const near = Math.round(at / SPACING) * SPACING;
  const settled = useDebounced(near, PAUSE_MS);
  const found = useQuery({
    queryKey: ['key-frames', path, settled],
    queryFn: async ({ signal }) =>
      (await client.probe({ input: path, keyFramesNear: settled }, { signal })).keyFrames ?? [],
    enabled: isWanted,
    staleTime: 60_000,
  });
  return isWanted && settled === near ? found.data : undefined;
}
