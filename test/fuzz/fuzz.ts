import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Program, startService } from '../../scripts/lib/service.ts';
import { findLeftovers } from '../faults/service-state.ts';
import { killOnExit } from '../faults/soak/killable-service.ts';
import type { Programs } from '../faults/soak/verify.ts';
import { type ApiClient, adminClient } from '../support/api-client.ts';
import { waitUntil } from '../support/wait.ts';
import { convertMutant, type MutantResult } from './convert-mutant.ts';
import { CANARY, createFuzzSetup, type FuzzSandbox, type FuzzSetup } from './fuzz-setup.ts';
import { mutantOf } from './mutant.ts';
import { faultsOfOutcomes } from './outcomes.ts';
import { type ProcessUsage, usageOf } from './process-usage.ts';

export interface FuzzOptions {
  /** An empty folder, for the folders of the service, the sources and mutants that caused errors. */
  readonly folder: string;
  readonly count: number;
  readonly seed: number;
  /** The number of the first mutant; 0 by default. */
  readonly first?: number;
  readonly sandbox?: FuzzSandbox;
  readonly programs: Programs;
  /** The service; by default the sources of this tree. */
  readonly program?: Program | undefined;
  readonly say: (line: string) => void;
}

export interface FuzzReport {
  /** One sentence per error. */
  readonly faults: readonly string[];
  readonly families: Tally;
  readonly states: Tally;
  readonly failures: Tally;
  readonly messages: Tally;
  readonly probes: Tally;
  readonly slowest: readonly string[];
  /** Measured at regular intervals. */
  readonly memory: readonly ProcessUsage[];
}

type Tally = Readonly<Record<string, number>>;

/** Mutants in parallel: two convert while the others are written, probed and checked. */
const PARALLEL = 4;
/** A token lasts 15 minutes. */
const TOKEN_MS = 5 * 60_000;
const MEASUREMENTS = 20;
/**
 * Limits on the memory of the service. After long probe replies and 3000 streams the heap stays some 300 MiB larger, which
 * is no leak. Growth in the second half of a run is one.
 */
const MAX_MIB = 700;
const MAX_GROWTH_MIB = 120;
/** How many more descriptors than after the start are allowed. */
const MAX_NEW_DESCRIPTORS = 8;
const CLEAN_SECONDS = 60;

