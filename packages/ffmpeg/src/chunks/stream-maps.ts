import type { SourceStream } from './source-index.ts';

const KINDS: Readonly<Record<string, string>> = {
  v: 'video',
  V: 'video',
  a: 'audio',
  s: 'subtitle',
  d: 'data',
  t: 'attachment',
};

/** The streams that a map selects, in the order of the source. */
export function selectedBy(map: string, streams: readonly SourceStream[]): readonly SourceStream[] {
  const [, kind, number] = /^0(?::([vVasdt]|\d+)(?::(\d+))?)?\??$/.exec(map) ?? [];
  if (kind === undefined) return streams;
  if (/^\d+$/.test(kind)) return streams.filter(({ index }) => index === Number(kind));
  const ofKind = streams.filter(({ type, isCover }) => type === KINDS[kind] && !(kind === 'V' && isCover));
  return number === undefined ? ofKind : ofKind.slice(Number(number), Number(number) + 1);
}
