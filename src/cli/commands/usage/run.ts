import type { UsageView } from '../../../wire/usage.ts';
import { table } from '../../output/table.ts';
import type { JobsFlags } from '../../session/flags.ts';
import { printResult } from '../../session/print-result.ts';

export interface UsageFlags extends JobsFlags {
  readonly client?: string;
}

export const runUsage = (flags: UsageFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.usage({ signal, ...(flags.client !== undefined && { client: flags.client }) }),
    showUsage,
  );

const UNITS: Readonly<Record<UsageView['quotas'][number]['name'], string>> = {
  jobs: 'jobs today',
  media: 'seconds of media today',
  storage: 'bytes',
};

const showUsage = ({ client, resetsAt, quotas }: UsageView): readonly string[] => [
  `Usage of ${client}. The day ends at ${resetsAt}.`,
  ...table([
    ['QUOTA', 'USED', 'LIMIT', 'UNIT'],
    ...quotas.map(({ name, used, limit }) => [name, `${used}`, limit === undefined ? 'none' : `${limit}`, UNITS[name]]),
  ]),
];
