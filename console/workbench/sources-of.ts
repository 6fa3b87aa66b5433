import type { ConversionRequest } from '@telecine/client';

/** The files that a request reads, in order, as one text: two requests with the same text convert the same films. */
export const sourcesOf = ({ input, inputs }: Pick<ConversionRequest, 'input' | 'inputs'>): string =>
  JSON.stringify((inputs ?? [input]).map((one) => (typeof one === 'string' ? one : (one?.input ?? one?.source))));
