import { client } from '../app/client.ts';
import { zipAddress } from './zip-paths.ts';

/**
 * Lets the browser save files and folders as one zip. Begins a download by itself first, because the browser would save an error as a file.
 * Rejects with the reason if there is no zip.
 */
export async function downloadZip(paths: readonly string[], signal: AbortSignal): Promise<void> {
  const address = zipAddress(paths);
  const { body } = await client.downloadFiles(paths, { signal });
  await body?.cancel();
  signal.throwIfAborted();
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
