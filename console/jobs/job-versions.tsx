import { useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { client } from '../app/client.ts';
import { DataTable } from '../ui/data-table.tsx';
import { formatBitRate, formatBytes } from '../ui/format.ts';
import { Section } from '../ui/section.tsx';
import { versionNames } from './hls-versions.ts';
import { MAX_OUTPUTS, outputsQuery } from './outputs-query.ts';
import { masterPlaylist } from './shown-outputs.ts';
import { MAX_BYTES, readSizedVersions, type SizedVersion } from './sized-versions.ts';

/** The versions of a film in HLS, as its master playlist names them: their heights, bit rates and sizes. */
export function JobVersions({ job }: { readonly job: Job }) {
  const master = job.expired ? undefined : masterPlaylist(job);
  const path = master !== undefined && master.sizeBytes <= MAX_BYTES ? master.path : undefined;
  const read = useQuery({
    queryKey: ['versions', job.jobId, path],
    queryFn: ({ signal, client: queries }) => {
      const { outputs = [], outputCount = outputs.length } = job;
      // The job has its first outputs, the segments are further on.
      const readOutputs = async () =>
        outputCount > outputs.length ? (await queries.fetchQuery(outputsQuery(job.jobId))).outputs : outputs;
      return readSizedVersions(path ?? '', {
        readText: async (one) => (await client.download(job.jobId, { path: one, signal })).text(),
        readOutputs: outputCount > MAX_OUTPUTS ? undefined : readOutputs,
      });
    },
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const versions = read.data ?? [];
  if (versions.length < 2) return null;
  const names = versionNames(versions.map(({ version }) => version));
  const hasAverage = versions.some(({ version }) => version.averageBandwidth !== undefined);
  const hasSizes = versions.some(({ bytes }) => bytes !== undefined);
  return (
    <Section title="Versions">
      <DataTable
        label="Versions of the film"
        rows={versions}
        keyOf={({ version }) => version.path}
        empty="No versions."
        columns={[
          { name: 'Version', cell: ({ version }) => <span title={version.path}>{names.get(version.path)}</span> },
          ...(hasAverage
            ? [
                {
                  name: 'Average',
                  isNumber: true,
                  cell: ({ version }: SizedVersion) => rateText(version.averageBandwidth),
                },
              ]
            : []),
          {
            name: hasAverage ? 'Peak' : 'Bit rate',
            isNumber: true,
            cell: ({ version }) => rateText(version.bandwidth),
          },
          ...(hasSizes
            ? [{ name: 'Size', isNumber: true, cell: ({ bytes }: SizedVersion) => bytes && formatBytes(bytes) }]
            : []),
        ]}
      />
    </Section>
  );
}

const rateText = (bits: number | undefined): string | undefined =>
  bits === undefined ? undefined : formatBitRate(bits);
