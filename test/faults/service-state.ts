import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { scratchProcesses } from '../support/scratch-processes.ts';

/** The folders of a service. */
export interface ServiceFolders {
  readonly dataDir: string;
  /** Symlinks resolved. */
  readonly mediaRoot: string;
  /** The TMPDIR of the service. */
  readonly tmpDir: string;
}

/** The environment that gives a service its own temporary folder. */
export const temporaryFolderEnv = ({ tmpDir }: ServiceFolders) => ({ TMPDIR: tmpDir });

/** Where receipts are, below the media root or the prefix of a bucket. They stay for days after the end of their jobs. */
export const RECEIPTS = '.telecine/receipts/';

export const databasePath = ({ dataDir }: Pick<ServiceFolders, 'dataDir'>): string => join(dataDir, 'telecine.db');

/** All files of a media root, including scratch and hidden files. Folders may disappear during the search. */
export async function filesIn(mediaRoot: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(join(mediaRoot, below), { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = entries.map((entry) => {
    const path = join(below, entry.name);
    return entry.isDirectory() ? filesIn(mediaRoot, path) : [path];
  });
  return (await Promise.all(files)).flat();
}

/** What no service may leave when all its jobs have ended: scratch folders, hidden files, tickets, intents, processes. */
export async function findLeftovers(folders: ServiceFolders): Promise<readonly string[]> {
  const { dataDir, mediaRoot, tmpDir } = folders;
  const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
  const scratch = [
    ...(await namesIn(join(mediaRoot, '.telecine/jobs'))),
    ...(await namesIn(join(dataDir, 'scratch/jobs'))),
    ...(await namesIn(join(dataDir, 'tmp'))),
  ];
  const hidden = (await filesIn(mediaRoot)).filter((path) => basename(path).startsWith('.telecine'));
  const processes = await scratchProcesses(mediaRoot);
  return [
    ...scratch.map((name) => `scratch ${name}`),
    ...hidden,
    ...(await namesIn(tmpDir)).map((name) => `temporary ${name}`),
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...inDatabase(folders),
  ];
}

/** The names of the files of encoded chunks of failed jobs, which a retry may use for a day. For both databases. */
export const CHUNKS_FOR_RETRIES =
  "select chunk_id || '.' || job_chunks.fence as name from job_chunks join jobs using (job_id) where status = 'FAILED' and state = 'DONE'";

/** The stored chunks of failed jobs, which a retry may use for a day, as paths below the media root. */
export async function chunksForRetries(
  folders: Pick<ServiceFolders, 'dataDir' | 'mediaRoot'>,
): Promise<readonly string[]> {
  const names = new Set(readRows(folders, CHUNKS_FOR_RETRIES).map(({ name }) => name));
  return (await filesIn(folders.mediaRoot)).filter((path) => names.has(basename(path)));
}

function inDatabase(folders: ServiceFolders): readonly string[] {
  return [
    "select 'ticket of', job_id from tickets",
    "select 'intent of', job_id from jobs where intent is not null",
    "select 'part of an intent of', job_id from job_intents",
  ]
    .flatMap((query) => readRows(folders, query))
    .map((row) => Object.values(row).join(' '));
}

function readRows(folders: Pick<ServiceFolders, 'dataDir'>, query: string) {
  const db = new DatabaseSync(databasePath(folders), { readOnly: true, timeout: 5000 });
  try {
    return db.prepare(query).all();
  } finally {
    db.close();
  }
}
