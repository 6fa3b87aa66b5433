import { callQuota } from '@telecine/contract/domain/call-quota.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { operatorHint } from '@telecine/contract/domain/client-limits.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { redactUrl } from '@telecine/contract/domain/url-input.ts';
import {
  changeSettings,
  NO_WATCHED_FILES,
  type Watch,
  type WatchedCounts,
  type WatchedFile,
  type WatchSettings,
} from '@telecine/contract/domain/watch.ts';
import type { NewWatch, WatchChange, WatchDryRun } from '@telecine/contract/wire/watch.ts';
import { v7 as uuid } from 'uuid';
import type { WatchChange as ChangedWatch } from '../jobs/job-changes.ts';
import type { WatchedFilesQuery, WatchLedger, WatchSettingsChange, WatchStore } from '../store/watches.ts';
import { checkSettings, type Owner, requireScopes } from './check-watch.ts';
import { checkRequestOf, type DryRunWatchDeps, dryRunWatch } from './dry-run-watch.ts';

export interface WatchOperationsDeps extends DryRunWatchDeps {
  readonly watches: WatchStore;
  readonly ledger: Pick<WatchLedger, 'list' | 'retry'>;
  /** The client of a watch with its present rights. undefined: it was revoked. */
  readonly callerOf: (clientId: string) => Promise<Caller | undefined>;
  /** Called after a client has changed a watch. Tells all services. */
  readonly onChange: (change: ChangedWatch) => void;
}

/** Each dry run reads a folder. */
const DRY_RUNS = { perClient: 2, total: 8 };

export interface CountedWatch {
  readonly watch: Watch;
  readonly counts: WatchedCounts;
}

/** A new watch. `warnings`: what is probably a mistake in its request. */
interface CreatedWatch extends CountedWatch {
  readonly warnings: readonly string[];
}

export interface WatchedFilesPage {
  readonly files: readonly WatchedFile[];
  /** The path of the last file, if there are more. */
  readonly nextAfter?: string;
}

export type WatchOperations = ReturnType<typeof watchOperations>;

/** Puts back the callback URL of a request that is sent with it as the view of the watch shows it, without its query or password. */
function keepCallback<C extends Pick<WatchChange, 'request'>>(sent: C, { request: { callbackUrl } }: Watch): C {
  const { request } = sent;
  const isShown = callbackUrl !== undefined && request?.callbackUrl === redactUrl(callbackUrl);
  return isShown ? { ...sent, request: { ...request, callbackUrl } } : sent;
}