/** Lets a real service convert and probe malformed files and checks replies, resources, log and leftovers. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { count, seed, first = 0, say } = options;
  const setup = await createFuzzSetup(options.folder, options.programs, options.sandbox ?? 'auto');
  const service = await startService({ ...setup, program: options.program, onSpawn: killOnExit });
  const faults: string[] = [];
  const results: MutantResult[] = [];
  const memory: ProcessUsage[] = [];
  const client = await renewed(() => adminClient({ url: service.url, dataDir: setup.dataDir }));
  const start = await usageOf(service.pid);
  let next = first;

  const convertNext = async (): Promise<void> => {
    for (let number = next++; number < first + count; number = next++) {
      const mutant = mutantOf(seed, number, setup.material);
      const what = `mutant ${number} of seed ${seed} (${mutant.family}, ${JSON.stringify(mutant.name)}: ${mutant.description})`;
      const result = await convertMutant(setup, await client(), seed, mutant).catch((error: unknown) => {
        faults.push(`${what}: ${error}`);
        return undefined;
      });
      if (result === undefined) continue;
      results.push(result);
      for (const fault of result.faults) faults.push(`${what}: ${fault}`);
      if (results.length % Math.ceil(count / MEASUREMENTS) === 0) await measure();
    }
  };
  const measure = async (): Promise<void> => {
    const [usage, health] = await Promise.all([usageOf(service.pid), fetch(`${service.url}/health`)]);
    if (health.status !== 200) faults.push(`/health answered ${health.status}`);
    memory.push(usage);
    say(`${results.length}/${count}: ${usage.rssMiB} MiB, ${usage.descriptors} descriptors, ${faults.length} faults`);
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, convertNext));
    await settle(setup, faults);
    memory.push(await usageWithoutConnections(service.pid, start));
    faults.push(...faultsOfUsage(start, memory));
  } finally {
    const { code } = await service.stop();
    if (code !== 0) faults.push(`the service exited with ${code} after SIGTERM`);
    setup.close();
  }
  await writeFile(join(setup.failedMutants, 'service.log'), service.log());
  faults.push(...faultsOfLog(service.log()));
  if (setup.connections() > 0) faults.push(`the listener got ${setup.connections()} connections`);
  const outcomes = figures(results);
  faults.push(...faultsOfOutcomes(count, outcomes));
  return { faults, memory, ...outcomes };
}

function faultsOfUsage(start: ProcessUsage, all: readonly ProcessUsage[]): readonly string[] {
  const rss = all.map(({ rssMiB }) => rssMiB);
  const [half = 0, end = 0] = [rss[Math.floor(rss.length / 2)], rss.at(-1)];
  const [most, descriptors] = [Math.max(...rss), all.at(-1)?.descriptors ?? 0];
  return [
    ...(most > MAX_MIB ? [`the service used ${most} MiB`] : []),
    ...(end > half + MAX_GROWTH_MIB ? [`the service uses ${end} MiB at the end, ${half} in the middle`] : []),
    ...(descriptors > start.descriptors + MAX_NEW_DESCRIPTORS
      ? [`the service has ${descriptors} descriptors at the end, ${start.descriptors} at the start`]
      : []),
  ];
}

/** The usage when the connections that the last requests kept open have ended, or when that takes too long. */
async function usageWithoutConnections(pid: number, start: ProcessUsage): Promise<ProcessUsage> {
  let usage = await usageOf(pid);
  const haveEnded = async (): Promise<true | undefined> => {
    usage = await usageOf(pid);
    return usage.descriptors <= start.descriptors + MAX_NEW_DESCRIPTORS ? true : undefined;
  };
  await waitUntil('the connections to end', haveEnded, CLEAN_SECONDS).catch(() => undefined);
  return usage;
}

async function renewed(login: () => Promise<ApiClient>): Promise<() => Promise<ApiClient>> {
  let at = performance.now();
  let client = await login();
  return async () => {
    if (performance.now() - at > TOKEN_MS) {
      at = performance.now();
      client = await login();
    }
    return client;
  };
}

/** Waits until no scratch folder, secrets file, temporary file or process is left. */
async function settle(setup: FuzzSetup, faults: string[]): Promise<void> {
  let leftovers: readonly string[] = [];
  const check = async (): Promise<true | undefined> => {
    leftovers = await findLeftovers(setup);
    return leftovers.length === 0 ? true : undefined;
  };
  await waitUntil('nothing to be left', check, CLEAN_SECONDS).catch(() =>
    faults.push(`left over: ${leftovers.join('; ')}`),
  );
}

function faultsOfLog(log: string): readonly string[] {
  const loud = log.split('\n').filter((line) => /"level":"(?:error|fatal)"/.test(line));
  const plain = log.includes(CANARY) ? ['the log of the service contains the canary'] : [];
  return [...loud.map((line) => `the service logged ${line.slice(0, 1000)}`), ...plain];
}

function figures(results: readonly MutantResult[]): Omit<FuzzReport, 'faults' | 'memory'> {
  const failed = results.flatMap(({ job }) => job.error ?? []);
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5);
  return {
    families: tally(results.map(({ mutant }) => mutant.family)),
    states: tally(results.map(({ job }) => job.status)),
    failures: tally(failed.map(({ code }) => code)),
    // Group messages that differ only in names and numbers.
    messages: tally(failed.map(({ message }) => message.replace(/".*"/s, '"…"').replace(/\d+/g, 'N'))),
    probes: tally(results.map(({ probe }) => probe)),
    slowest: slowest.map(({ seconds, mutant, job }) => {
      const end = job.error?.code ?? job.status;
      return `${seconds.toFixed(1)} s, ${end}: mutant ${mutant.number} (${mutant.family}: ${mutant.description.slice(0, 200)})`;
    }),
  };
}

function tally(names: readonly string[]): Tally {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length] as const);
  return Object.fromEntries(counts.sort(([, a], [, b]) => b - a));
}
