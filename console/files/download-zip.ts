import { client } from '../app/client.ts';
import { zipAddress } from './zip-paths.ts';

/**
 * Lets the browser save files and folders as one zip. Asks for its header fields first, because the browser would save an error as a file.
 * Rejects with the reason if there is no zip.
 */
export async function downloadZip(paths: readonly string[]): Promise<void> {
  const address = zipAddress(paths);
  const head = await fetch(address, { method: 'HEAD' });
  // A reply to HEAD has no text, so ask again for the reason.
  if (!head.ok) await (await client.downloadFiles(paths)).body?.cancel();
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
