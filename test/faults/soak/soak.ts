import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../../packages/service/src/start/database.ts';
import { type Program, startService } from '../../../scripts/lib/service.ts';
import { chunksForRetries, findLeftovers } from '../service-state.ts';
import { installAudit, readAudit } from './audit.ts';
import { killOnExit } from './killable-service.ts';
import { Ledger, statOnDisk } from './ledger.ts';
import { faultsOfKills } from './outcomes.ts';
import { nextKill, type RoundDeps, recordLoggedErrors, runRound } from './round.ts';
import { seededChoices } from './seeded-choices.ts';
import { Session } from './session.ts';
import { createSoakSetup } from './soak-setup.ts';
import { allEnded, Traffic } from './traffic.ts';
import { LOCK, type Programs, verifyOutputs } from './verify.ts';

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
  /** One sentence per fault. */
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
  /** The milliseconds from the last start until every job had ended, and until no leftovers existed. */
  readonly settledMs: number;
  readonly cleanMs: number;
}

const SETTLE_SECONDS = 120;
/** Leftovers must be gone so long after a restart. */
const CLEAN_MS = 60_000;

/** Kills the service repeatedly under load and checks that it kept every promise. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { folder, rounds, seed, programs, program, catalogues, say } = options;
  const setup = { ...(await createSoakSetup(folder, programs)), program };
  const ledger = new Ledger(statOnDisk(setup.mediaRoot));
  const chance = seededChoices(seed);
  // Separate choices, so that the kills do not depend on the number of submissions.
  const traffic = new Traffic(ledger, seededChoices(seed + 1));
  const deps: RoundDeps = { setup, ledger, traffic, session: new Session(setup.dataDir), chance };

  if (catalogues !== undefined) await cp(catalogues, join(setup.dataDir, 'catalogues'), { recursive: true });
  await (await openStore(setup)).close();
  installAudit(setup);

  const kills: string[] = [];
  let orphans = Promise.resolve(0);
  let slowestOrphanMs = 0;
  for (let number = 1; number <= rounds; number++) {
    const kill = nextKill(chance);
    kills.push(`${kill.target} ${kill.moment}`);
    const { orphansGone } = await runRound(deps, kill);
    slowestOrphanMs = Math.max(slowestOrphanMs, await orphans);
    orphans = orphansGone;
    const ended = [...ledger.entries.values()].filter(({ job }) => job?.status === 'COMPLETED').length;
    say(
      `${number}/${rounds} ${kill.target} ${kill.moment}, ${Math.round(kill.afterMs)} ms: ` +
        `${ledger.entries.size} submitted, ${ended} complete, ${ledger.faults.length} faults`,
    );
  }
  slowestOrphanMs = Math.max(slowestOrphanMs, await orphans);
  const times = await settle(deps);
  await verifyOutputs(ledger, setup.mediaRoot, programs, setup.clips, [LOCK, ...(await chunksForRetries(setup))]);
  const audit = readAudit(setup);
  for (const fault of audit.faults) ledger.fault(fault);
  const entries = [...ledger.entries.values()];
  const endings = tally(entries.flatMap(({ job }) => (job ? [job.error?.code ?? job.status] : [])));
  for (const fault of faultsOfKills(rounds, { endings, takenOver: audit.takenOver })) ledger.fault(fault);
  return {
    faults: ledger.faults,
    kills: tally(kills),
    accepted: entries.filter(({ promised }) => promised).length,
    endings,
    takenOver: audit.takenOver,
    slowestOrphanMs,
    ...times,
  };
}

/** Starts the service a last time: all jobs must end, leave nothing, and SIGTERM must end it with status 0. */
async function settle({ setup, ledger, traffic, session }: RoundDeps): Promise<{ settledMs: number; cleanMs: number }> {
  const service = await startService({ ...setup, onSpawn: killOnExit });
  const start = performance.now();
  const caller = await session.open(service.url, new AbortController().signal);
  await traffic.pollAll(caller);
  await traffic.resend(caller);
  if (!(await allEnded(caller, ledger, SETTLE_SECONDS))) ledger.fault(`not all jobs ended within ${SETTLE_SECONDS} s`);
  const settledMs = performance.now() - start;
  await traffic.pollAll(caller);
  await ledger.checkFiles();
  let leftovers = await findLeftovers(setup);
  while (leftovers.length > 0 && performance.now() - start < Math.max(CLEAN_MS, settledMs + 5000)) {
    await delay(50);
    leftovers = await findLeftovers(setup);
  }
  for (const leftover of leftovers) ledger.fault(`left over: ${leftover}`);
  const cleanMs = performance.now() - start;
  const { code } = await service.stop();
  if (code !== 0) ledger.fault(`the service exited with ${code} after SIGTERM`);
  recordLoggedErrors(ledger, service.log());
  return { settledMs, cleanMs };
}

export function tally(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}
