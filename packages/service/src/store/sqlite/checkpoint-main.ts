// The program of the thread that runs a checkpoint: see log-checkpoints.ts.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

function copyLog(): void {
  // Close this connection again. The last connection that closes copies the log into the database and deletes it, and
  // that must be a connection of the service.
  const connection = new DatabaseSync(String(workerData), { timeout: 0 });
  try {
    // Flush at checkpoints, like the connections of the service.
    connection.exec('pragma synchronous=normal; pragma wal_checkpoint(passive)');
  } finally {
    connection.close();
  }
}

copyLog();
parentPort?.postMessage('copied');
parentPort?.once('message', () => {
  copyLog();
  parentPort?.close();
});
