import type { NodeClient } from '../../../client/node/node-client.ts';
import type { MediaInfo } from '../../../domain/media-info.ts';
import { connect } from '../../session/credentials.ts';
import type { ProbeFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { callerNames } from '../convert/caller-names.ts';
import { cleanUp } from '../convert/cleanup.ts';
import { fileLocation } from '../convert/file-location.ts';
import { requireFile } from '../convert/local-files.ts';
import { newUploadFolder, uploadName } from '../convert/output-names.ts';
import { showMedia } from './show-media.ts';

/** Runs `telecine probe`. */
export function probeCommand(file: string, flags: ProbeFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const info = await probeFile(connect(flags.url), file, flags, signal);
    if (flags.json) console.log(JSON.stringify(info));
    else for (const line of showMedia(file, info)) console.log(line);
  });
}

async function probeFile(
  client: NodeClient,
  file: string,
  { inputOption: parameters }: ProbeFlags,
  signal: AbortSignal,
): Promise<MediaInfo> {
  const location = fileLocation(file);
  const more = parameters === undefined ? {} : { parameters: { ...parameters } };
  if (location.on === 'server') return client.probe({ input: location.path, ...more }, { signal });
  await requireFile(location.path);
  const folder = newUploadFolder();
  const path = `${folder}/${uploadName(0, location.path)}`;
  const names = callerNames({ folder, uploads: [{ file, path, index: 0 }] });
  try {
    await client.uploadFile(location.path, path, { signal });
    return await client.probe({ input: path, ...more }, { signal });
  } catch (error) {
    throw names.error(error);
  } finally {
    for (const failure of await cleanUp(client, { folder, files: [path] })) console.error(failure);
  }
}
