import type { UsageView } from '@telecine/contract/wire/usage.ts';
import type { Command } from 'commander';
import { table } from '../output/format.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';

export function declare(usage: Command): void {
  addVerb(
    usage,
    usage.description(),
    ({ client, signal, flags: { client: name } }: Call<ServiceFlags & { readonly client?: string }>) =>
      client.usage({ signal, ...(name !== undefined && { client: name }) }),
    showUsage,
  ).option('--client <name>', 'another client (needs the scope admin)');
}

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
