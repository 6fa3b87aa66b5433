import type { Config } from '../../config/config.ts';
import type { ScratchSpace } from '../../jobs/ports.ts';
import type { Store } from '../../store/open.ts';
import type { CheckResult } from '../../wire/system.ts';
import type { Toolchain } from './toolchain.ts';

/** A check that hangs is a check that failed. */
const CHECK_TIMEOUT_MS = 2000;

/** Anybody may ask, and a look begins a write: one serves all who ask within so long. */
const KEPT_MS = 1000;

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/** What the service needs to take and run jobs, by name. */
export function readiness(
  deps: {
    readonly store: Pick<Store, 'ping'>;
    readonly media: Pick<ScratchSpace, 'freeBytes'>;
    readonly tools: Promise<Toolchain>;
    readonly draining: () => boolean;
  },
  config: Pick<Config, 'minFreeBytes'>,
): () => Promise<Readonly<Record<string, CheckResult>>> {
  const checks: Readonly<Record<string, () => Promise<string | undefined>>> = {
    store: async () => {
      await deps.store.ping();
      return undefined;
    },
    disk: async () => {
      const free = await deps.media.freeBytes();
      if (free >= config.minFreeBytes) return undefined;
      return `${mebibytes(free)} are free under the media root; ${mebibytes(config.minFreeBytes)} are wanted.`;
    },
    ffmpeg: async () => {
      await deps.tools;
      return undefined;
    },
  };
  const look = async (): Promise<Readonly<Record<string, CheckResult>>> => {
    const results = Object.entries(checks).map(async ([name, check]): Promise<[string, CheckResult]> => {
      try {
        const wrong = await within(CHECK_TIMEOUT_MS, check());
        return [name, wrong === undefined ? { ok: true } : { ok: false, message: wrong }];
      } catch {
        return [name, { ok: false, message: `The ${name} does not answer; the log says why.` }];
      }
    });
    return { ...Object.fromEntries(await Promise.all(results)), ...(await toolChecks(deps.tools)) };
  };
  let kept = { at: Number.NEGATIVE_INFINITY, found: Promise.resolve({}) };
  return async () => {
    const now = performance.now();
    if (now - kept.at >= KEPT_MS) kept = { at: now, found: look() };
    const found = await kept.found;
    return { ...found, queue: deps.draining() ? DRAINING : { ok: true } };
  };
}

const NO_FFPROBE = 'There is no ffprobe, so files cannot be probed.';

const DRAINING: CheckResult = { ok: false, message: 'The service is shutting down and takes no more jobs.' };

/**
 * Running without a sandbox is allowed unless it is required, in which case the start has failed already; and without
 * ffprobe only probes are refused.
 */
async function toolChecks(tools: Promise<Toolchain>): Promise<Readonly<Record<string, CheckResult>>> {
  try {
    const { sandbox, ffprobePath } = await within(CHECK_TIMEOUT_MS, tools);
    return {
      sandbox: sandbox.kind === 'none' ? { ok: true, message: sandbox.reason } : { ok: true },
      ...(ffprobePath === undefined && { ffprobe: { ok: true, message: NO_FFPROBE } }),
    };
  } catch {
    return { sandbox: { ok: false, message: 'The sandbox was not tried yet.' } };
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('timed out')), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
