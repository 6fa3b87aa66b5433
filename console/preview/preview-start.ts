import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ConversionRequest } from '@telecine/client';
import { client } from '../app/client.ts';
import type { Range } from '../trim/trim-range.ts';
import { downToMilliseconds } from '../trim/trim-time.ts';
import { keyFramesQuery } from '../trim/use-key-frames.ts';
import { chosenPart } from './chosen-part.ts';
import { firstSource } from './missing-preview.ts';
import { middleOf } from './preview-range.ts';
import { hasFrames } from './still-seconds.ts';

/** The query for what is known of a stored source. The workbench makes it when the source is added. */
export const sourceQuery = (source: string) =>
  queryOptions({
    queryKey: ['probe', source, false],
    queryFn: ({ signal }) => client.probe({ input: source }, { signal }),
    staleTime: 60_000,
  });

/** The part of the source that the request converts. `length`: that of the source in seconds, or 0 if it is not known. */
export const previewRange = (request: ConversionRequest, length: number): Range =>
  chosenPart(request, downToMilliseconds(length)) ?? { start: 0, end: length };

/** Reads where a preview begins, before it is opened. */
export function prepareStart(queries: QueryClient, request: ConversionRequest): void {
  const source = firstSource(request) ?? '';
  const info = queries.getQueryData(sourceQuery(source).queryKey);
  if (!hasFrames(request, info)) return;
  const range = previewRange(request, info?.format.durationSeconds ?? 0);
  void queries.prefetchQuery(keyFramesQuery(source, middleOf(range)));
}
