import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Program, startService } from '../../../scripts/lib/service.ts';
import { openStore } from '../../../src/cli/compose/storage.ts';
import { findLeftovers } from '../service-state.ts';
import { installAudit, readAudit } from './audit.ts';
import { killOnExit } from './killable-service.ts';
import { Ledger } from './ledger.ts';
import { nextKill, type RoundDeps, recordLoggedErrors, runRound } from './round.ts';
import { seededChoices } from './seeded-choices.ts';
import { Session } from './session.ts';
import { createSoakSetup } from './soak-setup.ts';
import { allEnded, Traffic } from './traffic.ts';
import { type Programs, verifyOutputs } from './verify.ts';

export interface SoakOptions {
  /** An empty folder, for the data folder and the media root. */
  readonly folder: string;
  readonly rounds: number;
  readonly seed: number;
  readonly programs: Programs;
  /** The program to kill. By default the sources of this tree. */
  readonly program?: Program | undefined;
  /** The ffmpeg catalogue of an earlier service. By default the first service queries ffmpeg. */
  readonly catalogues?: string | undefined;
  readonly say: (line: string) => void;
}

export interface SoakReport {
  /** Every error, a sentence each. */
  readonly faults: readonly string[];
  /** The number of rounds by kind of kill. */
  readonly kills: Readonly<Record<string, number>>;
  /** The number of accepted jobs. */
  readonly accepted: number;
  /** The number of jobs by outcome: `COMPLETED`, `CANCELLED`, or the failure code. */
  readonly endings: Readonly<Record<string, number>>;
  /** Claims of jobs whose worker was lost. */
  readonly takenOver: number;
  /** The longest time that a process survived its service. */
  readonly slowestOrphanMs: number;
  /** From the last start until every job had ended, and until no leftovers existed. */
  readonly settledMs: number;
  readonly cleanMs: number;
}

const SETTLE_SECONDS = 120;
/** Leftovers must be gone so long after a restart. */
const CLEAN_MS = 60_000;

/** Kills the service repeatedly under load and checks that it kept every promise. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { folder, rounds, seed, programs, program, catalogues, say } = options;
  const world = { ...(await createSoakSetup(folder, programs)), program };
  const ledger = new Ledger(world.mediaRoot);
  const chance = seededChoices(seed);
  // Separate choices, so that the kills do not depend on the number of submissions.
  const traffic = new Traffic(ledger, seededChoices(seed + 1));
  const deps: RoundDeps = { world, ledger, traffic, session: new Session(world.dataDir), chance };

  if (catalogues !== undefined) await cp(catalogues, join(world.dataDir, 'catalogues'), { recursive: true });
  await (await openStore(world)).close();
  installAudit(world);

  const kills: string[] = [];
  let orphans = Promise.resolve(0);
  let slowestOrphanMs = 0;
  for (let number = 1; number <= rounds; number++) {
    const blow = nextKill(chance);
    kills.push(`${blow.whom} ${blow.moment}`);
    const { orphansGone } = await runRound(deps, blow);
    slowestOrphanMs = Math.max(slowestOrphanMs, await orphans);
    orphans = orphansGone;
    const ended = [...ledger.entries.values()].filter(({ job }) => job?.status === 'COMPLETED').length;
    say(
      `${number}/${rounds} ${blow.whom} ${blow.moment}, ${Math.round(blow.afterMs)} ms: ` +
        `${ledger.entries.size} submitted, ${ended} complete, ${ledger.faults.length} faults`,
    );
  }
  slowestOrphanMs = Math.max(slowestOrphanMs, await orphans);
  const times = await settle(deps);
  await verifyOutputs(ledger, world.mediaRoot, programs, world.lengths);
  const audit = readAudit(world);
  for (const fault of audit.faults) ledger.fault(fault);
  const entries = [...ledger.entries.values()];
  return {
    faults: ledger.faults,
    kills: tally(kills),
    accepted: entries.filter(({ promised }) => promised).length,
    endings: tally(entries.flatMap(({ job }) => (job ? [job.error?.code ?? job.status] : []))),
    takenOver: audit.takenOver,
    slowestOrphanMs,
    ...times,
  };
}

/** Starts the service a last time: all jobs must end, leave nothing, and SIGTERM must end it with status 0. */
async function settle({ world, ledger, traffic, session }: RoundDeps): Promise<{ settledMs: number; cleanMs: number }> {
  const service = await startService({ ...world, onSpawn: killOnExit });
  const start = performance.now();
  const caller = await session.open(service.url, new AbortController().signal);
  await traffic.lookAtAll(caller);
  await traffic.sendAgain(caller);
  if (!(await allEnded(caller, ledger, SETTLE_SECONDS))) ledger.fault(`not all jobs ended within ${SETTLE_SECONDS} s`);
  const settledMs = performance.now() - start;
  await traffic.lookAtAll(caller);
  await ledger.checkFiles();
  let left = await findLeftovers(world);
  while (left.length > 0 && performance.now() - start < Math.max(CLEAN_MS, settledMs + 5000)) {
    await delay(50);
    left = await findLeftovers(world);
  }
  for (const what of left) ledger.fault(`left over: ${what}`);
  const cleanMs = performance.now() - start;
  const { code } = await service.stop();
  if (code !== 0) ledger.fault(`after SIGTERM it ended with ${code}`);
  recordLoggedErrors(ledger, service.log());
  return { settledMs, cleanMs };
}

function tally(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}
