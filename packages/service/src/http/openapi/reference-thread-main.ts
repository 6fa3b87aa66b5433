// The program of the thread that makes the API reference; see reference-thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import type { ReferenceTask } from './reference-thread.ts';

const task = workerData as ReferenceTask;
if (task === 'page') {
  const { loadDocsPage } = await import('./docs-page.ts');
  parentPort?.postMessage(await loadDocsPage());
} else {
  const { openApiDocument } = await import('./document.ts');
  parentPort?.postMessage(JSON.stringify(openApiDocument(task)));
}
