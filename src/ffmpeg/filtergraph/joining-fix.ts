/** The graph that joins whole inputs one after the other, and the maps of its outputs. */
export interface ConcatGraph {
  readonly graph: string;
  readonly maps: readonly string[];
}

/** @param kinds The kinds of streams that every input has. */
export function concatGraph(inputs: number, kinds: readonly ('v' | 'a')[]): ConcatGraph {
  const pads = Array.from({ length: inputs }, (_one, index) => kinds.map((kind) => `[${index}:${kind}]`)).flat();
  const maps = kinds.map((kind) => `[${kind}]`);
  const counts = (['v', 'a'] as const).map((kind) => `${kind}=${Number(kinds.includes(kind))}`).join(':');
  return { graph: `${pads.join('')}concat=n=${inputs}:${counts}${maps.join('')}`, maps };
}

/** The fix that joins inputs. `codecs`: the options that copy streams, which filters cannot do. */
export function joiningFix({ graph, maps }: ConcatGraph, codecs: readonly string[]): string {
  const map = JSON.stringify(maps.length === 1 ? maps[0] : maps);
  const out = codecs.length === 0 ? '' : `, and leave ${codecs.map((name) => `"${name}"`).join(' and ')} out`;
  return `To join them, send "filter_complex": ${JSON.stringify(graph)} and "map": ${map}${out}. To choose streams, send "map".`;
}
