import type { LargestFiles, Usage, UsageList } from '@telecine/client/api.ts';
import type { Command } from 'commander';
import { bytes } from '../output/format.ts';
import { listLines } from '../output/result-lines.ts';
import { addOperationVerbs } from '../session/operation-verbs.ts';

export const declare = (usage: Command): void =>
  addOperationVerbs(usage, {
    getUsage: { show: quotaLines },
    listUsage: { show: clientLines },
    listLargestFiles: { show: fileLines },
  });

const quotaLines = ({ client, resetsAt, quotas }: Usage): readonly string[] => [
  `Usage of ${client}. The day ends at ${resetsAt}.`,
  ...listLines(quotas, [['QUOTA', ({ name }) => name], 'used', ['LIMIT', ({ limit }) => limit ?? 'none']]),
  'Media are in seconds, storage and records in bytes.',
];

const clientLines = ({ disk, total, clients, resetsAt }: UsageList): readonly string[] => [
  `Usage of ${total.clients} clients. The day ends at ${resetsAt}.`,
  ...listLines(clients, [
    ['CLIENT', ({ client, revokedAt }) => (revokedAt === undefined ? client : `${client} (revoked)`)],
    ['FILES', ({ storedBytes }) => bytes(storedBytes)],
    ['BIN', ({ binBytes }) => bytes(binBytes)],
    ['STORAGE LIMIT', ({ storageLimit }) => (storageLimit === undefined ? 'none' : bytes(storageLimit))],
    ['JOBS TODAY', ({ jobs }) => jobs],
    ['MEDIA TODAY', ({ mediaSeconds }) => `${Math.round(mediaSeconds)} s`],
  ]),
  `All files: ${bytes(total.storedBytes)}. In bins: ${bytes(total.binBytes)}.`,
  ...(disk === undefined
    ? []
    : [
        `Disk of the media root: ${bytes(disk.freeBytes)} of ${bytes(disk.totalBytes)} are free. ` +
          `${bytes(disk.otherBytes)} count for no client.`,
      ]),
];

const fileLines = ({
  client,
  folder,
  files,
  bytes: sum,
  largestFolders,
  largestFiles,
}: LargestFiles): readonly string[] => [
  `${bytes(sum)} in ${files} ${files === 1 ? 'file' : 'files'} of ${client}${folder === '' ? '' : ` in ${folder}`}.`,
  ...listLines<{ path: string; bytes: number; files?: number }>(
    [...largestFolders, ...largestFiles],
    [['LARGEST', ({ path }) => path], ['SIZE', (one) => bytes(one.bytes)], 'files'],
  ),
];
