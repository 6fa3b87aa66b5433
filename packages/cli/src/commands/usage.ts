import type { LargestFilesView, UsageListView, UsageView } from '@telecine/contract/wire/usage.ts';
import { type Command, Option } from 'commander';
import { bytes, table } from '../output/format.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';

interface UsageFlags extends ServiceFlags {
  readonly client?: string;
  readonly all?: boolean;
  /** The folder whose largest files are shown. `true`: the whole media root of the client. */
  readonly files?: string | true;
}

type Shown = UsageView | UsageListView | LargestFilesView;

export function declare(usage: Command): void {
  addVerb(usage, usage.description(), readUsage, showUsage)
    .option('--client <name>', 'another client (needs the scope admin)')
    .addOption(
      new Option('--all', 'all clients, first those that use the most space (needs the scope admin)').conflicts([
        'client',
        'files',
      ]),
    )
    .option('--files [folder]', 'the largest folders and files, of all files or of a folder');
}

async function readUsage({ client, signal, flags }: Call<UsageFlags>): Promise<Shown> {
  const of = { signal, ...(flags.client !== undefined && { client: flags.client }) };
  if (flags.all === true) return client.usageOfAll({ signal, limit: 1000 });
  if (flags.files === undefined) return client.usage(of);
  return client.largestFiles({ ...of, ...(flags.files !== true && { folder: flags.files }) });
}

function showUsage(usage: Shown): readonly string[] {
  if ('quotas' in usage) return quotaLines(usage);
  return 'largestFiles' in usage ? fileLines(usage) : clientLines(usage);
}

const UNITS: Readonly<Record<UsageView['quotas'][number]['name'], string>> = {
  jobs: 'jobs today',
  media: 'seconds of media today',
  storage: 'bytes',
  records: 'bytes in the database',
};

const quotaLines = ({ client, resetsAt, quotas }: UsageView): readonly string[] => [
  `Usage of ${client}. The day ends at ${resetsAt}.`,
  ...table([
    ['QUOTA', 'USED', 'LIMIT', 'UNIT'],
    ...quotas.map(({ name, used, limit }) => [name, `${used}`, limit === undefined ? 'none' : `${limit}`, UNITS[name]]),
  ]),
];

const clientLines = ({ disk, total, clients, resetsAt }: UsageListView): readonly string[] => [
  `Usage of all clients. The day ends at ${resetsAt}.`,
  ...table([
    ['CLIENT', 'FILES', 'BIN', 'STORAGE LIMIT', 'JOBS TODAY', 'MEDIA TODAY'],
    ...clients.map((one) => [
      one.revokedAt === undefined ? one.client : `${one.client} (revoked)`,
      bytes(one.storedBytes),
      bytes(one.binBytes),
      one.storageLimit === undefined ? 'none' : bytes(one.storageLimit),
      `${one.jobs}`,
      `${Math.round(one.mediaSeconds)} s`,
    ]),
    [`all ${total.clients}`, bytes(total.storedBytes), bytes(total.binBytes), '', '', ''],
  ]),
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
}: LargestFilesView): readonly string[] => [
  `${bytes(sum)} in ${files} ${files === 1 ? 'file' : 'files'} of ${client}${folder === '' ? '' : ` in ${folder}`}.`,
  ...table([
    ['LARGEST', 'SIZE', 'FILES'],
    ...largestFolders.map((one) => [one.path, bytes(one.bytes), `${one.files}`]),
    ...largestFiles.map((one) => [one.path, bytes(one.bytes), '']),
  ]),
];