/** The operations on watches that HTTP and MCP offer. Each throws WATCH_NOT_FOUND for a watch of another client, except to an administrator. */
export function watchOperations(deps: WatchOperationsDeps) {
  const { watches, ledger, now, onChange } = deps;
  const dryRunQuota = callQuota('dry runs of watches', DRY_RUNS);

  async function find(caller: Caller, watchId: string): Promise<Watch> {
    const watch = await watches.get(watchId);
    if (watch !== undefined && (watch.clientId === caller.clientId || allows(caller, 'admin'))) return watch;
    throw new Problem('WATCH_NOT_FOUND', `Watch ${watchId} does not exist, or it belongs to another client.`);
  }

  /** The client for which a watch acts, with its present rights: those of an administrator do not count. Throws CLIENT_REVOKED. */
  async function ownerOf(caller: Caller, { clientId }: Watch): Promise<Owner> {
    if (clientId === caller.clientId) return { client: caller };
    const client = await deps.callerOf(clientId);
    if (client !== undefined) return { client, isOther: true };
    throw new Problem(
      'CLIENT_REVOKED',
      `The client ${JSON.stringify(clientId)} of this watch was revoked. The watch can only be paused or deleted.`,
    );
  }

  const counted = async (watch: Watch): Promise<CountedWatch> => ({
    watch,
    counts: (await watches.counts([watch.watchId])).get(watch.watchId) ?? NO_WATCHED_FILES,
  });

  /** Lets the service that works for the watch, and those who follow it, know that it has changed. */
  const tell = ({ watchId, clientId }: Watch): void => onChange({ watchId, clientId, isByClient: true });

  return {
    /** Makes a watch. Throws INVALID_REQUEST, INSUFFICIENT_SCOPE, TOO_MANY_WATCHES. */
    async create(caller: Caller, sent: NewWatch, signal: AbortSignal = NEVER): Promise<CreatedWatch> {
      const settings = checkSettings({ client: caller }, sent);
      const warnings = await checkRequestOf(deps, caller, settings, signal);
      const at = now().toISOString();
      const watch: Watch = {
        ...settings,
        watchId: uuid(),
        clientId: caller.clientId,
        state: 'ACTIVE',
        createdAt: at,
        changedAt: at,
      };
      const max = caller.policy.watches ?? Number.POSITIVE_INFINITY;
      if (!(await watches.add(watch, max)))
        throw new Problem(
          'TOO_MANY_WATCHES',
          `You have ${max} watches, the most that are allowed. Delete one that you no longer need. ${operatorHint(caller.clientId, 'watches')}`,
        );
      tell(watch);
      return { watch, counts: NO_WATCHED_FILES, warnings };
    },

    /** Says what a watch would convert now. Throws like `create`, and FOLDER_UNREACHABLE, RATE_LIMITED, UNAVAILABLE. */
    dryRun: (caller: Caller, sent: NewWatch, signal: AbortSignal = NEVER): Promise<WatchDryRun> =>
      dryRunQuota(caller.clientId, async () => {
        const settings = checkSettings({ client: caller }, sent);
        const run = await dryRunWatch(deps, caller, settings, signal);
        const twin = (await watches.list(caller.clientId)).find(takesSameFiles(settings));
        return twin === undefined ? run : { ...run, warnings: [...run.warnings, twinWarning(twin)] };
      }),

    /** Lists the watches of a client. Default: its own, and those of all for an administrator. Throws INSUFFICIENT_SCOPE. */
    async list(caller: Caller, clientId?: string): Promise<readonly CountedWatch[]> {
      const isAdmin = allows(caller, 'admin');
      if (clientId !== undefined && clientId !== caller.clientId && !isAdmin)
        throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the watches of other clients.', {
          scopes: ['admin'],
        });
      const found = await watches.list(clientId ?? (isAdmin ? undefined : caller.clientId));
      const counts = await watches.counts(found.map(({ watchId }) => watchId));
      return found.map((watch) => ({ watch, counts: counts.get(watch.watchId) ?? NO_WATCHED_FILES }));
    },

    get: async (caller: Caller, watchId: string): Promise<CountedWatch> => counted(await find(caller, watchId)),

    /** Changes a watch, with the rights of its client. Throws INVALID_REQUEST, INSUFFICIENT_SCOPE, CLIENT_LACKS_SCOPE, CLIENT_REVOKED. */
    async change(
      caller: Caller,
      watchId: string,
      change: WatchChange,
      signal: AbortSignal = NEVER,
    ): Promise<CountedWatch> {
      const watch = await find(caller, watchId);
      const { state, ...sent } = change;
      const settings = keepCallback(sent, watch);
      const hasSettings = Object.keys(settings).length > 0;
      const changed = changeSettings(watch, settings);
      let checked: WatchSettingsChange = {};
      if (hasSettings || (state !== undefined && state !== 'PAUSED')) {
        const owner = await ownerOf(caller, watch);
        const { source } = checkSettings(owner, changed, settings);
        if (settings.request !== undefined) await checkRequestOf(deps, owner.client, changed, signal);
        checked = { ...settings, ...(settings.source !== undefined && { source }) };
      }
      const stored = await watches.change(watchId, { ...checked, ...(state && { state }) }, now().toISOString());
      if (stored === undefined) throw new Problem('WATCH_NOT_FOUND', `Watch ${watchId} was deleted.`);
      tell(stored);
      return counted(stored);
    },

    async remove(caller: Caller, watchId: string): Promise<Watch> {
      const watch = await find(caller, watchId);
      await watches.remove(watchId);
      tell(watch);
      return watch;
    },

    async files(caller: Caller, watchId: string, query: WatchedFilesQuery): Promise<WatchedFilesPage> {
      await find(caller, watchId);
      // Read one more, to know whether there is a next page.
      const found = await ledger.list(watchId, { ...query, limit: query.limit + 1 });
      const files = found.slice(0, query.limit);
      const last = files.at(-1);
      return found.length > files.length && last !== undefined ? { files, nextAfter: last.path } : { files };
    },

    /** Converts files again. Resolves to their number. Throws INSUFFICIENT_SCOPE, CLIENT_LACKS_SCOPE, CLIENT_REVOKED. */
    async retry(caller: Caller, watchId: string, paths?: readonly string[]): Promise<number> {
      const watch = await find(caller, watchId);
      requireScopes(await ownerOf(caller, watch), watch, 'change the watch to "source": "keep"');
      const count = await ledger.retry(watchId, paths, now().toISOString());
      tell(watch);
      return count;
    },
  };
}

/** Returns a function that tells whether a watch has the same folder, and may take the same files. */
const takesSameFiles =
  ({ folder, patterns }: WatchSettings) =>
  (one: Watch): boolean =>
    one.folder === folder &&
    (patterns === undefined || one.patterns === undefined || one.patterns.some((name) => patterns.includes(name)));

const twinWarning = ({ watchId, name }: Watch): string =>
  `Your watch ${name === undefined ? watchId : JSON.stringify(name)} has the same folder, and may take the same files: both would convert them. Send other "patterns", or change that watch.`;
