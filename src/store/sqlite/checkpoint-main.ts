// The thread that runs one checkpoint: see log-checkpoints.ts.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

/** Flushes at a checkpoint, as the connections of the service do. */
const connection = new DatabaseSync(String(workerData), { timeout: 0 });
connection.exec('pragma synchronous=normal; pragma wal_checkpoint(truncate)');
connection.close();
