import { createHash } from 'node:crypto';
import { type FairSlots, takeSlot } from '@telecine/contract/domain/call-quota.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { MAX_PATH_BYTES, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import { shownFolder, type WatchSettings } from '@telecine/contract/domain/watch.ts';
import { needsFrame, requestForWatchedFile } from './file-request.ts';
import { FolderUnreachable, type FoundFile, type UnreachableReason, type WatchSource } from './ports.ts';
import { nameMatcher } from './watched-names.ts';

/** What a dry run reads at most, so that its reply comes soon. The time for which it waits for its turn does not count. */
const MOST_FILES = 100_000;
const MOST_MS = 10_000;

const EXAMPLES = 20;

/** How many files are counted in one turn of the event loop. */
const FILES_PER_TURN = 32;

export interface DryRunListingDeps {
  readonly source: Pick<WatchSource, 'newMemory' | 'scan'>;
  readonly now: () => Date;
  /** The turns of scans for dry runs. They are not those of watches, which can take hours. */
  readonly scanSlots: FairSlots;
}

interface DryRunListing {
  readonly files: number;
  readonly sizeBytes: number;
  readonly isWhole: boolean;
  /** The first files. */
  readonly first: readonly FoundFile[];
  /** Two files whose jobs would write the same output, in quotes. */
  readonly same?: readonly [string, string];
}

const RETRY_SOON = 'Send the same request again in a minute. If it fails again, tell the operator.';

const UNREACHABLE: Readonly<Record<UnreachableReason, { readonly why: string; readonly fix: string }>> = {
  missing: {
    why: 'it does not exist, or its disk is not mounted',
    fix: 'Create the folder, or send another one.',
  },
  denied: { why: 'the service may not read it', fix: 'Ask the operator for access to it, or send another one.' },
  down: { why: 'its storage does not answer', fix: RETRY_SOON },
  timeout: { why: 'its storage does not answer in time', fix: RETRY_SOON },
};

/** Lists the files that a watch would take now. Throws FOLDER_UNREACHABLE. */
export async function listForDryRun(
  { source, now, scanSlots }: DryRunListingDeps,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<DryRunListing> {
  const { folder, subfolders, patterns } = settings;
  const timeLimit = new AbortController();
  const startTimer = (): NodeJS.Timeout => setTimeout(() => timeLimit.abort(), MOST_MS);
  let timer = startTimer();
  using cleanup = new DisposableStack();
  cleanup.defer(() => clearTimeout(timer));
  const waitForTurn = async (): Promise<void> => {
    clearTimeout(timer);
    cleanup.use(await takeSlot(scanSlots, caller.clientId, signal));
    timer = startTimer();
  };
  const first: FoundFile[] = [];
  const findSame = sameOutputFinder(settings, now());
  let files = 0;
  let sizeBytes = 0;
  let same: readonly [string, string] | undefined;
  const result = (isWhole: boolean): DryRunListing => ({ files, sizeBytes, isWhole, first, ...(same && { same }) });
  const memory = source.newMemory();
  try {
    const where = { folder, subfolders, accepts: nameMatcher(patterns) };
    const options = { memory, kind: 'full', waitForTurn, signal: AbortSignal.any([signal, timeLimit.signal]) } as const;
    for await (const page of source.scan(caller.root, where, options)) {
      for await (const some of inSteps(page, FILES_PER_TURN, signal))
        for (const file of some) {
          files += 1;
          sizeBytes += file.bytes;
          if (first.length < EXAMPLES) first.push(file);
          same ??= findSame(file.path);
        }
      if (files >= MOST_FILES || timeLimit.signal.aborted) return result(false);
    }
    return result(true);
  } catch (error) {
    const isLate = timeLimit.signal.aborted && error === timeLimit.signal.reason;
    if (isLate && memory.cost.reads > 0) return result(false);
    if (isLate) throw unreachable(folder, 'timeout', error);
    throw error instanceof FolderUnreachable ? unreachable(folder, error.reason, error) : error;
  }
}

function unreachable(folder: string, reason: UnreachableReason, cause: unknown): Problem {
  const { why, fix } = UNREACHABLE[reason];
  return new Problem(
    'FOLDER_UNREACHABLE',
    `The folder ${JSON.stringify(shownFolder(folder))} cannot be read: ${why}.`,
    { fix, cause },
  );
}

/** How many characters of a path a warning shows. */
const MOST_SHOWN = 200;

/** The end of a path in quotes. As JSON, it is a text of its own, and does not keep the whole path in memory. */
const quoteEnd = (path: string): string =>
  JSON.stringify(path.length > MOST_SHOWN ? `…${path.slice(-MOST_SHOWN)}` : path);

/**
 * Returns a function that returns an earlier file with the same first output as a file, and this file, in quotes. Both paths can be long, and
 * there are many files, so it remembers only a hash of the output and the end of the path.
 */
function sameOutputFinder(
  { folder, request }: WatchSettings,
  at: Date,
): (path: MediaPath) => readonly [string, string] | undefined {
  const outputsOf = outputNamer({ folder, request }, at, 1);
  const byOutput = new Map<string, string>();
  return (path) => {
    const [output] = outputsOf(path) ?? [];
    if (output === undefined) return undefined;
    const key = createHash('sha256').update(output).digest('base64');
    const other = byOutput.get(key);
    const shown = quoteEnd(path);
    byOutput.set(key, shown);
    return other === undefined ? undefined : [other, shown];
  };
}

/**
 * Returns a function that names the first outputs of the request for a file. It returns undefined if they depend on the size of its video, or
 * if a path would be too long, so that its job would be rejected.
 */
export function outputNamer(
  { folder, request }: Pick<WatchSettings, 'folder' | 'request'>,
  at: Date,
  count?: number,
): (path: MediaPath) => readonly string[] | undefined {
  if (needsFrame(request)) return () => undefined;
  // The rest of a request can be large, and folders have many files.
  const templates = requestedOutputs(request).slice(0, count);
  const paths = { outputs: templates.map((one) => ({ output: one.path })) };
  return (path) => {
    const { outputs = [] } = requestForWatchedFile({ folder, request: paths }, path, { at, replaces: false });
    const named = outputs.map(({ output }) => output);
    return named.some((output) => output.length > MAX_PATH_BYTES) ? undefined : named;
  };
}
