import { useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { outputAddress } from '../media/media-address.ts';
import { DataTable } from '../ui/data-table.tsx';
import { formatBytes } from '../ui/format.ts';
import { Section } from '../ui/section.tsx';
import { type HlsVersion, kbitText, readFiles, readVersions, versionName } from './hls-versions.ts';
import { outputsQuery } from './outputs-query.ts';
import { masterPlaylist } from './shown-outputs.ts';

/** A playlist of a film has some kB. A larger one is not read for a table. */
const MAX_BYTES = 1_000_000;

interface Read {
  readonly version: HlsVersion;
  /** The paths of its files. undefined: its playlist could not be read. */
  readonly files: readonly string[] | undefined;
}

/** The versions of a film in HLS, as its master playlist names them: their heights, bit rates and sizes. */
export function JobVersions({ job }: { readonly job: Job }) {
  const { outputs: first = [], outputCount = first.length } = job;
  const master = job.expired ? undefined : masterPlaylist(job);
  const path = master !== undefined && master.sizeBytes <= MAX_BYTES ? master.path : undefined;
  const read = useQuery({
    queryKey: ['versions', job.jobId, path],
    queryFn: ({ signal }) => readAll(job, path ?? '', signal),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const versions = read.data ?? [];
  const isPartial = outputCount > first.length;
  // The job has its first outputs, the segments are further on.
  const others = useQuery({ ...outputsQuery(job.jobId), enabled: isPartial && versions.length > 1 });
  if (versions.length < 2) return null;
  const outputs = isPartial ? (others.data?.outputs ?? []) : first;
  const sizes = outputs.length === outputCount ? new Map(outputs.map((one) => [one.path, one.sizeBytes])) : undefined;
  const hasAverage = versions.some(({ version }) => version.averageBandwidth !== undefined);
  return (
    <Section title="Versions">
      <DataTable
        label="Versions of the film"
        rows={versions}
        keyOf={({ version }) => version.path}
        empty="No versions."
        columns={[
          { name: 'Version', cell: ({ version }) => <span title={version.path}>{versionName(version)}</span> },
          ...(hasAverage
            ? [{ name: 'Average', isNumber: true, cell: ({ version }: Read) => rateText(version.averageBandwidth) }]
            : []),
          {
            name: hasAverage ? 'Peak' : 'Bit rate',
            isNumber: true,
            cell: ({ version }) => rateText(version.bandwidth),
          },
          { name: 'Size', isNumber: true, cell: ({ files }) => sizeText(files, sizes) },
        ]}
      />
    </Section>
  );
}

const rateText = (bits: number | undefined): string | undefined => (bits === undefined ? undefined : kbitText(bits));

/** The size of all files of a version. undefined: not all of them are known. */
function sizeText(
  files: readonly string[] | undefined,
  sizes: ReadonlyMap<string, number> | undefined,
): string | undefined {
  const all = files?.map((path) => sizes?.get(path));
  return all === undefined || all.length === 0 || all.includes(undefined)
    ? undefined
    : formatBytes(all.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0));
}

async function readAll(job: Job, path: string, signal: AbortSignal): Promise<readonly Read[]> {
  const versions = readVersions(await readText(job, path, signal), path);
  return Promise.all(
    versions.map(async (version) => ({
      version,
      files: await readText(job, version.path, signal).then(
        (text) => readFiles(text, version.path),
        () => undefined,
      ),
    })),
  );
}

async function readText(job: Job, path: string, signal: AbortSignal): Promise<string> {
  const reply = await fetch(outputAddress(job, path)?.() ?? '', { signal });
  if (!reply.ok) throw new Error(`The service replied ${reply.status}.`);
  return reply.text();
}
