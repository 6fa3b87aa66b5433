import { useMutation } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import {
  MEASURED_LISTS,
  type MeasuredEntry,
  type MeasuredList,
  measuredList,
} from '../../packages/contract/src/domain/measured-lists.ts';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';

type Measurements = Parameters<typeof measuredList>[0];

/** The measurements of an analysis, and the settings that it used. If a list is incomplete, a button reads all of it. */
export function JobMeasurements({ job }: { readonly job: Job }) {
  if (job.measurements === undefined) return null;
  const settings = job.analysis?.settings;
  const measurements = job.measurements as Measurements;
  const continued = MEASURED_LISTS.flatMap((list) => {
    const { count, entries } = measuredList(measurements, list) ?? { count: 0, entries: [] };
    return entries.length < count ? [{ list, count, shown: entries.length }] : [];
  });
  return (
    <Section title="Measurements">
      {settings !== undefined && <CodeBlock label="Settings used">{JSON.stringify({ settings }, null, 2)}</CodeBlock>}
      <CodeBlock label="Measurements">{JSON.stringify(measurements, null, 2)}</CodeBlock>
      {continued.map((one) => (
        <WholeList key={one.list} jobId={job.jobId} {...one} />
      ))}
    </Section>
  );
}

/** A button that reads all entries of a list, and then the entries, one per line. */
function WholeList({
  jobId,
  list,
  count,
  shown,
}: {
  readonly jobId: string;
  readonly list: MeasuredList;
  readonly count: number;
  readonly shown: number;
}) {
  const read = useMutation({
    mutationFn: async () => {
      const all: MeasuredEntry[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.measured(jobId, list, { ...(cursor !== undefined && { cursor }) });
        all.push(...page.entries);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return all;
    },
  });
  return (
    <>
      {read.data === undefined ? (
        <Button variant="quiet" disabled={read.isPending} onClick={() => read.mutate()}>
          {`Show all ${count} entries of ${list} (${shown} are shown above)`}
        </Button>
      ) : (
        <CodeBlock label={`All entries of ${list}`}>
          {read.data.map((entry) => JSON.stringify(entry)).join('\n')}
        </CodeBlock>
      )}
      {read.error !== null && <ProblemNotice error={read.error} />}
    </>
  );
}
