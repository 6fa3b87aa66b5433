import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';

/** The largest file whose cues are listed, in bytes: subtitles of a long film have a tenth of it. */
const MAX_BYTES = 2_000_000;

/** The text of a subtitle file. Its list and the preview read it once. */
export const cuesQuery = (path: string) =>
  queryOptions({
    queryKey: ['cues', path],
    queryFn: ({ signal }) => readText(path, signal),
    staleTime: 60_000,
  });

/** Reads the text of a subtitle file. */
export async function readText(path: string, signal?: AbortSignal): Promise<string> {
  const reply = await client.readFile(path, { range: { start: 0, end: MAX_BYTES - 1 }, ...(signal && { signal }) });
  const size = Number(/\/(\d+)$/.exec(reply.headers.get('content-range') ?? '')?.[1] ?? 0);
  if (size > MAX_BYTES)
    throw new Error(`The file is larger than ${MAX_BYTES / 1_000_000} MB, so its cues are not listed.`);
  const bytes = await reply.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Old subtitle files are often in this encoding. A shifted copy is in UTF-8.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
