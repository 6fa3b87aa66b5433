import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeClient } from '../../../client/node/node-client.ts';
import { stateDirFromEnvironment } from '../../../config/environment.ts';
import { plainText } from '../../../domain/text-validation.ts';
import { openProgress } from '../../output/open-progress.ts';
import { bytes } from '../../output/quantities.ts';
import { readCredentials } from '../../session/credentials.ts';
import type { UploadFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { serverPath } from '../convert/file-location.ts';
import { requireFile } from '../convert/local-files.ts';
import { type UploadContext, uploadOne } from './upload-one.ts';
import { type PlannedUpload, planUploads } from './upload-plan.ts';
import { openUploadRecords, type UploadKey } from './upload-records.ts';

/** Runs `telecine upload`: uploads the files one after the other, and prints their paths. */
export const uploadCommand = (files: readonly string[], flags: UploadFlags): Promise<void> =>
  runCommand(flags, async (signal) => {
    const uploads = planUploads(files, flags.to);
    for (const { file } of uploads) await requireFile(file, { fix: 'Name an existing file.' });
    const { url, credentials } = readCredentials(flags.url);
    const stateDir = stateDirFromEnvironment();
    const clientId = 'clientId' in credentials ? credentials.clientId : undefined;
    const isSilent = (flags.quiet || flags.json) && flags.progress === undefined;
    const progress = await openProgress(isSilent ? 'silent' : flags.progress);
    const context: UploadContext = {
      client: createNodeClient(url, credentials),
      records: openUploadRecords(stateDir === undefined ? undefined : join(stateDir, 'uploads'), (reason) =>
        progress.say(plainText(`An interrupted upload cannot be continued later: ${reason}.`)),
      ),
      progress,
      replace: flags.y ?? false,
      signal,
    };
    const keys: UploadKey[] = [];
    try {
      for (const upload of uploads) {
        const key = { url, clientId, replace: context.replace, ...(await keyOf(upload)) };
        keys.push(key);
        await uploadOne(upload, key, context);
        progress.close();
        printUploaded(upload, key, flags);
        // A later file may fail. Then the same command skips this one.
        if (uploads.length > 1) context.records.set(key, { done: true });
      }
    } finally {
      progress.close();
    }
    for (const key of keys) context.records.remove(key);
  });

async function keyOf({ file, path }: PlannedUpload): Promise<Omit<UploadKey, 'url' | 'clientId' | 'replace'>> {
  const { size, mtimeMs } = await stat(file);
  return { path, file: await realpath(file), sizeBytes: size, modifiedMs: mtimeMs };
}

function printUploaded({ file, path }: PlannedUpload, { sizeBytes }: UploadKey, { json, quiet }: UploadFlags): void {
  if (json) console.log(JSON.stringify({ file, path, sizeBytes }));
  else if (!quiet) console.log(plainText(`${serverPath(path)}  ${bytes(sizeBytes)}`));
}
