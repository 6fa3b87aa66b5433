import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DocsPage } from './docs-page.ts';
import type { DocumentOptions } from './document.ts';

/** The program file is next to this file, both in `src` and in `dist`. rolldown.config.ts also contains its name. */
const PROGRAM = join(import.meta.dirname, `reference-thread-main${extname(import.meta.filename)}`);

export type ReferenceTask = 'page' | DocumentOptions;

/** Makes the OpenAPI document as JSON. Uses a thread, because this takes 100 ms. */
export const makeDocument = (options: DocumentOptions): Promise<string> => make(options) as Promise<string>;

/** Makes the API reference page in a thread. */
export const makeDocsPage = (): Promise<DocsPage> => make('page') as Promise<DocsPage>;

async function make(task: ReferenceTask): Promise<unknown> {
  // Do not pass the environment, because it contains secrets.
  const worker = new Worker(PROGRAM, { name: 'reference', workerData: task, env: {} });
  const ended = once(worker, 'exit').then(() => {
    throw new Error('The thread that makes the API reference has ended.');
  });
  const [made]: unknown[] = await Promise.race([once(worker, 'message'), ended]);
  return made;
}
