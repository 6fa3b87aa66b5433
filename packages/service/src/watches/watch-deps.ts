import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { WatchEvent, WatchEventData } from '@telecine/contract/domain/webhook.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { WatchChange } from '../jobs/job-changes.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import type { WatchLedger, WatchStore } from '../store/watches.ts';
import type { WatchedFolders } from './watched-folders.ts';

/** The size of a video as it is shown. */
export type Frame = { readonly width: number; readonly height: number };

export interface WatchDeps {
  readonly watches: WatchStore;
  readonly ledger: WatchLedger;
  readonly folders: WatchedFolders;
  readonly jobs: Pick<JobOperations, 'submitWatched'> & Pick<JobStore, 'get' | 'outputs'>;
  readonly files: Pick<FileOperations, 'move' | 'removeAll'>;
  /** Whether deleted files go to a bin. */
  readonly hasBin: boolean;
  /** The client of a watch with the rights and limits that it has now. undefined: it was revoked. */
  readonly callerOf: (clientId: string) => Promise<Caller | undefined>;
  /** The size of the video in a file as it is shown. undefined: it has none. Throws the errors of a probe. */
  readonly frameOf: (caller: Caller, path: MediaPath, signal: AbortSignal) => Promise<Frame | undefined>;
  readonly now: () => Date;
  /** A clock in milliseconds that only moves forward. */
  readonly monotonic: () => number;
  readonly onError: (error: unknown) => void;
  readonly onPoll?: (end: 'complete' | 'unreachable', seconds: number) => void;
  /** Tells clients of an event. `cause`: why the folder is unreachable. */
  readonly onEvent?: (event: WatchEvent, data: WatchEventData, cause?: Error) => void;
  /** Called after a round that has changed a watch or its files, except by jobs. */
  readonly onChange?: (change: WatchChange) => void;
  /** Called after a source of the client was moved or deleted, and before that is stored. */
  readonly onDone?: (clientId: string, file: WatchedFile, action: 'file.move' | 'file.delete', to?: string) => void;
  /** Called before a page of a poll is stored, and in the transaction that submits a file. For tests of crashes. */
  readonly onStep?: (step: 'before-watch-page' | 'after-watch-mark') => void;
}

/** One round of work for a watch. */
export interface Round extends WatchDeps {
  readonly watch: Watch;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Called with the path of a file with other content than its row: the next poll looks at it again. */
  readonly onOther: (path: MediaPath) => void;
  /** Whether this service still leads, the watch is as the round has read it, and its client has the rights. */
  readonly mayGoOn: () => Promise<boolean>;
}
