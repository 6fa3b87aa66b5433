import type { TelecineClient } from '../../../client/client.ts';
import type { MediaInfoView } from '../../../wire/probe.ts';
import { connect } from '../../session/connect.ts';
import type { ProbeFlags } from '../../session/flags.ts';
import { run } from '../../session/run-command.ts';
import { tidy } from '../convert/cleanup.ts';
import { needFile } from '../convert/local-files.ts';
import { newFolder, uploadName } from '../convert/output-names.ts';
import { placeOf } from '../convert/path-location.ts';
import { showMedia } from './show-media.ts';

/** `telecine probe`: from the command line to what it prints. */
export function probeCommand(file: string, flags: ProbeFlags): Promise<void> {
  return run(flags, async (signal) => {
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
  const place = placeOf(file);
  const more = parameters === undefined ? {} : { parameters: { ...parameters } };
  if (place.on === 'server') return client.probe({ input: place.path, ...more }, { signal });
  await needFile(place.path);
  const folder = newFolder();
  const path = `${folder}/${uploadName(0, place.path)}`;
  try {
    await client.upload(place.path, path, { signal });
    return await client.probe({ input: path, ...more }, { signal });
  } finally {
    for (const complaint of await tidy(client, { folder, files: [path] })) console.error(complaint);
  }
}
