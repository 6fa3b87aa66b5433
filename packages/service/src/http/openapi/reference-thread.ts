import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DocsPage } from './docs-page.ts';
import type { DocumentOptions } from './document.ts';

/**
 * The program of the thread. It is next to this file, both in `src` and in `dist`. If you rename it, also change its
 * name in rolldown.config.ts.
 */
const PROGRAM = join(import.meta.dirname, `reference-thread-main${extname(import.meta.filename)}`);

export type ReferenceTask = 'page' | DocumentOptions;

/** Makes the OpenAPI document, as JSON, in a thread, because this takes 100 ms. */
export const makeDocument = (options: DocumentOptions): Promise<string> => make(options) as Promise<string>;

/** Makes the API reference page in a thread. */
export const makeDocsPage = (): Promise<DocsPage> => make('page') as Promise<DocsPage>;

async function make(task: ReferenceTask): Promise<unknown> {
  // Pass no environment variables, because they contain secrets.
  const worker = new Worker(PROGRAM, { name: 'reference', workerData: task, env: {} });
  const ended = once(worker, 'exit').then(() => {
    throw new Error('The thread that makes the API reference ended before it answered.');
  });
  const [made]: unknown[] = await Promise.race([once(worker, 'message'), ended]);
  return made;
}
