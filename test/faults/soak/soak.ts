import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Program, startService } from '../../../scripts/lib/service.ts';
import { openStore } from '../../../src/cli/compose/storage.ts';
import { findLeftovers } from '../leftovers.ts';
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
  /** Empty; gets the data folder and the media root. */
  readonly folder: string;
  readonly rounds: number;
  readonly seed: number;
  readonly programs: Programs;
  /** What is killed; by default the sources of this tree. */
  readonly program?: Program | undefined;
  /** Folder of what a service has learned of this ffmpeg; without it, the first that lives long enough asks. */
  readonly catalogues?: string | undefined;
  readonly say: (line: string) => void;
}

export interface SoakReport {
  /** Every promise that was not kept, a sentence each. */
  readonly faults: readonly string[];
  /** Rounds by how they ended. */
  readonly kills: Readonly<Record<string, number>>;
  /** 202s. */
  readonly accepted: number;
  /** Jobs by how they ended: `COMPLETED`, `CANCELLED`, or the code of the failure. */
  readonly endings: Readonly<Record<string, number>>;
  /** Claims of a job whose worker was lost. */
  readonly takenOver: number;
  /** Longest that a process outlived its service. */
  readonly slowestOrphanMs: number;
  /** From the last start until every job had ended, and until nothing was left. */
  readonly settledMs: number;
  readonly cleanMs: number;
}

const SETTLE_SECONDS = 120;
/** No leftover remains so long after a restart with nothing to do. */
const CLEAN_MS = 60_000;

/** Kills the service again and again under load, and looks whether it kept every promise. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { folder, rounds, seed, programs, program, catalogues, say } = options;
  const world = { ...(await createSoakSetup(folder, programs)), program };
  const ledger = new Ledger(world.mediaRoot);
  const chance = seededChoices(seed);
  // A stream of choices of its own, so that the kills do not depend on how many submissions fitted in between.
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

/** A last life without a blow: all jobs end, nothing is left, and SIGTERM ends it well. */
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
