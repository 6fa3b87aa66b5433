import type { TelecineClient } from '../../../client/client.ts';
import type { MediaInfoView } from '../../../wire/probe.ts';
import { connect } from '../../session/credentials.ts';
import type { ProbeFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { cleanUp } from '../convert/cleanup.ts';
import { fileLocation } from '../convert/file-location.ts';
import { requireFile } from '../convert/local-files.ts';
import { newUploadFolder, uploadName } from '../convert/output-names.ts';
import { showMedia } from './show-media.ts';

/** `telecine probe`: from the command line to what it prints. */
export function probeCommand(file: string, flags: ProbeFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const info = await probed(connect(flags.url), file, flags, signal);
    if (flags.json) console.log(JSON.stringify(info));
    else for (const line of showMedia(file, info)) console.log(line);
  });
}

async function probed(
  client: TelecineClient,
  file: string,
  { inputOption: parameters }: ProbeFlags,
  signal: AbortSignal,
): Promise<MediaInfoView> {
  const place = fileLocation(file);
  const more = parameters === undefined ? {} : { parameters: { ...parameters } };
  if (place.on === 'server') return client.probe({ input: place.path, ...more }, { signal });
  await requireFile(place.path);
  const folder = newUploadFolder();
  const path = `${folder}/${uploadName(0, place.path)}`;
  try {
    await client.upload(place.path, path, { signal });
    return await client.probe({ input: path, ...more }, { signal });
  } finally {
    for (const complaint of await cleanUp(client, { folder, files: [path] })) console.error(complaint);
  }
}
