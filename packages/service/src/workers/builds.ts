import { abilityOf, deviceAbilities } from '@telecine/contract/domain/devices.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isMetByAll, strictNeeds } from '@telecine/contract/domain/speed-needs.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { offerOf } from '@telecine/ffmpeg/catalogue/changed-catalogue.ts';
import {
  rejectUnusableTools,
  type ToolFault,
  ToolsUnusable,
  toolFault,
} from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import { meetsNeed } from '@telecine/ffmpeg/plan/plan-step.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { type CatalogueStore, LIVE_SECONDS, type WorkerStore } from './ports/worker-store.ts';
import { type KnownBuilds, registeredBuilds } from './registered-builds.ts';
import { takesJobs } from './worker-operations.ts';

/** Finds the ffmpeg builds that may run jobs. Throws UNAVAILABLE if no build is known, or the only one is unusable. */
export type FindBuilds = () => Promise<KnownBuilds>;

const RETRY_SECONDS = 10;

/** Thrown if no worker is registered, so that the features of ffmpeg are unknown. */
export class NoWorker extends Problem {
  constructor() {
    super(
      'UNAVAILABLE',
      'No worker is registered, so the service does not know which conversions can run. Ask the operator to start one with "telecine worker", then retry.',
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
}

type OwnTools = Pick<Toolchain, 'catalogue' | 'build' | 'ffprobePath'>;

const NO_OTHERS: KnownBuilds = { recent: [], away: [] };

export type Builds = ReturnType<typeof openBuilds>;

/**
 * Finds the builds that may run jobs: `own`, if this process may run jobs, and those of the workers in `store`, if the
 * database is shared.
 */
export function openBuilds(deps: {
  readonly own: Promise<OwnTools> | undefined;
  readonly store: { readonly workers: WorkerStore; readonly catalogues: CatalogueStore };
  readonly isShared: boolean;
  /** How long a build stays known after the last report of its workers, in seconds. */
  readonly buildSeconds: number;
}) {
  const { workers, catalogues } = deps.store;
  const others = deps.isShared ? registeredBuilds(workers, catalogues, deps.buildSeconds) : undefined;
  const faultOf = lookAtTools();
  // Ignore the error here, because `find` reports it.
  deps.own?.catch(() => undefined);
  const withOthers = (tools: OwnTools | undefined, registered: KnownBuilds): KnownBuilds => {
    const fault = tools && faultOf(tools);
    const own = fault === undefined ? tools?.catalogue : undefined;
    const isNoneKnown = registered.recent.length === 0 && registered.away.length === 0;
    if (fault !== undefined && isNoneKnown) throw new ToolsUnusable(fault);
    if (own === undefined && isNoneKnown) throw new NoWorker();
    if (own === undefined) return registered;
    if (isNoneKnown) return { recent: [own], away: [] };
    const isOther = (one: Catalogue): boolean => offerOf(one) !== offerOf(own);
    return { recent: [own, ...registered.recent.filter(isOther)], away: registered.away.filter(isOther) };
  };
  return {
    find: async (): Promise<KnownBuilds> => withOthers(await deps.own, (await others?.list()) ?? NO_OTHERS),
    /**
     * Returns whether a live worker meets the needs of a job. Also returns true if no worker is live, or if a catalogue
     * is not stored yet.
     */
    isMet: async (all: Requirements['needs']): Promise<boolean> => {
      const needs = strictNeeds(all);
      if (needs.length === 0) return true;
      const live = (await workers.seenWithin(LIVE_SECONDS)).filter(takesJobs);
      if (live.length === 0) return true;
      const { recent } = (await others?.list()) ?? NO_OTHERS;
      return live.some(({ buildKey, devices = [] }) => {
        const abilities = deviceAbilities(devices);
        const wanted = needs.flatMap((need) => abilityOf(need) ?? []);
        if (!wanted.every((ability) => abilities.has(ability))) return false;
        const offer = [buildKey, ...abilities].join(' ');
        const build = recent.find((one) => offerOf(one) === offer);
        return build === undefined || needs.every((need) => meetsNeed(build, need));
      });
    },
  };
}

/** Returns whether a worker with this build can take a job with this need. It can always take a long job, and apply a recipe. */
export const meetsNeedHere = (build: Parameters<typeof meetsNeed>[0], need: string): boolean =>
  isMetByAll(need) || meetsNeed(build, need);

/** How long submissions share one check that ffmpeg and ffprobe can be used, which takes three system calls. */
const LOOK_MS = 10;

function lookAtTools(): (tools: OwnTools) => ToolFault | undefined {
  let fault: ToolFault | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;
  return (tools) => {
    const now = performance.now();
    if (now - seenAt >= LOOK_MS) {
      fault = toolFault(tools);
      seenAt = now;
    }
    return fault;
  };
}

/** Throws NOT_IMPLEMENTED if this machine has no ffprobe, and UNAVAILABLE if its programs cannot be used. */
export function requireFfprobe(
  tools: Toolchain | undefined,
): asserts tools is Toolchain & { readonly ffprobePath: string } {
  if (tools?.ffprobePath === undefined)
    throw new Problem(
      'NOT_IMPLEMENTED',
      'This service has no ffprobe. Ask the operator to install it (it comes with ffmpeg) or to set FFPROBE_PATH.',
    );
  rejectUnusableTools(tools);
}

/** How long a client should wait if no worker can probe, in seconds. An operator has to start one first. */
const NO_PROBER_RETRY_SECONDS = 10;

/**
 * Throws UNAVAILABLE if no live worker can probe. A worker that has stopped counts as live for a short time, because it
 * may be restarting.
 */
export async function requireProber(workers: Pick<WorkerStore, 'seenWithin'>): Promise<void> {
  const live = await workers.seenWithin(LIVE_SECONDS);
  if (live.some(({ hasFfprobe }) => hasFfprobe !== false)) return;
  throw new Problem(
    'UNAVAILABLE',
    'No worker that can probe files is registered, and this service has no ffprobe. Ask the operator to install ffprobe (it comes with ffmpeg) here, or to start "telecine worker" where it is installed. Then retry.',
    { retryAfterSeconds: NO_PROBER_RETRY_SECONDS },
  );
}
