import type { Job } from '@telecine/client';
import Ban from 'lucide-react/icons/ban';
import Download from 'lucide-react/icons/download';
import Pencil from 'lucide-react/icons/pencil';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { nameOf } from '../files/file-list.ts';
import { outputAddress } from '../media/media-address.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { CancelJobButton } from './cancel-job-button.tsx';
import { editLabel } from './edit-of-job.ts';
import { outputText } from './job-names.ts';
import { useEditJob } from './use-edit-job.ts';
import { useJobsAction } from './use-jobs-action.ts';

/** How many outputs a menu has room for. The page of the job has all. */
const FEW = 4;

/** The actions on a job in the list. `isReader`: whether its files are those of the signed-in client, which may read them. */
export const JobRowActions = (props: ItemsProps) => (
  <RowMenu label={`Actions for ${outputText(props.job) || props.job.jobId}`}>
    <Items {...props} />
  </RowMenu>
);

interface ItemsProps {
  readonly job: Job;
  readonly isReader: boolean;
}

function Items({ job, isReader }: ItemsProps) {
  // The notice above the list says what became of it, as for selected jobs.
  const { action, start } = useJobsAction();
  const isBusy = action?.state === 'running';
  const { data: session } = useSession();
  const { outputs = [], links } = job;
  const edit = useEditJob(job);
  const mayWrite = mayDo(session, 'jobs:write');
  return (
    <>
      {isReader &&
        links.output !== undefined &&
        outputs.slice(0, FEW).map(({ path }) => (
          <LinkButton key={path} href={outputAddress(job, path)?.()} download={nameOf(path)}>
            <Download /> Download {outputs.length > 1 && nameOf(path)}
          </LinkButton>
        ))}
      {mayWrite && links.retry !== undefined && (
        <Button disabled={isBusy} onClick={() => void start('retry', [job.jobId])}>
          <RotateCw /> Run again
        </Button>
      )}
      {mayWrite && edit !== undefined && (
        <Button disabled={edit.isPending} onClick={() => edit.open()}>
          <Pencil /> {editLabel(job)}
        </Button>
      )}
      {mayWrite && links.cancel !== undefined && (
        <CancelJobButton
          job={job}
          icon={<Ban />}
          isDisabled={isBusy}
          onCancel={() => void start('cancel', [job.jobId])}
        />
      )}
    </>
  );
}
