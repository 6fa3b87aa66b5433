import type { FastifyInstance } from 'fastify';
import { seeded } from '../../support/random-graphs.ts';
import type { WorkCounter } from '../../support/work.ts';
import { describe, type Gene, render } from './gene.ts';
import { mutate, type Random } from './mutate-gene.ts';
import type { Target } from './targets.ts';

export interface FuzzOptions {
  readonly app: FastifyInstance;
  /** Whether a large request was planned since the last call. */
  readonly wasLarge: () => boolean;
  readonly targets: readonly Target[];
  readonly counter: WorkCounter;
  readonly seconds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** A document, with what it costs. */
export interface DearDocument {
  readonly target: Target;
  readonly gene: Gene;
  readonly bytes: number;
  readonly units: number;
  readonly status: number;
  /** Whether a service plans it in a thread. */
  readonly isLarge: boolean;
}

export interface FuzzReport {
  readonly tried: number;
  /** For each target, the document that costs most for each of its bytes. The dearest is the first of all. */
  readonly dearest: readonly DearDocument[];
  /** The same documents in larger sizes, up to the limit of a body. The first one costs most. */
  readonly largest: readonly DearDocument[];
  /** Documents whose cost for each byte rises with their size, with the costs. */
  readonly growing: readonly {
    readonly document: DearDocument;
    readonly costs: readonly number[];
    readonly place: string;
  }[];
}

/** What any request costs, in bytes: without it, the shortest would be the dearest. */
const EMPTY_BYTES = 4000;
/** Documents are short while they are looked for, so that there are many tries. */
const MOST_BYTES = 40_000;
/** Documents of each target from which the next ones are made. */
const KEPT = 6;
/** The share of documents that are made from a seed, so that one kind of cost does not hide all others. */
const SEED_SHARE = 0.3;
/** How many of each target are tried in larger sizes. */
const SCALED = 2;
/** Each size is so many times the one before. A cost that rises by more than half of that is not linear. */
const STEP = 4;
/** Smaller counts depend more on what each request costs than on what is in it. */
const MANY_UNITS = 1_000_000;

export const costOf = ({ units, bytes }: Pick<DearDocument, 'units' | 'bytes'>): number =>
  units / (bytes + EMPTY_BYTES);

/** Looks for the documents that cost most. The same seed and number of tries find the same ones. */
export async function fuzzBodies({
  app,
  wasLarge,
  targets,
  counter,
  seconds,
  seed,
  say,
}: FuzzOptions): Promise<FuzzReport> {
  const random: Random = seeded(seed);
  const best = new Map<Target, DearDocument[]>();
  const measure = async (target: Target, gene: Gene, scale: number, most: number) => {
    const text = render(gene, scale);
    if (text === undefined || text.length > Math.min(most, target.bytes)) return undefined;
    let status = 0;
    const { units, places } = await counter.work(async () => {
      status = await target.send(app, text);
    });
    return { target, gene, bytes: Buffer.byteLength(text), units, status, places, isLarge: wasLarge() };
  };
  const keep = (document: DearDocument): void => {
    const all = best.get(document.target) ?? [];
    const isBest = all.length === 0 || costOf(document) > costOf(all[0] as DearDocument) * 1.1;
    best.set(document.target, [...all, document].sort((a, b) => costOf(b) - costOf(a)).slice(0, KEPT));
    if (isBest) say(lineOf(document));
  };
  // The first run of each loads modules and fills caches.
  for (let round = 0; round < 2; round++)
    for (const target of new Set(targets))
      for (const gene of target.seeds) {
        const document = await measure(target, gene, 1, MOST_BYTES);
        if (document !== undefined && round > 0) keep(document);
      }
  let tried = 0;
  for (const end = performance.now() + seconds * 1000; performance.now() < end; tried++) {
    const target = targets[Math.floor(random() * targets.length)];
    if (target === undefined) throw new RangeError('There is no target.');
    const parents = best.get(target) ?? [];
    const pool = random() < SEED_SHARE ? target.seeds : parents.map((one) => one.gene);
    let gene = pool[Math.floor(random() * random() * pool.length)];
    if (gene === undefined) continue;
    for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) gene = mutate(gene, random);
    const document = await measure(target, gene, 1, MOST_BYTES);
    const last = parents.at(-1);
    if (document !== undefined && (parents.length < KEPT || last === undefined || costOf(document) > costOf(last)))
      keep(document);
  }
  const growing: FuzzReport['growing'][number][] = [];
  const dearest: DearDocument[] = [];
  const largest: DearDocument[] = [];
  for (const documents of best.values()) {
    dearest.push(...documents.slice(0, 1));
    for (const document of documents.slice(0, SCALED)) {
      const larger = [];
      for (const scale of [STEP, STEP * STEP]) {
        const one = await measure(document.target, document.gene, scale, document.target.bytes);
        if (one !== undefined && one.bytes > 2 * (larger.at(-1)?.bytes ?? document.bytes)) larger.push(one);
      }
      largest.push(...larger);
      const costs = [document, ...larger].map(costOf);
      const rises = costs.slice(1).filter((cost, index) => cost > (STEP / 2) * (costs[index] ?? 0));
      const [place = ''] = [...(larger.at(-1)?.places ?? [])].sort(([, a], [, b]) => b - a)[0] ?? [];
      if (rises.length === larger.length && (larger.at(-1)?.units ?? 0) > MANY_UNITS)
        growing.push({ document, costs, place });
    }
  }
  return {
    tried,
    dearest: dearest.sort((a, b) => costOf(b) - costOf(a)),
    largest: largest.sort((a, b) => b.units - a.units),
    growing,
  };
}

/** A document in a line. */
export const lineOf = (document: DearDocument): string =>
  `${costOf(document).toFixed(1).padStart(8)} units a byte  ${String(document.units).padStart(9)} units  ` +
  `${String(document.bytes).padStart(7)} bytes  ${document.status}  ${document.isLarge ? 'in the thread  ' : ''}${document.target.name}: ${describe(document.gene).slice(0, 400)}`;
